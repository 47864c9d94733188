"""Integer texts with the range of their values: subscripts are in bounds because these say so."""

# Marks in the text: of what the recording form checks, before its bound, behind it.
CHECK, CHECK_SIZE, CHECK_END = "\1", "\2", "\3"


class Int:
    """C text of an integer and the least and greatest value it can have."""

    def __init__(self, text, low, high, simple=False):
        self.text, self.low, self.high, self.simple = text, low, high, simple

    def wrapped(self):
        return self.text if self.simple else "(" + self.text + ")"

    def __add__(self, other):
        if isinstance(other, int):
            if other == 0:
                return self
            sign = "+" if other > 0 else "-"
            return Int(f"{self.text} {sign} {abs(other)}", self.low + other, self.high + other)
        return Int(f"{self.text} + {other.text}", self.low + other.low, self.high + other.high)

    def __sub__(self, other):
        return Int(f"{self.text} - {other.wrapped()}", self.low - other.high, self.high - other.low)

    def __mul__(self, other):
        if isinstance(other, int):
            other = Int(str(other), other, other, True)
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Int(f"{self.wrapped()} * {other.wrapped()}", min(ends), max(ends))

    def divided(self, by):
        return Int(f"{self.wrapped()} / {by}", self.low // by, self.high // by)

    def modulo(self, by):
        return Int(f"{self.wrapped()} % {by}", 0, min(by - 1, self.high))

    def masked(self, bits):
        return Int(f"({self.wrapped()} & {bits})", 0, bits, True)

    def inside(self, size):
        """The same, moved and cut so that it indexes an array of `size` elements."""
        if self.low >= 0 and self.high < size:
            return self
        moved = self + -self.low if self.low < 0 else self
        if moved.high < size:
            return moved
        return moved.modulo(size)

    def checked(self, size):
        """The same; the recording form looks whether it is in bounds (program.py writes both forms)."""
        return Int(f"{CHECK}{self.text}{CHECK_SIZE}{size}{CHECK_END}", self.low, self.high, self.simple)


def name(text, low, high):
    return Int(text, low, high, True)


def number(value):
    return Int(str(value), value, value, True)
