fn one() {
    let a = 1;
    print("{ [ ("); // } ) ]
}

fn two() {
    let b = 2;
}
