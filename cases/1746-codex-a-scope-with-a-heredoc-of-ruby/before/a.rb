def f
  x
  s = <<E
col0
E
  x
end
