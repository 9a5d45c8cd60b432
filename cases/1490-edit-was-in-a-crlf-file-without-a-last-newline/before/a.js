a
  use(result);