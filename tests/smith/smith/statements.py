"""Statements of a nest's body. Each function writes one; the table at the foot has their names."""

from . import nested, wider
from .expr import name
from .nest import bounded


def written_view(nest):
    fits = [one for one in nest.views if one.written]
    return nest.pick(fits) if fits else None


def put_assign(nest):
    """No fold by accident (`a = a & e`): the recorder is not told of one."""
    view = written_view(nest)
    if view:
        kind, target = nest.value_type(view), nest.element(view)
        value = nest.value(kind)
        value = value if kind == "d" else f"({value}) * 3{'u' if kind == 'u' else ''} + 1"
        nest.put(f"{target} = {nest.stored(view, value)};")


def put_update(nest):
    """`element op= value`: a fold when nothing else touches the element."""
    view = written_view(nest)
    if not view or view.type in "dch":
        return put_assign(nest)
    target = nest.element(view)
    value = nest.value(nest.value_type(view), 1)
    op = nest.pick("+++-^|&") if view.type == "u" else nest.pick("^|")
    if view.type != "u":
        value = f"({value}) & 1023"
    sign = {"-": "+"}.get(op, op)
    nest.mark(f"smith_fold('{sign}', &({target}));")
    form = nest.below(8)
    if form == 0 and op not in "-":
        nest.put(f"{target} = {target} {op} ({value});")
    elif form == 1 and op == "+":
        nest.put(f"({target})++;" if nest.percent(50) else f"++{target};")
    else:
        nest.put(f"{target} {op}= {value};")
    nest.mark("smith_plain();")


def put_scalar_fold(nest):
    scalar = nest.scalar("u")
    op = nest.pick("+++-^|&*")
    nest.mark(f"smith_fold('{'+' if op == '-' else op}', &{scalar});")
    nest.put(f"{scalar} {op}= {nest.value('u', 1)};")
    nest.mark("smith_plain();")


def put_extreme(nest):
    least = nest.percent(50)
    scalar = nest.scalar("m" if least else "M")
    value = nest.fresh("t")
    nest.put(f"unsigned {value} = {nest.value('u', 1)};")
    nest.mark(f"smith_fold('{'m' if least else 'M'}', &{scalar});")
    sign = "<" if least else ">"
    if nest.percent(60):
        nest.put(f"if ({value} {sign} {scalar}) {scalar} = {value};")
    else:
        nest.put(f"{scalar} = {value} {sign} {scalar} ? {value} : {scalar};")
    nest.mark("smith_plain();")


def put_place(nest):
    """A minimum with its place: argmin, the first or the last."""
    best, where, value = nest.scalar("m"), nest.scalar("x"), nest.fresh("t")
    nest.put(f"unsigned {value} = {nest.value('u', 1)};")
    nest.mark(f"smith_fold('m', &{best});")
    nest.mark(f"smith_fold('a', &{where});")
    nest.open(f"if ({value} {nest.pick(['<', '<', '<='])} {best}) {{")
    nest.put(f"{best} = {value};")
    nest.put(f"{where} = (unsigned){nest.outer.text};")
    nest.close()
    nest.mark("smith_plain();")


def put_temp(nest):
    kind = nest.pick(["u", "u", "i", "d"]) if nest.floating else nest.pick(["u", "u", "i"])
    text = nest.fresh("t")
    words = {"u": "unsigned", "i": "int", "d": "double"}
    nest.put(f"{words[kind]} {text} = {nest.value(kind)};")
    nest.temps.append((text, kind))


def put_outer_temp(nest):
    """A variable declared outside of the loop, mostly set before it is read."""
    text = nest.scalar("t")
    if nest.percent(85):
        nest.put(f"{text} = {nest.value('u')};")
        nest.put_block(1)
        nest.temps.append((text, "u"))
    elif nest.percent(50):
        nest.open(f"if ({nest.condition()}) {{")
        nest.put(f"{text} = {nest.value('u')};")
        nest.close()
    else:
        nest.put(f"{text} = {text} * 3u + {nest.value('u', 1)};")


def put_if(nest):
    kept = list(nest.temps)
    nest.open(f"if ({nest.condition()}) {{")
    nest.put_block(1 + nest.below(2))
    nest.temps = list(kept)
    if nest.percent(30):
        nest.indent -= 1
        nest.put("} else {")
        nest.indent += 1
        nest.put_block(1)
        nest.temps = kept
    nest.close()


def put_switch(nest):
    kept = list(nest.temps)
    nest.open(f"switch (v[{nest.outer.text}] % 3) {{")
    for case in ("case 0:", "case 1:", "default:"):
        nest.put(case + " {")
        nest.indent += 1
        nest.put_block(1)
        nest.temps = list(kept)
        nest.close()
        if case == "default:" or nest.percent(80):
            nest.put("    break;")
    nest.close()


def put_continue(nest):
    if not nest.inner and nest.may_leave:
        nest.put(f"if ({nest.condition()}) continue;")


