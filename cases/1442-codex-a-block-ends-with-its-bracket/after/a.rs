fn a() {
    x
}
fn b(
    z: u8,
) {
    y
}
fn c() {
    x
}
