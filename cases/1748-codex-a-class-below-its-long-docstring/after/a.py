class A:
    """A
thing.
    """
    x = 2


class B:
    x = 1
