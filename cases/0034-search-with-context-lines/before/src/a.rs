fn main() {
    let total = 1;
    print(total);
}
