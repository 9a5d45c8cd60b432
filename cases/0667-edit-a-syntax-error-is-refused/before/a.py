def one():
    a = 1
    return a
