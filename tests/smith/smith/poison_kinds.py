"""The classes of the poison adversary: each adds to a nest what it is about. KINDS: by name, with its share."""

from .poison_nest import COUNT, Cell
from .poison_operands import QUIET, ROWS, THINGS, condition, counted, flag, index, key, key_plain, key_record, operand, pointers, things

NUMBERS = ["int", "unsigned", "double", "float", "long", "short", "char", "unsigned char"]


def result(nest, text, ctype="double"):
    """Keeps a scalar's value where it is compared."""
    one, name = nest.array(ctype, 4, const=False, stem="e", high=0)
    nest.tail.append(f"{name}[{nest.serial % 4}] = {text};")
    return one


def output(nest, ctype=None):
    """An array that each iteration writes its own element of."""
    return nest.array(ctype or nest.pick("int", "double", "long", "unsigned", "float"), const=False, stem="y", high=9)[1]


def rows(nest, ctype=None, width=1):
    """What keys lead to."""
    return nest.array(ctype or nest.pick("int", "double", "long", "unsigned", "float", "unsigned"), ROWS * width, const=False, stem="H", high=9)[1]


def moved(ctype, text):
    """The next value of an element, in bounds and exact."""
    return f"({text} & 1023) * 3 + 1" if ctype != "double" and ctype != "float" else f"{text} * .5 + 1"


def conditioned(nest, kind, lines):
    """Lines that some iterations run."""
    way = nest.chance.randrange(100)
    test = condition(nest, kind)
    if way < 60:
        return [f"if ({test}) {{", *("    " + one for one in lines), "}"]
    if way < 75 and not nest.body:
        return [f"if (!({test})) continue;", *lines]
    if way < 85:
        return [f"if (!({test})) {{ ; }} else {{", *("    " + one for one in lines), "}"]
    if way < 93:
        return [f"switch (!!({test})) {{ case 0: break; default: {{", *("    " + one for one in lines), "} }"]
    return [f"if ({test}) {{", f"    if ({flag(nest)}) {{", *("        " + one for one in lines), "    }", "}"]


# ---- flags ----

def flags(nest):
    ctype = nest.pick("int", "_Bool", "char", "unsigned", "int", "_Bool")
    name, both = nest.new("ok"), nest.percent(50)
    kind = "flags"
    made = nest.pick(QUIET, QUIET, None)
    test = f"{operand(nest, kind, made)} {nest.pick('> 0', '>= 1', '!= 4', '< 40') if both else nest.pick('== 7', '> 8', '== 5')}"
    if nest.percent(25):
        test = f"{test} {nest.pick('&&', '||')} {operand(nest, kind, made)} > 2"
    nest.locals.append(f"{ctype} {name} = {int(both) if nest.percent(90) else int(not both)};")
    join = "&&" if both else "||"
    simple = f"{name} = {name} {join} ({test});"
    other = [f"if ({'' if both else '!'}{name}) {name} = {test};", f"{name} = {name} ? ({test}) : 0;" if both else f"{name} = {name} ? 1 : ({test});",
             f"if ({name} && !({test})) {name} = 0;" if both else f"if (!{name} && ({test})) {name} = 1;",
             f"if (!({name} {join} ({test}))) {name} = 0; else {name} = 1;"]
    nest.body.append(simple if nest.percent(75) else nest.pick(*other))
    result(nest, name)


# ---- choices ----

def best_of(nest, ctype, low, word):
    """The locals of a minimum or maximum, and what it is compared with."""
    start = {"<": 60, "<=": 60, ">": -60, ">=": -60}[word] if ctype not in ("unsigned", "unsigned char") else {"<": 60, "<=": 60, ">": 0, ">=": 0}[word]
    nest.locals.append(f"{ctype} {low} = {start};")


