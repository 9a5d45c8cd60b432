def f():
    x()
    s = """
col 0
"""
    x()

def g():
    x()
