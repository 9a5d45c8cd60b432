import a

fn one() {
  go();
}

fn two() {
  go();
}
