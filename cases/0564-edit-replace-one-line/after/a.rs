fn add(x: i32) -> i32 {
    let y = x;
    return x + 1;
}
