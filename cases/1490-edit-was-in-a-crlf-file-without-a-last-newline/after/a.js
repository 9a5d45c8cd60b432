a
  use(y);