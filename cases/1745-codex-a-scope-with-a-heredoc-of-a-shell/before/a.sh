f() {
  x
  cat <<E
col0
E
  x
}