def choice(nest):
    kind, ctype = "choices", nest.pick("int", "double", "float", "unsigned", "short", "long")
    _, text = nest.array(ctype, stem="x", high=nest.pick(9, 50), fill=nest.pick("RANGE", "RANGE", "SIGNS"))
    best, at, word = nest.new("best"), nest.new("at"), nest.pick("<", "<", ">", "<=", ">=")
    best_of(nest, ctype, best, word)
    other = nest.pick("int", "int", "double", "long")
    nest.locals.append(f"{other} {at} = -1;")
    test, made = f"{text}[i] {word} {best}", nest.pick(QUIET, None)
    way = nest.chance.randrange(100)
    if way < 25:
        test = nest.pick(f"{test} && {operand(nest, kind, made)} > 2", f"{condition(nest, kind)} && {test}", f"{operand(nest, 'keys behind conditions')} > 0 && {test}")
    sets = [f"{best} = {text}[i];", f"{at} = {operand(nest, kind, made)};"]
    if nest.percent(40):
        more = nest.new("at")
        nest.locals.append(f"int {more} = 0;")
        sets.append(f"{more} = {nest.pick('i', operand(nest, kind, made))};")
        result(nest, more)
    nest.chance.shuffle(sets)
    if way > 85:
        nest.body += [f"{at} = {text}[i] {word} {best} ? {operand(nest, kind, made)} : {at};", f"{best} = {text}[i] {word} {best} ? {text}[i] : {best};"]
    else:
        nest.body += [f"if ({test}) {{", *("    " + one for one in sets), "}"]
    result(nest, best)
    result(nest, at)


def choice_pointer(nest):
    """The best is somewhere behind a pointer that is kept."""
    kind, to = "choices", things(nest)
    text = pointers(nest, kind, to, chance=20)
    who = nest.new("who")
    nest.locals.append(f"const {to.ctype} *{who} = 0;")
    test = nest.pick(f"{flag(nest)}", f"{text}[i] && {text}[i]->v > 4")
    nest.body.append(f"if ({test}) {who} = {text}[i];")
    result(nest, f"{who} ? {who}->v : -1")


def last(nest):
    """The last that some iterations set."""
    kind = "choices"
    found, value = nest.new("found"), nest.new("last")
    nest.locals += [f"int {found} = 0;", f"{nest.pick('int', 'double', 'long')} {value} = -1;"]
    nest.body += [f"if ({condition(nest, kind)}) {{ {found} = 1; {value} = {operand(nest, kind)}; }}"]
    result(nest, found)
    result(nest, value)


# ---- minima and maxima ----

def extreme(nest):
    kind, ctype = "minima", nest.pick("double", "double", "float", "int", "unsigned", "long", "char")
    name, word = nest.new("q"), nest.pick("<", "<=", ">", ">=")
    best_of(nest, ctype, name, word)
    if nest.percent(60):
        one, text = nest.array(ctype, stem="x", high=9, fill=nest.pick("SIGNS", "RANGE"))
        nest.hit(kind, one)
        value = f"{nest.pick('', '', '-') if ctype != 'unsigned' else ''}{text}[{index(nest)}]"
    else:
        value = operand(nest, kind)
    local = nest.new("v")
    line = nest.pick(f"if ({local} {word} {name}) {name} = {local};", f"{name} = {name} {word} {local} ? {name} : {local};",
                     f"{name} = {local} {word} {name} ? {local} : {name};", f"if ({name} {word} {local}) {{ ; }} else {name} = {local};")
    nest.body += conditioned(nest, kind, [f"{ctype} {local} = {value};", line])
    result(nest, name)


# ---- what some iterations store ----

def store(nest):
    kind, ctype = "conditions", nest.pick(*NUMBERS)
    name = output(nest, ctype)
    way = nest.chance.randrange(100)
    if way < 25:
        nest.body.append(f"{name}[i] = {condition(nest, kind)} ? {operand(nest, kind)} : {nest.pick('3', name + '[i]')};")
    elif way < 40:
        nest.body.append(f"{name}[i] = {condition(nest, kind)} {nest.pick('&&', '||')} {operand(nest, kind)} > 3;")
    else:
        nest.body += conditioned(nest, kind, [f"{name}[i] {nest.pick('=', '+=', '=', '=')} {operand(nest, kind)};"])


