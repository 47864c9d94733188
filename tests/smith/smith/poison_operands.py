"""Expressions that may fault or run for ever on poison, conditions, and keys, for poison_kinds.py."""

from .poison_nest import COUNT, Cell

# Elements of what keys lead to, of what pointers lead to.
ROWS, THINGS = 16, 12


def index(nest):
    """A subscript of what iterations go along."""
    return nest.pick("i", "i", "i", "i", "i + 1", "i + 3", "95 - i")


# ---- operands: texts of integers ----

def things(nest, extra=()):
    """Structures that pointers lead to."""
    kind = nest.pick("int", "int", "unsigned", "char", "short", "unsigned char", "long")
    return nest.struct("o", [Cell("v", kind, low=0, high=9, poison="INDEX"), Cell("w", "double", high=5), *extra], THINGS)


def pointers(nest, kind, target, chance=0):
    """An array of pointers into an area; its text."""
    one, text = nest.array(f"{target.ctype} *", stem="p", fill="ANY", target=target, poison="WILD", chance=chance)
    nest.hit(kind, one)
    return text


def member(nest, kind):
    return f"{pointers(nest, kind, things(nest))}[{index(nest)}]->v"


def member_far(nest, kind):
    far = things(nest)
    near = things(nest, [Cell("q", f"{far.ctype} *", "ANY", target=far, poison="WILD")])
    return f"{pointers(nest, kind, near)}[{index(nest)}]->q->v"


def member_inside(nest, kind):
    """`r[i].p->v`: a pointer in a record."""
    to = things(nest)
    one = nest.struct("r", [Cell("id", "int"), Cell("p", f"{to.ctype} *", "ANY", target=to, poison="WILD")], COUNT)
    nest.hit(kind, one, "p")
    return f"{nest.reach(one)}[{index(nest)}].p->v"


def row(nest, kind):
    data = nest.area("d", "int", 4 * THINGS, [Cell("v", "int", high=9)])
    one, text = nest.array("int *", stem="t", fill="ANY", target=data, step=4, poison="WILD")
    nest.hit(kind, one)
    return f"{text}[{index(nest)}][{nest.pick('0', '2', 'i & 3')}]"


def star(nest, kind):
    data = nest.area("d", nest.pick("int", "short", "unsigned"), THINGS, [])
    data.cells = [Cell("v", data.ctype, high=9)]
    return f"*{pointers(nest, kind, data)}[{index(nest)}]"


def division(nest, kind):
    ctype = nest.pick("int", "int", "unsigned", "long", "short", "char")
    one, below = nest.array(ctype, stem="d", low=1, high=7, poison="DIVISOR")
    nest.hit(kind, one)
    if nest.percent(50):
        return f"{nest.pick(40, 60, 9)} {nest.pick('/', '%')} {below}[{index(nest)}]"
    other, above = nest.array("int", stem="x", low=0, high=60, poison="DIVIDEND")
    nest.hit(kind, other)
    return f"{above}[i] {nest.pick('/', '%')} {below}[{index(nest)}]"


def subscript(nest, kind):
    _, table = nest.array(nest.pick("int", "short", "unsigned char"), ROWS, stem="t", high=9)
    return f"{table}[{key(nest, kind)}]"


def subscript_twice(nest, kind):
    _, table = nest.array("int", ROWS, stem="t", high=9)
    _, inner = nest.array("int", ROWS, stem="t", high=ROWS - 1, poison="INDEX")
    return f"{table}[{inner}[{key(nest, kind)}]]"


def beyond(nest, kind):
    """An array that may end before the loop does."""
    one = nest.area("b", nest.pick("int", "unsigned", "short", "char"), COUNT, [])
    one.cells, one.kind = [Cell("v", one.ctype, high=9)], "MAPPED"
    name = nest.new("b")
    nest.params.append((f"const {one.ctype} *{name}", f"at[{nest.areas.index(one)}]", f"const {one.ctype} *"))
    nest.hit(kind, one)
    return f"{name}[{index(nest)}]"


def invariant(nest, kind):
    """Something that stays the same, behind a pointer that leads nowhere when nobody looks."""
    to = things(nest)
    cells = [Cell("v", "int", low=1, high=9, poison="DIVISOR"), Cell("t", f"{to.ctype} *", "STEP", target=to, poison="WILD")]
    data = nest.area("d", "int", COUNT, [Cell("v", "int", high=9)])
    cells.append(Cell("w", "int *", "STEP", target=data, poison="WILD"))
    name = nest.holder(cells)
    nest.hit(kind, nest.areas[-1])
    return f"{name}->{nest.pick('v', 't->v', 'w[i]')}"


