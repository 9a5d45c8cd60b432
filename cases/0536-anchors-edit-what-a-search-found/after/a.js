first {
  run();
}

second {
  walk();
}