def divided(nest):
    """Divisions, remainders and shifts under conditions that may be about the divisor itself."""
    from .poison_operands import convert, division, divisor, shift
    kind, name = "divisions", output(nest)
    value = operand(nest, kind, [(division, 5), (divisor, 4), (shift, 1), (convert, 1)])
    if nest.percent(25):
        _, below = nest.array("int", stem="d", low=1, high=5, chance=50, poison="DIVISOR")
        one, above = nest.array("int", stem="x", high=60, poison="DIVIDEND")
        nest.hit(kind, one)
        nest.body.append(f"{name}[i] = {below}[i] {nest.pick('', '!= 0', '> 0')} ? {above}[i] {nest.pick('/', '%')} {below}[i] : 4;")
    else:
        nest.body += conditioned(nest, kind, [f"{name}[i] = {value};"])


def total(nest):
    kind, ctype = "conditions", nest.pick("int", "long", "unsigned", "long")
    name = nest.new("s")
    nest.locals.append(f"{ctype} {name} = 1;")
    nest.body += conditioned(nest, kind, [f"{name} {nest.pick('+=', '+=', '-=')} {operand(nest, kind)};" if nest.percent(60) else f"{name} {nest.pick('^=', '|=')} {operand(nest, kind)} > 4;"])
    result(nest, name, "long")


# ---- keys ----

def keyed_lines(nest, kind, own=True):
    """What is done to the row of a key; own: what an ordered loop needs the key for."""
    ctype = nest.pick("int", "unsigned", "double", "long")
    name, where = rows(nest, ctype), key(nest, kind)
    way = nest.chance.randrange(100) if not own else nest.chance.randrange(70)
    local, lines = where, []
    if nest.percent(35):
        local = nest.new("u")
        lines = [f"{nest.pick('int', 'long', 'const int')} {local} = {where};"]
    here = f"{name}[{local}]"
    if way < 40:
        return lines + [f"{here} = {moved(ctype, here)};"]
    if way < 50:
        return lines + [f"{here} = {nest.pick('i', '(i & 7)', '3')} + {here} / 2;"]
    if way < 60:
        return lines + [f"if ({here} < 200) {here} = {here} * 2 + (i & 3);"]
    if way < 70:
        return lines + [f"{here} = {operand(nest, kind)} + {moved(ctype, here)};"]
    if way < 80:
        return lines + [f"{here} += {nest.pick('i', '3', operand(nest, kind))};"] if ctype != "double" else lines + [f"if ({here} < i) {here} = i;"]
    if way < 90:
        return lines + [f"{output(nest)}[i] = {here};"]
    return lines + [f"if ({here} > i) {here} = i;"]


def keys_if(nest):
    kind = "keys behind conditions"
    nest.body += conditioned(nest, kind, keyed_lines(nest, kind, own=nest.percent(70)))


def keys_written(nest):
    """Keys behind a condition of what the loop writes, beside accesses of every iteration that are alike: in another row at the same
    place, in the record before or behind, or (those may be read ahead) another member of the same record."""
    kind, far = "keys behind conditions", nest.percent(50)
    _, state = nest.array(nest.pick("int", "long", "short"), const=False, stem="y", fill="FLAG", low=1, high=9)
    if far:
        data = nest.area("d", nest.pick("int", "short", "unsigned"), 4 * THINGS, [])
        data.cells = [Cell("v", data.ctype, high=ROWS - 1, poison="INDEX")]
        _, table = nest.array(f"{data.ctype} *", stem="t", fill="ANY", target=data, step=4, poison="WILD")
        nest.hit(kind, data)
        place = nest.pick(0, 1, 3)
        where, like = f"{table}[{index(nest)}][{place}]", f"{table}[0][{place}] + ({table}[{index(nest)}] != 0)"
    else:
        one = nest.struct("r", [Cell("a", "int"), Cell("u", "int", high=ROWS - 1, poison="INDEX"), Cell("b", "short")], COUNT)
        text = nest.reach(one)
        nest.hit(kind, one, "u")
        where, like = f"{text}[{nest.pick('i', 'i', 'i + 1', 'i + 2')}].u", f"{text}[{nest.pick('i', 'i + 1')}].{nest.pick('a', 'b')}"
    here = f"{rows(nest, 'long')}[{where}]"
    nest.body += [f"{output(nest, 'long')}[i] = {like};", f"{state}[i] = {state}[i] * {nest.pick(2, 3)};",
                  f"if ({state}[i] {nest.pick('> 0', '>= 4', '!= 0')}) {here} = {moved('long', here)};"]