def divisor(nest, kind):
    """Division by something that stays the same."""
    one = nest.area("z", "int", 1, [Cell("v", "int", low=1, high=5, poison="DIVISOR")])
    nest.hit(kind, one)
    way = nest.pick("global", "pointer", "member")
    if way == "pointer":
        name = nest.new("z")
        nest.params.append((f"const int *{name}", f"at[{nest.areas.index(one)}]", "const int *"))
        return f"{nest.pick('50', '(i + 9)', '7')} {nest.pick('/', '%')} *{name}"
    one.kind = "DECLARED"
    name = f"{nest.name}_{one.name}"
    nest.globals.append((f"int {name}", None))
    return f"{nest.pick('50', '(i + 9)', '7')} {nest.pick('/', '%')} {name}"


def walk(nest, kind):
    """A function that follows links until they end."""
    node = nest.struct("l", [Cell("v", "int", high=3), Cell("next", "SELF *", "BACK", poison="CHAIN")], 20)
    node.cells[1].target, node.cells[1].ctype = node, f"{node.ctype} *"
    name = f"{nest.name}_{nest.new('walk')}"
    body = nest.pick("while (p) { c += p->v; p = p->next; }", "for (; p; p = p->next) c++;", "for (; p && p->next; p = p->next) c += 2;",
                     "if (p) do { c++; p = p->next; } while (p);")
    nest.helpers.append(f"static int {name}(const {node.ctype} *p) {{ int c = 0; {body} return c; }}")
    return f"{name}({pointers(nest, kind, node, chance=10)}[i])"


def walk_numbers(nest, kind):
    one, text = nest.array("int", 24, stem="l", fill="BACK", poison="CHAIN")
    start, starts = nest.array("int", stem="k", high=23, poison="INDEX")
    nest.hit(kind, one)
    nest.hit(kind, start)
    name = f"{nest.name}_{nest.new('walk')}"
    nest.helpers.append(f"static int {name}(const int *next, int k) {{ int c = 0; while (next[k] != k) {{ k = next[k]; c++; }} return c; }}")
    return f"{name}({text}, {starts}[i])"


def called(nest, kind):
    """A function that looks behind its pointer."""
    to = things(nest)
    name = f"{nest.name}_{nest.new('get')}"
    nest.helpers.append(f"static int {name}(const {to.ctype} *p) {{ return p->v > 4 ? p->v : 3; }}")
    return f"{name}({pointers(nest, kind, to)}[{index(nest)}])"


def shift(nest, kind):
    one, text = nest.array("unsigned", stem="h", high=6)
    nest.hit(kind, one)
    return f"(int)(600u >> {text}[i])"


def convert(nest, kind):
    one, text = nest.array(nest.pick("double", "float"), stem="f", high=9)
    nest.hit(kind, one)
    return f"(int){text}[i]"


def both(nest, kind):
    first, second = operand(nest, kind), operand(nest, kind)
    return nest.pick(f"({first} > 2 && {second} > 1)", f"(({first}) + ({second}))", f"({first} > 3 ? {second} : 1)", f"({first} < 2 || {second} < 7)")


# Those that can neither fault nor run for ever, but hold nonsense: what may be evaluated ahead, and must not count.

def beside(nest, kind):
    """Another member of what every iteration reads."""
    ctype = nest.pick("int", "unsigned", "double", "char", "_Bool", "float")
    one = nest.struct("r", [Cell("a", "int"), Cell("b", ctype, high=9), Cell("c", "short", high=9, poison="INDEX")], COUNT)
    field = nest.pick("b", "b", "c")
    nest.hit(kind, one, field)
    text = nest.reach(one)
    _, name = nest.array("int", const=False, stem="y", high=9)
    nest.body.insert(0, f"{name}[i] = {text}[i].a;")
    if ctype == "_Bool" and field == "b":
        return f"({text}[i].b ? 6 : 0)"  # compilers know what a truth is not, and read nothing
    return f"{text}[i].{field}"


def masked(nest, kind):
    """An element of a declared array, whatever the subscript."""
    ctype = nest.pick("int", "double", "unsigned", "char", "float")
    one = nest.area("g", ctype, 128, [Cell("v", ctype, high=9)])
    nest.hit(kind, one)
    where = nest.pick("i", "i + 5", "i * 3")
    return f"{nest.declared(one)}[({where}) & 127]"


QUIET = [(beside, 3), (masked, 2)]

