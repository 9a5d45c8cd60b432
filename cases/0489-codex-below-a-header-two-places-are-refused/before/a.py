def f():
    return 1
    return 1
def g():
    return 1
