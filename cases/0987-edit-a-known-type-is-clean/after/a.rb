def one
  puts [2]
end
