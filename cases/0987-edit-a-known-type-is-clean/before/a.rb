def one
  puts [1]
end
