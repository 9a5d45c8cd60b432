def f():
    return 1
def g(x):
    return 1
