function id(x) { return x; }
function other(x) {
  log(x);
}
