import sys
from greet import greet

print(greet(sys.argv[1]))
