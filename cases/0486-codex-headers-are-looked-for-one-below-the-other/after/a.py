class A:
    def f():
        return 1
class B:
    def f():
        return 2
