"""Statements with loops of their own: inner loops, CSR rows, scratch arrays, walking pointers."""

from . import views
from .expr import name, number
from .nest import bounded


def inside(nest, variables, count, csr=()):
    """`count` statements with `variables` (and index variables `csr`) in scope."""
    kept = list(nest.temps)
    nest.inner += variables
    nest.csr += csr
    nest.indent += 1
    nest.put_block(count)
    nest.indent -= 1
    for _ in variables:
        nest.inner.pop()
    for _ in csr:
        nest.csr.pop()
    nest.temps = kept


def counted_name(nest):
    """Mostly a name of its own, else that of a variable of the file, which the loop hides."""
    if nest.percent(12) and all(one.text != "hidden" for one in nest.inner):
        return "hidden"
    return nest.fresh("j")


def put_loop(nest):
    j = counted_name(nest)
    bound = nest.pick([nest.K, nest.K, nest.m, number(4), number(5)])
    kind = nest.below(10)
    variable = bounded(j, 0, bound.high - 1)
    if kind < 6:
        nest.put(f"for (int {j} = 0; {j} < {bound.text}; ++{j}) {{")
    elif kind == 6:
        nest.put(f"for (int {j} = {bound.text} - 1; {j} >= 0; --{j}) {{")
    elif kind == 7:
        nest.put(f"for (long {j} = 0; {j} < {bound.text}; {j} += 2) {{")
    elif kind == 8:
        variable = bounded(j, 1, bound.high - 1)
        nest.put(f"for (int {j} = 1; {j} <= {bound.text} - 1; {j}++) {{")
    else:
        nest.put(f"for (unsigned {j} = 0; {j} < (unsigned){bound.text}; {j}++) {{")
    inside(nest, [variable], 1 + nest.below(2))
    nest.put("}")


def put_triangle(nest):
    if nest.outer.text != "i":
        return put_loop(nest)
    j = counted_name(nest)
    head, low, high = nest.pick([("0; {0} < i", 0, 23), ("0; {0} <= i", 0, 24), ("i + 1; {0} < n", 0, 23),
                                 ("i; {0} < n", 0, 23)])
    variable = bounded(j, low, high, triangular=head.startswith("0"))
    kind = "int" if nest.outer_type in ("int", "short", "unsigned char", "unsigned short") else nest.outer_type
    nest.put(f"for ({kind} {j} = {head.format(j)}; ++{j}) {{")
    inside(nest, [variable], 1 + nest.below(2))
    nest.put("}")


def put_tile(nest):
    """The elements of the iteration's tile, of which the last is cut off."""
    if nest.outer.low < 0:
        return put_loop(nest)
    j, i = nest.fresh("j"), nest.outer.text
    end = nest.pick(["({0} * 4 + 4 < 40 ? {0} * 4 + 4 : 40)", "({0} * 4 + 4 > 40 ? 40 : {0} * 4 + 4)", "{0} * 4 + 4 && {1} < 40"])
    nest.put(f"for (int {j} = {i} * 4; {j} < (int){end.format(i, j)}; ++{j}) {{" if "&&" not in end else
             f"for (int {j} = {i} * 4; {j} < (int){i} * 4 + 4 && {j} < 40; ++{j}) {{")
    inside(nest, [bounded(j, 0, 39)], 1 + nest.below(2))
    nest.put("}")


def put_csr(nest):
    p, i = nest.fresh("p"), nest.outer.text
    head = nest.pick([f"int {p} = ptr[{i}]; {p} < ptr[{i} + 1]", f"int {p} = ptr[{i}]; {p} < ptr[{i} + 1]",
                      f"int {p} = ptr[{i}], end_ = ptr[{i} + 1]; {p} < end_"])
    nest.put(f"for ({head}; ++{p}) {{")
    inside(nest, [bounded(p, 0, 127)], 1 + nest.below(2), [bounded(p, 0, 127)])
    nest.put("}")


def put_while(nest):
    j = nest.fresh("j")
    nest.put(f"int {j} = 0;")
    variable = bounded(j, 0, 3)
    if nest.percent(70):
        nest.put(f"while ({j} < K) {{")
        inside(nest, [variable], 1)
        nest.put(f"    {j}++;")
        nest.put("}")
    else:
        nest.put("do {")
        inside(nest, [variable], 1)
        nest.put(f"}} while (++{j} < K);")


