first {
  run();
}

second {
  run();
}
