class A:
    def stop(self):
        x()


class B:
    def stop(self):
        x()
