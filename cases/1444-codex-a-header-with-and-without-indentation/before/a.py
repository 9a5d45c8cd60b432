def f():
    return 1
class A:
    def f():
        return 1