def put_search(nest):
    """A loop that breaks."""
    j = nest.fresh("j")
    nest.put(f"int {j};")
    nest.put(f"for ({j} = 0; {j} < m; ++{j})")
    nest.put(f"    if (uN[{nest.outer.text}][{j}] % 5 == 0) break;")
    nest.inner.append(bounded(j, 0, 10))
    nest.put_block(1)
    nest.inner.pop()


def put_scratch(nest):
    """An array that every iteration fills before it uses it, mostly."""
    j, q = nest.fresh("j"), nest.fresh("q")
    outside = nest.percent(50)
    scratch = nest.scratch() if outside else nest.fresh("s")
    if not outside:
        nest.put(f"unsigned {scratch}[16];")
    width = nest.pick(["K", "m", "4"])
    way = nest.below(12)
    if way < 6:
        nest.put(f"for (int {j} = 0; {j} < {width}; ++{j}) {scratch}[{j}] = {nest.value('u', 1)};")
    elif way == 6:
        nest.put(f"memset({scratch}, 0, {'16 * ' if nest.percent(50) else '10 * '}sizeof(unsigned));")
    elif way == 7 and outside:
        nest.put(f"for (int {j} = 1; {j} < {width}; ++{j}) {scratch}[{j}] = {nest.value('u', 1)};")
    elif way == 8 and outside:
        nest.open(f"if ({nest.condition()})")
        nest.put(f"for (int {j} = 0; {j} < {width}; ++{j}) {scratch}[{j}] = {nest.value('u', 1)};")
        nest.indent -= 1
    elif way == 9:
        nest.put(f"for (int {j} = {width} - 1; {j} >= 0; {j}--) {{ {scratch}[{j}] = {nest.value('u', 1)}; }}")
    else:
        nest.put(f"for (int {j} = 0; {j} < {width}; ++{j}) {scratch}[{j}] = 0;")
        nest.put(f"for (int {j} = 0; {j} < K; ++{j}) {scratch}[{j}] += {nest.value('u', 1)};")
    used = width if way not in (7,) or nest.percent(60) else "K"
    sum_name = nest.fresh("t")
    nest.put(f"unsigned {sum_name} = 0;")
    nest.put(f"for (int {q} = {'1' if way == 7 and nest.percent(50) else '0'}; {q} < {used}; ++{q}) "
             f"{sum_name} += {scratch}[{q}];")
    nest.temps.append((sum_name, "u"))
    nest.put_block(1, force="assign")


def put_walk(nest):
    """A pointer that moves: started anew in every iteration, or running through all of them."""
    i, base = nest.outer.text, nest.pick(["uA", "uB", "uC"])
    j = nest.fresh("j")
    if nest.percent(60) or nest.inner:
        p = nest.fresh("w")
        start = nest.pick([f"{base} + {i} * K", f"&{base}[{i} * 4]", f"{base} + k0[{i}] * K", f"uM[{i}]", f"tab[{i}]"])
        nest.put(f"unsigned *{p} = {start};")
        step = nest.pick([f"*{p}++ = {nest.value('u', 1)};", f"*{p} = *{p} * 3u + 1u; {p} += 1;",
                          f"*{p}++ += {nest.value('u', 0)};"])
        flat = base in start
        by_header = nest.percent(20)
        if by_header:
            step = f"*{p} = {nest.value('u', 1)};"
        nest.open(f"for (int {j} = 0; {j} < K; ++{j}{f', {p}++' if by_header else ''}) {{")
        if flat and nest.percent(25):
            leave = nest.pick([f"{{ {p}++; continue; }}", "continue;", f"{{ {p}++; break; }}"])
            nest.put(f"if ({nest.condition()}) {leave}")
        if step.startswith(f"*{p}++ +="):
            nest.mark(f"smith_fold('+', {p});")
        nest.put(step)
        nest.mark("smith_plain();")
        nest.close()
        return
    p = nest.walker(base)
    way = nest.below(5)
    if way == 0:
        nest.put(f"*{p}++ = {nest.value('u', 1)};")
    elif way == 1:
        nest.put(f"{p}[0] = {nest.value('u', 1)}; {p}[1] = v[{i}]; {p} += 2;")
    elif way == 2:
        nest.put(f"for (int {j} = 0; {j} < K; ++{j}) *{p}++ = {nest.value('u', 1)};")
    elif way == 3:
        nest.put(f"{p}[0] += {p}[1]; {p} += {nest.pick(['1', '2'])};")
    else:
        nest.put(f"*{p} = {nest.value('u', 1)}; {p} += {nest.pick(['K', '3', '1'])};")


