impl<T> Shape for Square<T>
where
    T: Num,
{
    fn name(&self) -> u8 {
        1
    }
}

impl Shape for Circle {
    fn area(&self) -> u8 {
        2
    }
}
