fn one() {
    let a = 1;
    if a > 0 {
}

fn two() {
    let b = 2;
}
