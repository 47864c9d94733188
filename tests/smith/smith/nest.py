"""One random loop nest: its loops, keys and scalars, and the lines written so far."""

import random

from . import views
from .expr import Int, name, number


class Nest:
    """
    lines: C text; those that begin with `@` are for the recorder only. outer: the variable of the
    loop; inner: those of loops around the place being written, innermost last.
    """

    def __init__(self, seed, index, kind, features):
        self.random = random.Random(seed)
        self.function = f"{kind}_{index}"
        self.kind, self.features = kind, features
        self.lines, self.indent = [], 1
        self.inner, self.csr = [], []
        self.K, self.m, self.n = name("K", 3, 4), name("m", 7, 10), name("n", 17, 24)
        self.outer = name("i", 0, 23)
        self.scalars, self.temps, self.locals = [], [], 0
        self.views, self.names = [], []
        self.key_kinds = [self.pick(["array", "array", "record", "record", "pointer", "twice", "local", "call"])]
        if self.percent(20):
            self.key_kinds.append(self.pick(["array", "record", "twice"]))
        self.habit_key = 0
        self.params, self.arguments = [], []
        self.depth = 0
        self.floating = False
        self.unordered = self.percent(features.get("unordered", 30))

    # ---- chance ----

    def below(self, n):
        return self.random.randrange(n)

    def percent(self, chance):
        return self.random.random() * 100 < chance

    def pick(self, items):
        return items[self.random.randrange(len(items))]

    def weighted(self, table):
        return self.random.choices(list(table), list(table.values()))[0]

    def shuffle(self, items):
        self.random.shuffle(items)

    # ---- text ----

    def put(self, line):
        self.lines.append("    " * self.indent + line)

    def mark(self, line):
        self.lines.append("@" + "    " * self.indent + line)

    def open(self, line):
        self.put(line)
        self.indent += 1

    def close(self, line="}"):
        self.indent -= 1
        self.put(line)

    def fresh(self, stem):
        self.locals += 1
        return f"{stem}{self.locals}"

    # ---- subscripts ----

    def random_habit(self):
        return getattr(views, "sub_" + self.weighted(self.features["subs"])), self.below(3 if self.percent(25) else 2)

    def inner_any(self):
        return self.pick(self.inner) if self.inner else number(self.below(4))

    def inner_below(self, width):
        fits = [one for one in self.inner if one.low >= 0 and one.high < width.low]
        if self.percent(4) and self.inner:
            return self.pick(self.inner)
        return self.pick(fits) if fits else number(self.below(min(width.low, 3)))

    def inner_up_to_outer(self):
        fits = [one for one in self.inner if getattr(one, "triangular", False)]
        return self.pick(fits) if fits else number(0)

    def outer_below_n(self):
        return self.outer

    def csr_index(self):
        return self.pick(self.csr) if self.csr else name(f"ptr[{self.outer.text}]", 0, 127)

    # ---- elements and values ----

    def view_of(self, kind):
        fits = [one for one in self.views if self.value_type(one) == kind]
        return self.pick(fits) if fits else None

    def element(self, view):
        return view.element(self, self.percent(self.features.get("usual", 93)))

    def read(self, kind):
        """An element of the type, or something small."""
        view = self.view_of(kind)
        chance = self.below(10)
        temps = [text for text, one in self.temps if one == kind]
        if chance < 3 and temps:
            return self.pick(temps)
        if chance < 8 and view:
            return self.element(view)
        if kind == "d":
            named = self.outer.high < 2048 and not any("restrict" in one for one in self.params)
            return self.pick(["1.5", "3.0", "dC[%s]" % self.outer.text if named else "2.0"])
        if kind == "u":
            return self.pick([f"v[{self.outer.text}]", str(1 + self.below(9)) + "u", f"(unsigned){self.outer.text}",
                              f"r[{self.outer.text}].value", "7u"])
        return self.pick([str(1 + self.below(9)), f"(int)({self.outer.text} & 7)", "2"])

    def value(self, kind, depth=2):
        if depth == 0 or self.percent(30):
            return self.read(kind)
        left, right = self.value(kind, depth - 1), self.value(kind, depth - 1)
        if kind == "d":
            return self.pick([f"0.5 * ({left} + {right})", f"({left}) * 0.5 + 0.25", f"mean({left}, {right})",
                              f"({left}) * 0.25 + ({right}) * 0.75"])
        if kind == "u":
            return self.pick([f"({left} + {right})", f"{left} * 3u + {right}", f"({left} ^ {right})", f"({left} - {right})",
                              f"({left} & {right})", f"mix({left}, {right})", f"({self.condition()} ? {left} : {right})"])
        return self.pick([f"({left} & 511) + ({right} & 511)", f"({left} ^ {right})", f"(({left} & 63) * 5)",
                          f"(({left} & 1023) - ({right} & 1023))", f"low(({left}))"])

    def affine_condition(self):
        o, c = self.outer.text, self.below(20)
        choices = [f"{o} < K + {c}", f"{o} >= {c}", f"!({o} % 2)", f"({o} & 3) == {c % 5}", f"{o} / 2 < {c}",
                   f"{o} >> 1 != {c}", f"{o} > {c} && {o} < {c + 6}", f"{o} < {c} || {o} >= n - 4", f"{o} % 4 > 1",
                   f"n - {o} > m", f"{o} + K < n", f"!({o} < m || {o} == {c})", f"{o} - 1 >= {c}",
                   f"({o} < m ? {o} : m) > {c % 9}", f"{o} % 3 == {c % 4}", f"{o} * 2 < n", f"{o}", f"{o} - {c}",
                   f"({o} % 2 == 0) == {c % 2}", f"(unsigned){o} - {c}u < 7u", f"({o} > {c}) + ({o} < 3)"]
        if self.inner:
            j = self.pick(self.inner).text
            choices += [f"{j} > {o}", f"{j} == {o}", f"{j} <= {o} - 1", f"{j} != {c % 4} && {o} % 2", f"{j} % 2 == {o} % 2",
                        f"{j} < K - 1"]
        return self.pick(choices)

    def condition(self):
        o = self.outer
        if self.features.get("affine_conditions") and self.percent(self.features["affine_conditions"]):
            return self.affine_condition()
        view = self.view_of("u")
        choices = [f"v[{o.text}] & 1", f"v[{o.text}] % 3 == 0", f"{o.text} % 2 == 0", f"{o.text} > {5 + self.below(9)}",
                   f"r[{o.text}].value & 4", f"{o.text} != {self.below(20)}"]
        if self.inner:
            j = self.pick(self.inner)
            choices += [f"{j.text} != 1", f"({j.text} + {o.text}) % 2"]
            if o.text == "i":
                choices.append(f"{j.text} < {o.text}")
        if view and self.percent(25):
            choices.append(f"{self.element(view)} & 2")
        return self.pick(choices)

    def stored(self, view, value):
        """`value`, fit to be stored in an element of the view's type."""
        casts = {"c": "(unsigned char)", "h": "(short)"}
        if view.type in casts:
            return f"{casts[view.type]}({value})"
        if view.type in "il":
            return f"({value}) & 1023"
        return value

    @staticmethod
    def value_type(view):
        return {"c": "u", "h": "i", "l": "i"}.get(view.type, view.type)


def bounded(text, low, high, **more):
    one = Int(text, low, high, True)
    for key, value in more.items():
        setattr(one, key, value)
    return one
