const a = 1;
function f(x) {
  const y = x;
  const result = y;
  console.log('debug');
  log(y);
  console.log('debug');
  log(y);
  use(result);
}
