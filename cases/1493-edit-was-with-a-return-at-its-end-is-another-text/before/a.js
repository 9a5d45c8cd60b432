a
  use(result);
