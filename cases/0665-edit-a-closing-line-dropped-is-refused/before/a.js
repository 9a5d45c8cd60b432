function one() {
  const a = [1, 2];
  return a;
}
