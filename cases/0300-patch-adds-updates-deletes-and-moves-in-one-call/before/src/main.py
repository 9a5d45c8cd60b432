import sys

print("Hello")
