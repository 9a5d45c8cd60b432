class A:
    """A
thing.
    """
    x = 1


class B:
    x = 1