def keys_sum(nest):
    kind = "keys behind conditions"
    name = rows(nest, nest.pick("int", "long", "unsigned"))
    nest.body += conditioned(nest, kind, [f"{name}[{key(nest, kind)}] += {nest.pick('1', 'i', operand(nest, kind))};"])


def keys_pair(nest):
    """Two keys, in any order: what is done to the rows of two arrays does not depend on it."""
    kind = nest.pick("keys behind conditions", "keys of empty loops")
    left, right = rows(nest, "unsigned long", 8), rows(nest, "unsigned long", 8)
    wide = nest.number([2, 8, 3, 1, 8, 2] if kind == "keys behind conditions" else [2, 0, 3, 0, 4, 0])
    u, v, w, x = key(nest, kind), key(nest, kind), nest.new("u"), nest.new("u")
    nest.clauses = " unordered"
    if kind == "keys of empty loops" and nest.percent(60):
        nest.body += pair_lines(nest, left, f"({u})", right, f"({v})", wide)
    else:
        nest.body += conditioned(nest, kind, [f"const int {w} = {u};", f"const int {x} = {v};", *pair_lines(nest, left, w, right, x, wide)])


def pair_lines(nest, left, u, right, v, wide):
    one, other = f"{left}[{u} * 8 + k]", f"{right}[{v} * 8 + k]"
    lines = [f"    {one} = {one} * {nest.pick(3, 5)}u;", f"    {other} = {other} * 7u;"]
    return [f"for (int k = 0; k < {wide}; k++) {{", *lines, "}"]


def rounds(nest, most=3):
    """The head of a loop inside that runs zero times in some iterations or runs."""
    way = nest.chance.randrange(100)
    if way < 55:
        zero = nest.number([0, most, 0, 2, 0, 1])
        return nest.pick(f"for (int j = 0; j < {zero}; j++)", f"for (int j = {zero}; j > 0; j--)", f"for (int j = {zero} - 1; j >= 0; j--)")
    if way < 85:
        _, text = nest.array(nest.pick("int", "short", "unsigned char"), stem="len", fill="FLAG", low=1, high=most)
        return f"for (int j = 0; j < {text}[i]; j++)"
    return f"for (int j = i; j < {nest.number([0, 3, 9, 1, 0, 2])}; j++)"


def keys_empty(nest):
    kind = "keys of empty loops"
    lines = keyed_lines(nest, kind, own=nest.percent(75))
    head = rounds(nest)
    if nest.percent(20):
        head = head + " " + rounds(nest).replace("int j", "int g").replace("j <", "g <").replace("j >", "g >").replace("j--", "g--").replace("j++", "g++")
    nest.body += [head + " {", *("    " + one for one in lines), "}"]


def empty(nest):
    """Operands of a loop inside that may run zero times."""
    kind, name = "empty loops", output(nest, nest.pick("int", "long", "unsigned", "double"))
    nest.body += [f"{name}[i] = {nest.pick('i', '2')};", f"{rounds(nest)} {name}[i] += {operand(nest, kind)};"]


# ---- records, guards, rows ----

def records(nest):
    """A structure per iteration, behind a pointer, of which all is used or nothing."""
    kind, far = "records behind pointers", things(nest)
    one = nest.struct("r", [Cell("a", "double", high=5), Cell("n", nest.pick("int", "short"), high=3, poison="INDEX"), Cell("k", "int", high=ROWS - 1, poison="INDEX"),
                            Cell("q", f"{far.ctype} *", "ANY", target=far, poison="WILD")], THINGS)
    empty = nest.pick(0, 0, 40)
    text = pointers(nest, kind, one, chance=empty)
    if nest.percent(40):
        local = nest.new("r")
        lines, use = [f"const {one.ctype} *{local} = {text}[i];"], local
    else:
        lines, use = [], f"{text}[i]"
    name, table = output(nest, "double"), rows(nest, "long")
    wanted = nest.pick(f"{name}[i] = {use}->a * {use}->n;", f"{table}[{use}->k] = ({table}[{use}->k] & 255) * 2 + {use}->n;", f"{name}[i] = {use}->q->v + {use}->a;",
                       f"for (int j = 0; j < {use}->n; j++) {name}[i] += {use}->a;", f"for (int j = 0; j < {use}->n; j++) {name}[i] += {use}->q->v;",
                       f"{table}[{use}->q->v] += {use}->n;")
    test = f"{text}[i]" if empty else condition(nest, kind)
    nest.body += [f"if ({test}) {{", *("    " + line for line in [*lines, wanted]), "}"]


