fn one() {
    let a = 1;
    print(a);
}

fn two() {
    let b = 2;
}