def put_jump(nest):
    """A jump ahead, over statements, out of a condition, or out of a loop; the label stands in the same body."""
    if nest.inner or not nest.may_leave:
        return put_if(nest)
    past = nest.fresh("past")
    jump = f"if ({nest.condition()}) goto {past};"
    way = nest.below(4)
    if way < 2:
        nest.put(jump)
        put_block_of(nest, 1 + nest.below(2))
    elif way == 2:
        kept = list(nest.temps)
        nest.open(f"if ({nest.condition()}) {{")
        nest.put_block(1)
        nest.put(f"goto {past};")
        nest.close()
        nest.temps = kept
        put_block_of(nest, 1)
    else:
        j = nest.fresh("j")
        nest.open(f"for (int {j} = 0; {j} < K; ++{j}) {{")
        nest.put(f"if (uN[{nest.outer.text}][{j}] % 5 == 0) goto {past};")
        nested.inside(nest, [bounded(j, 0, 4)], 1)
        nest.close()
        put_block_of(nest, 1)
    nest.put(f"{past}: ;")


def put_call(nest):
    view = nest.view_of("u")
    written = [one for one in nest.views if one.written and one.type == "u"]
    if not view or not written:
        return put_assign(nest)
    target = nest.element(nest.pick(written))
    function = nest.pick(["bump", "add_to", "add_to"])
    if function == "add_to":
        nest.mark(f"smith_fold('+', &({target}));")
    nest.put(f"{function}(&{target}, {nest.value('u', 1)});")
    nest.mark("smith_plain();")


def put_row_call(nest):
    """Helpers that work on a row of a flat array or of a table."""
    i = nest.outer.text
    row = nest.pick([f"uA + {i} * K", f"uB + ({i} + 1) * K", f"uM[{i}]", f"tab[{i}]", f"&uC[{i} * 4]",
                     f"at_row(uD, {i}, K)", f"uA + k0[{i}] * K", f"uB + r[{i}].item * K"])
    other = nest.pick([f"uN[{i}]", f"tab2[{i}]", f"uB + {i} * K", f"uC + k1[{i}] * K", f"uA + {i} * K"])
    call = nest.pick(["copy_row({0}, {1}, K);", "scale({0}, K, 3u);", "scale({0}, K, dot({1}, {1}, K));",
                      "{{ unsigned q_ = dot({0}, {1}, K); ({0})[1] = q_; }}", "memset({0}, 0, sizeof(unsigned) * (size_t)K);",
                      "memcpy({0}, {1}, sizeof(unsigned) * 3);", "memmove({0}, {1}, 4 * sizeof(unsigned));"])
    if call.startswith("memcpy") and row.split(" ")[0].strip("&")[:2] == other.split(" ")[0][:2]:
        call = "memmove" + call[6:]
    nest.put(call.format(row, other))


def put_struct(nest):
    """Structures as a whole."""
    i = nest.outer.text
    nest.put(nest.pick([
        f"R[{i}] = Q[{i}];", f"pairs[{i}] = twice(pairs[{i}]);", f"R[{i}].in = pairs[{i}];",
        f"set_pair(&pairs[{i}], v[{i}]);", f"set_pair(&R[{i}].in, total(pairs[{i}]));",
        f"{{ struct row s_ = Q[{i}]; s_.x += 3u; s_.z[1] = s_.x; R[{i}] = s_; }}",
        f"{{ struct pair s_; s_.x = v[{i}]; s_.y = s_.x * 3u; pairs[{i}] = s_; }}",
        f"*element(R, {i}) = v[{i}] + 1u;", f"pairs[k0[{i}]].x += v[{i}];", f"words[{i}].byte[1] = 3;",
        f"words[{i}].whole = words[{i}].whole * 3u + 1u;", f"R[k1[{i}]].z[2] ^= v[{i}];",
        f"{{ struct row *s_ = &R[{i}]; s_->x = s_->in.x + s_->z[3]; s_->z[0] = s_->x; }}",
        f"pairs[{i}] = (struct pair){{v[{i}], 3u}};", f"pairs[{i} + 1] = pairs[{i}];",
        f"{{ const struct rating *s_ = &r[{i}]; R[s_->user].x += s_->value; }}",
    ]))


def put_block_of(nest, count):
    kept = list(nest.temps)
    nest.open("{")
    nest.put_block(count)
    nest.close()
    nest.temps = kept


STATEMENTS = {
    "assign": put_assign, "update": put_update, "fold": put_scalar_fold, "extreme": put_extreme,
    "place": put_place, "temp": put_temp, "outer_temp": put_outer_temp, "if": put_if, "switch": put_switch,
    "continue": put_continue, "jump": put_jump, "call": put_call, "row_call": put_row_call, "struct": put_struct,
    "loop": nested.put_loop, "triangle": nested.put_triangle, "tile": nested.put_tile, "csr": nested.put_csr, "while": nested.put_while,
    "scratch": nested.put_scratch, "walk": nested.put_walk, "counter": nested.put_counter,
    "row_pointer": nested.put_row_pointer, "search": nested.put_search, "factor": nested.put_factor,
    "key_rows": nested.put_key_rows,
    **wider.STATEMENTS,
}


def put_statement(nest):
    weights = nest.features["statements"]
    if nest.depth >= 3:
        weights = {"assign": 3, "update": 2, "fold": 1, "temp": 1}
    nest.depth += 1
    STATEMENTS[nest.weighted(weights)](nest)
    nest.depth -= 1


__all__ = ["put_statement", "bounded", "name"]
