"""One nest of the poison adversary: its text, the memory it works on, and what of that counts for which class."""

import random

SCALARS = {"char": "POISON_CHAR", "unsigned char": "POISON_UCHAR", "short": "POISON_SHORT", "int": "POISON_INT",
           "unsigned": "POISON_UNSIGNED", "long": "POISON_LONG", "unsigned long": "POISON_LONG", "_Bool": "POISON_BOOL", "float": "POISON_FLOAT",
           "double": "POISON_DOUBLE"}

# Iterations that any run has at most, and elements of arrays that iterations go along.
MOST, COUNT = 90, 96


class Cell:
    """A member of an area's elements, as struct poison_cell says; ctype ends in `*` when it is a pointer."""

    def __init__(self, name, ctype, fill="RANGE", low=0, high=9, chance=0, poison="ANYTHING", target=None, step=1):
        self.name, self.ctype, self.fill, self.low, self.high = name, ctype, fill, low, high
        self.chance, self.poison, self.target, self.step = chance, poison, target, step

    def table(self, struct, areas):
        kind = "POISON_POINTER" if self.ctype.endswith("*") else SCALARS[self.ctype]
        offset = f"offsetof({struct}, {self.name})" if struct else "0"
        target = areas.index(self.target) if self.target else 0
        return (f'{{"{self.name}", {offset}, {kind}, FILL_{self.fill}, {self.low}, {self.high}, {self.chance}, '
                f"WITH_{self.poison}, {target}, {self.step}}}")


class Area:
    """Elements of one type; struct: its name in C, else there is one cell. where: how the nest gets there."""

    def __init__(self, name, ctype, count, cells, struct=None):
        self.name, self.ctype, self.count, self.cells, self.struct = name, ctype, count, cells, struct
        self.kind, self.tested = "HEAP", 0


class Nest:
    """
    What the classes (poison_kinds.py) add to. params: texts and what the harness passes; types, globals, helpers:
    lines in front of the function; locals: in front of the loop; body: of one iteration; tail: behind the loop.
    """

    def __init__(self, seed, index):
        self.chance = random.Random(seed)
        self.name = f"n{index}"
        self.areas, self.types, self.globals, self.helpers = [], [], [], []
        self.params, self.locals, self.body, self.tail = [], [], [], []
        self.numbers, self.hits, self.serial = {}, {}, 0
        self.clauses, self.head = "", ""

    # ---- names and chance ----

    def new(self, stem):
        self.serial += 1
        return f"{stem}{self.serial}"

    def percent(self, share):
        return self.chance.randrange(100) < share

    def pick(self, *choices):
        return self.chance.choice(choices)

    def hit(self, kind, area, cell=None):
        """An operand of a class: it is hit when something of the area, or of the cell, was poisoned."""
        self.hits.setdefault(kind, set()).add(f"{area.name}.{cell}" if cell else f"{area.name}.")

    # ---- memory ----

    def area(self, stem, ctype, count, cells, struct=None):
        one = Area(self.new(stem), ctype, count, cells, struct)
        self.areas.append(one)
        return one

    def struct(self, stem, cells, count):
        """An area of structures of their own type."""
        name = f"{self.name}_{self.new(stem)}"
        fields = " ".join(f"{cell.ctype.replace('SELF', 'struct ' + name)} {cell.name};" for cell in cells)
        self.types.append(f"struct {name} {{ {fields} }};")
        return self.area(stem, f"struct {name}", count, cells, f"struct {name}")

    def reach(self, area, const=True):
        """The text by which the nest comes to element 0 of an area: a parameter, a variable, a member."""
        way = self.chance.randrange(100)
        pointed = f"const {area.ctype}" if const and self.percent(70) else area.ctype
        if way < 15:
            return self.declared(area)
        if self.percent(20):
            area.kind = "MAPPED"
        if way < 25:
            return self.global_pointer(area, pointed)
        if way < 35:
            return self.member(area)
        return self.parameter(area, pointed)

    def parameter(self, area, pointed):
        keep = "restrict " if self.percent(75) else ""
        name = self.new("a")
        self.params.append((f"{pointed} *{keep}{name}", f"at[{self.areas.index(area)}]", pointed + " *"))
        return name

    def declared(self, area):
        area.kind = "DECLARED"
        name = f"{self.name}_{area.name}"
        self.globals.append((f"{area.ctype} {name}[{area.count}]", None))
        return name

    def global_pointer(self, area, pointed):
        name = f"{self.name}_{area.name}"
        self.globals.append((f"{pointed} *{name}", self.areas.index(area)))
        return name

    def member(self, area):
        """Through a structure that a parameter points to."""
        cell = Cell("w", f"{area.ctype} *", "STEP", target=area, poison="WILD")
        return self.holder([cell, Cell("n", "int", "RANGE", 3, 9)]) + "->w"

    def holder(self, cells):
        """A parameter that points to one structure."""
        one = self.struct("s", cells, 1)
        name = self.new("s")
        self.params.append((f"{one.ctype} *{name}", f"at[{self.areas.index(one)}]", f"{one.ctype} *"))
        return name

    def array(self, ctype, count=COUNT, *, const=True, stem="x", **how):
        """(area, text) of an array of numbers or pointers."""
        one = self.area(stem, ctype, count, [Cell("v", ctype, **how)])
        return one, self.reach(one, const)

    def number(self, values):
        """A parameter of type int; one value for each run."""
        name = self.new("z")
        self.params.append((f"int {name}", f"(int)numbers[{len(self.numbers)}]", "int"))
        self.numbers[name] = values
        return name

    # ---- text ----

    def prototype(self, name):
        return f"void {name}({', '.join(text for text, _, _ in self.params)})"

    def cast(self):
        return f"void (*)({', '.join(kind for _, _, kind in self.params)})"

    def lines(self, marked):
        """Its types, and the function."""
        lines = [*self.types, *(f"extern {text};" for text, _ in self.globals), *self.helpers, self.prototype(self.name) + " {"]
        lines += ["    " + one for one in self.locals]
        lines += ["#pragma orrery parallel" + self.clauses] if marked else []
        lines += ["    " + self.head, *("        " + one for one in self.body), "    }"]
        return lines + [*("    " + one for one in self.tail), "}"]