def guards(nest):
    """What may overlap stands behind pointers that nobody follows."""
    kind, name = "guards behind pointers", output(nest, nest.pick("double", "long"))
    data = nest.area("d", nest.pick("double", "long"), COUNT, [])
    data.cells = [Cell("v", data.ctype, high=9)]
    inner = nest.struct("t", [Cell("w", f"{data.ctype} *", "STEP", target=data, poison="WILD"), Cell("n", "int", low=1, high=4)], 1)
    outer = [Cell("t", f"{inner.ctype} *", "STEP", target=inner, poison="WILD"), Cell("w", f"{data.ctype} *", "STEP", target=data, poison="WILD"), Cell("n", "int", low=0, high=3)]
    text = nest.holder(outer)
    nest.hit(kind, nest.areas[-1])
    way = nest.pick("w", "t->w")
    nest.body.append(f"{name}[i] = {nest.pick('i', '1')};")
    if nest.percent(45):
        nest.body.append(f"{rounds(nest)} {name}[i] += {text}->{way}[{nest.pick('j', 'i', 'j + i', '3')}];".replace("j + i", "i + 2"))
    elif nest.percent(30):
        nest.areas[-1].tested = nest.areas[-2].tested = 1
        nest.body.append(f"if ({text} && {text}->n > 1) {name}[i] += {text}->{way}[i];")
    elif nest.percent(40):
        nest.body.append(f"for (int j = 0; j < {nest.number([0, 2, 0, 1, 0, 3])}; j++) for (int g = 0; g < {text}->n; g++) {text}->{way}[i] = {name}[i] + j;")
    else:
        nest.body += conditioned(nest, kind, [f"{text}->{way}[i] = {name}[i] + {nest.pick('1', operand(nest, kind))};"])


def sparse(nest):
    """Sparse rows, many of them empty."""
    kind = "sparse rows"
    ctype = nest.pick("int", "long", "unsigned", "int")
    ends, ptr = nest.array(ctype, COUNT + 2, stem="ptr", fill="ROWS", low=0, high=180, poison="INDEX")
    columns, col = nest.array(nest.pick("int", "int", "unsigned", "short"), 192, stem="col", high=ROWS - 1, poison="INDEX")
    values, val = nest.array("double", 192, const=False, stem="val", high=9)
    for one in (ends, columns, values):
        nest.hit(kind, one)
    _, x = nest.array("double", ROWS, stem="x", high=9)
    name, table = output(nest, "double"), rows(nest, "long")
    use = nest.pick(f"{name}[i] += {val}[p] * {x}[{col}[p]];", f"{val}[p] = {val}[p] * .5 + {x}[{col}[p]];", f"{val}[p] = i;", f"{table}[{col}[p]] += i;",
                    f"{name}[i] += {x}[{col}[p]];")
    line = f"for ({ctype} p = {ptr}[i]; p < {ptr}[i + 1]; p++) {use}"
    nest.body += conditioned(nest, kind, [line]) if nest.percent(45) else [line]


def sentinel(nest):
    """Rows that end at a mark."""
    kind = "sparse rows"
    one = nest.struct("e", [Cell("id", "int", "ENDED", high=ROWS - 1, poison="INDEX"), Cell("v", "double", high=5)], COUNT + 8)
    _, x = nest.array("double", ROWS, stem="x", high=9)
    row = nest.array(f"{one.ctype} *", stem="row", fill="ANY", target=one, poison="WILD")
    row[0].cells[0].step = 5
    nest.hit(kind, row[0])
    nest.hit(kind, one)
    name = output(nest, "double")
    nest.body += conditioned(nest, kind, [f"for (const {one.ctype} *e = {row[1]}[i]; e->id >= 0; e++) {name}[i] += e->v * {x}[e->id];"])


