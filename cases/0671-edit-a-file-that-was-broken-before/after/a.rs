fn one() {
    let a = (1;
    show(a);
}