OPERANDS = [(member, 4), (member_far, 2), (member_inside, 2), (row, 3), (star, 2), (division, 4), (subscript, 3), (subscript_twice, 1), (beyond, 2),
            (invariant, 2), (divisor, 2), (walk, 2), (walk_numbers, 2), (called, 2), (shift, 1), (convert, 1), (both, 2), (beside, 1), (masked, 1)]


def operand(nest, kind, among=None):
    """The text of an integer from 0 to about 60 that nobody may look at in vain."""
    made = among or OPERANDS
    return nest.chance.choices([one for one, _ in made], [share for _, share in made])[0](nest, kind)


# ---- conditions, of what the loop does not write ----

def flag(nest):
    ctype = nest.pick("int", "int", "_Bool", "char", "unsigned", "double", "float", "unsigned char")
    _, text = nest.array(ctype, stem="c", fill="FLAG", low=1, high=1 if ctype == "_Bool" else 9)
    one = nest.pick("{}[i]", "{}[i]", "{}[i] != 0", "!!{}[i]", "{}[i] > 0", "!({}[i] == 0)", "{}[i] >= 3")
    return one.format(text) if ctype != "_Bool" else f"{text}[i]"


def counted(nest):
    return nest.pick("i % 3 == 1", "i > 20", "i < 9", "(i & 7) == 5", f"i < {nest.number([5, 200, 0, 33, 60, 2])}")


def condition(nest, kind, deep=True):
    way = nest.chance.randrange(100)
    if way < 55 or not deep and way < 85:
        return flag(nest)
    if way < 70 or not deep:
        return counted(nest)
    if way < 78:
        return nest.number([0, 1, 0, 0, 1, 0])
    if way < 86:
        return f"{flag(nest)} && {operand(nest, kind)} > {nest.pick(0, 2, 4)}"
    if way < 90:
        return f"{counted(nest)} && {flag(nest)}"
    if way < 94:
        return f"!({flag(nest)} || {operand(nest, kind)} > {nest.pick(2, 4)})"
    return f"({flag(nest)} ? {operand(nest, kind)} > 2 : {nest.pick('0', '0', counted(nest))})"


# ---- keys: numbers of rows, 0 to ROWS - 1 ----

def key_plain(nest, kind):
    ctype = nest.pick("int", "int", "int", "unsigned", "long", "short", "unsigned char", "char")
    one, text = nest.array(ctype, stem="k", high=ROWS - 1, poison="INDEX")
    nest.hit(kind, one)
    return f"{text}[{index(nest)}]"


def key_record(nest, kind):
    one = nest.struct("r", [Cell("u", "int", high=ROWS - 1, poison="INDEX"), Cell("val", "double"), Cell("t", "short", high=ROWS - 1, poison="INDEX")], COUNT)
    field = nest.pick("u", "t")
    nest.hit(kind, one, field)
    return f"{nest.reach(one)}[{index(nest)}].{field}"


def key_member(nest, kind):
    return f"{pointers(nest, kind, things(nest))}[{index(nest)}]->v"


def key_twice(nest, kind):
    one, text = nest.array("int", ROWS, stem="k", high=ROWS - 1, poison="INDEX")
    nest.hit(kind, one)
    return f"{text}[{key_plain(nest, kind)}]"


def key_divided(nest, kind):
    one, above = nest.array("int", stem="x", low=0, high=ROWS - 1, poison="DIVIDEND")
    other, below = nest.array("int", stem="d", low=1, high=4, poison="DIVISOR")
    nest.hit(kind, one)
    nest.hit(kind, other)
    return f"{above}[i] {nest.pick('/', '%')} {below}[i]"


def key_wrapping(nest, kind):
    """Products and sums without a sign, that wrap around on poison or with each value."""
    one, text = nest.array("unsigned", stem="k", high=3, poison="INDEX")
    nest.hit(kind, one)
    off = nest.pick("4294967294u", "1u", f"(unsigned){nest.number([-2, 0, 1, -2, 1, 0])}")
    return f"{text}[i] * {nest.pick(2, 3, 4)}u + {off} + 2u"


def key_masked(nest, kind):
    return f"({key_plain(nest, kind)} & {ROWS - 1})"


def key_called(nest, kind):
    name = f"{nest.name}_{nest.new('key')}"
    nest.helpers.append(f"static int {name}(int k) {{ return k > {ROWS - 1} ? {ROWS - 1} : k; }}")
    return f"{name}({key_plain(nest, kind)})"


KEYS = [(key_plain, 8), (key_record, 3), (key_member, 3), (key_twice, 2), (key_divided, 2), (key_wrapping, 2), (key_masked, 1), (key_called, 1)]


def key(nest, kind, among=None):
    return operand(nest, kind, among or KEYS)
