const a = 1;
function f(x) {
  const y = x;
  const result = y;
  use(result);
}