def put_counter(nest):
    """An index that counts along with the loop, always or sometimes."""
    if nest.inner or not nest.may_leave:
        return
    c = nest.counter()
    target = nest.pick(["uB", "uC", "iC"])
    value = nest.value("u", 1) if target[0] == "u" else f"{nest.value('i', 1)} & 1023"
    way = nest.below(10)
    if way < 3:
        nest.put(f"if ({nest.condition()}) {target}[{c}++] = {value};")
    elif way == 3:
        nest.put(f"{target}[++{c}] = {value};")
    elif way == 4:
        nest.put(f"{c} += {nest.pick(['1', '2'])};")
        nest.put(f"{target}[{c}] = {value};")
    else:
        nest.put(f"{target}[{c}] = {value};")
        nest.put(f"{c} += {nest.pick(['1', '1', '2'])};")


def put_row_pointer(nest):
    """Rows by key or by the loop's variable, and an update of them as factorizations have it."""
    w = nest.fresh("w")
    key = nest.key(nest.below(2))
    base = nest.pick(["uA", "uB", "uC"])
    nest.put(f"unsigned *{w} = {base} + {nest.pick([key.text, key.text, nest.outer.text])} * K;")
    j = nest.fresh("j")
    op = nest.pick(["+", "^", ""])
    nest.open(f"for (int {j} = 0; {j} < K; ++{j}) {{")
    if op:
        nest.mark(f"smith_fold('{op}', &{w}[{j}]);")
    nest.put(f"{w}[{j}] {op}= {nest.value('u', 1)};")
    nest.mark("smith_plain();")
    nest.close()


def put_key_rows(nest):
    """Elements of a row whose beginning is a sum of what is looked up."""
    j, base = counted_name(nest), nest.pick(["uA", "uB", "uC"])
    nest.open(f"for (int {j} = {nest.pick(['0', '0', '1'])}; {j} < K; {j} += {nest.pick(['1', '1', '2'])}) {{")
    place = views.key_sum(nest, bounded(j, 0, 3)).text
    if nest.percent(40):
        nest.mark(f"smith_fold('+', &{base}[{place}]);")
        nest.put(f"{base}[{place}] += {nest.value('u', 1)};")
        nest.mark("smith_plain();")
    else:
        nest.put(f"{base}[{place}] = {base}[{place}] * 3u + {nest.value('u', 1)};")
    nest.close()


def put_factor(nest):
    """The update of a matrix factorization."""
    tables = nest.pick([("uA", "uB"), ("uA", "uC"), ("uM", "uN"), ("tab", "tab2"), ("m->W", "m->H")])
    w, h, e, j = nest.fresh("w"), nest.fresh("h"), nest.fresh("e"), nest.fresh("j")
    first, second = nest.key(0), nest.key(1)
    if tables[0] == "m->W":
        nest.need_model()
        tables = ("model_->W", "model_->H")
    for local, table, key in ((w, tables[0], first), (h, tables[1], second)):
        row = f"{table}[{key.text}]" if table in ("uM", "uN", "tab", "tab2") else f"{table} + {key.text} * K"
        nest.put(f"unsigned *{local} = {row};")
    nest.put(f"unsigned {e} = v[{nest.outer.text}];")
    nest.put(f"for (int {j} = 0; {j} < K; ++{j}) {e} -= {w}[{j}] * {h}[{j}];")
    nest.open(f"for (int {j} = 0; {j} < K; ++{j}) {{")
    nest.put(f"unsigned old_ = {w}[{j}];")
    nest.put(f"{w}[{j}] += {e} * {h}[{j}];")
    nest.put(f"{h}[{j}] += {e} * old_;")
    nest.close()


__all__ = ["name"]
