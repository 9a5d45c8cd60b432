fn a() {
    x
}
fn b(
    z: u8,
) {
    x
}
fn c() {
    x
}