def stretches(nest):
    """Rows that begin where one array says and are as long as another one says."""
    kind = "sparse rows"
    begin, starts = nest.array("int", stem="from", high=40, poison="INDEX")
    length, lengths = nest.array("int", stem="len", fill="FLAG", low=1, high=4)
    data, text = nest.array("double", 64, stem="d", high=9)
    for one in (begin, data):
        nest.hit(kind, one)
    nest.hit(kind, length)
    name = output(nest, "double")
    line = f"for (int j = 0; j < {lengths}[i]; j++) {name}[i] += {text}[{starts}[i] + j];"
    nest.body += conditioned(nest, kind, [line]) if nest.percent(40) else [line]


def wrapping(nest):
    from .poison_operands import key_wrapping
    kind, name = "wrapping keys", rows(nest, nest.pick("double", "long"))
    where = key_wrapping(nest, kind)
    lines = [f"{name}[{where}] = {moved('double', name + '[' + where + ']')};"] if nest.percent(70) else [f"{name}[{where}] = i;"]
    if nest.percent(50):
        nest.body += conditioned(nest, kind, lines)
    else:
        nest.body += [rounds(nest) + " {", *("    " + one for one in lines), "}"]


def links(nest):
    """Functions that follow links, under conditions."""
    from .poison_operands import walk, walk_numbers
    kind, name = "links", output(nest, nest.pick("double", "float", "double", "int", "unsigned"))
    value = operand(nest, kind, [(walk, 1), (walk_numbers, 1)])
    if nest.percent(70):
        nest.body += conditioned(nest, kind, [f"{name}[i] = {value};"])
    else:
        nest.body += [f"{name}[i] = 1;", f"{rounds(nest)} {name}[i] += {value};"]


def plain(nest):
    """Something beside it."""
    _, text = nest.array("int", stem="x", high=50)
    nest.body.append(f"{output(nest)}[i] = {text}[i] * 2 + {nest.pick('i', '1')};")


def relaxed(nest):
    """Sums into an array of which ranks fetch what they need ahead, by lists of keys."""
    kind, one = "served", nest.area("H", "long", ROWS, [Cell("v", "long", high=9)])
    name = nest.parameter(one, "long")
    nest.clauses = f" relax({name})" if not nest.clauses else nest.clauses
    line = f"{name}[{key(nest, kind)}] += {nest.pick('1', 'i', operand(nest, kind))};"
    nest.body += conditioned(nest, kind, [line]) if nest.percent(70) else [f"{rounds(nest)} {line}"]


def strides(nest):
    """Rows as far apart as a number says, which are told apart by it: in runs that touch none it is too small."""
    kind = "guards behind conditions"
    ctype, wide = nest.pick("int", "unsigned", "double", "long"), nest.pick(3, 4)
    name, where = rows(nest, ctype, 8), key(nest, kind, [(key_plain, 3), (key_record, 1)])
    touched = [nest.percent(50) for _ in range(6)]
    touched[nest.chance.randrange(6)] = False
    apart = nest.number([nest.pick(wide, wide + 1, 8) if one else nest.pick(0, 1, 2) for one in touched])
    wanted = nest.number([int(one) for one in touched])
    here = f"{name}[{where} * {apart} + j]"
    lines = [f"for (int j = 0; j < {wide}; j++)", f"    {here} = {moved(ctype, here)};"]
    test = nest.pick(wanted, f"{wanted} > 0", f"{wanted} != 0")
    nest.body += [f"if ({test}) {{", *("    " + one for one in lines), "}"]


KINDS = {"flags": (flags, 16), "choices": (choice, 12), "pointer choices": (choice_pointer, 2), "last": (last, 4), "minima": (extreme, 10), "store": (store, 8),
         "divisions": (divided, 7), "total": (total, 4), "keys": (keys_if, 9), "written keys": (keys_written, 6), "key sums": (keys_sum, 4), "key pairs": (keys_pair, 4), "empty keys": (keys_empty, 9),
         "empty loops": (empty, 6), "records": (records, 9), "guards": (guards, 7), "sparse": (sparse, 7), "sentinel": (sentinel, 3), "stretches": (stretches, 3),
         "wrapping": (wrapping, 6), "links": (links, 9), "relaxed": (relaxed, 4), "strides": (strides, 6)}
