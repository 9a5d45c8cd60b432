def f():
    x = 1

def g():
    y = 1
    z = 1
