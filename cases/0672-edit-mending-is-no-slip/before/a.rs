fn one() {
    let a = (1;
    print(a);
}
