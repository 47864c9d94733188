"""Statements as programs of other people have them: ranges from data, helpers that are handed arrays, pointers
in lockstep, chosen places, narrow counters, minima of elements, scratch of two dimensions."""

from .expr import number
from .nest import bounded
from .nested import inside


def put_ragged(nest):
    """An inner loop whose range comes from data."""
    j, i = nest.fresh("j"), nest.outer.text
    head, low, high = nest.pick([
        (f"0; {j} < (int)(v[{i}] & 7); ++{j}", 0, 6), (f"k0[{i}]; {j} < k0[{i}] + K; ++{j}", 0, 16),
        (f"r[{i}].item; {j} < 12; {j} += 2", 0, 11), (f"k2[{i}]; {j} > 0; --{j}", 1, 9),
        (f"perm[{i}] % 8, e_{j} = {j} + 4; {j} < e_{j}; ++{j}", 0, 11), (f"0; {j} < k1[{i}] && {j} < K; ++{j}", 0, 5),
        (f"k1[{i}] * 4; {j} < k1[{i}] * 4 + 4; ++{j}", 0, 47), (f"0; {j} < (v[{i}] % 2 ? K : 2); ++{j}", 0, 5),
    ])
    nest.put(f"for (int {j} = {head}) {{")
    inside(nest, [bounded(j, low, high)], 1 + nest.below(2))
    nest.put("}")


def put_leave(nest):
    """An inner loop that is left or cut short, or that is a `while` or endless in its text."""
    j, bound = nest.fresh("j"), nest.pick([nest.K, nest.m, number(4)])
    variable = [bounded(j, 0, bound.high - 1)]
    way = nest.below(6)
    if way < 2:
        nest.put(f"for (int {j} = 0; {j} < {bound.text}; ++{j}) {{")
        nest.inner += variable
        nest.put(f"    if ({nest.condition()}) {nest.pick(['continue', 'continue', 'break'])};")
        nest.inner.pop()
        inside(nest, variable, 1)
        nest.put("}")
    elif way == 2:
        nest.put(f"int {j} = {bound.text};")
        nest.put(f"while ({j}-- > 0) {{")
        inside(nest, variable, 1)
        nest.put("}")
    elif way == 3:
        nest.put(f"int {j} = {bound.text} - 1;")
        nest.put(f"while ({j} >= 0) {{")
        inside(nest, variable, 1)
        nest.put(f"    {j} -= 1;")
        nest.put("}")
    elif way == 4:
        nest.put(f"for (int {j} = 0;; ++{j}) {{")
        nest.put(f"    if ({j} >= {bound.text}) break;")
        inside(nest, variable, 1)
        nest.put("}")
    else:
        nest.put("do {")
        nest.put(f"    if ({nest.condition()}) break;")
        inside(nest, [], 1)
        nest.put("} while (0);")


def put_found(nest):
    """A place that a loop finds and keeps, mostly through a pointer, on one of its ways out or on."""
    x, j = nest.fresh("x"), nest.fresh("j")
    bound = nest.pick([nest.K, nest.m, number(4)])
    nest.put(f"int {x} = {nest.below(2)};")
    value = nest.pick([f"(int)(v[{nest.outer.text}] & 3)", "1", f"{j} & 3"])
    keep = nest.pick([f"{x} = {value};", f"place(&{x}, {value});", f"place(&{x}, {value});", f"int *at_ = &{x}; *at_ = {value};"])
    way = nest.pick(["break", "break", "continue", "goto", "" if nest.inner else "goto"])
    past = nest.fresh("past")
    way = f"goto {past};" if way == "goto" else way and way + ";"
    nest.open(f"for (int {j} = 0; {j} < {bound.text}; ++{j}) {{")
    nest.inner.append(bounded(j, 0, bound.high - 1))
    nest.put(f"if ({nest.condition()}) {{ {keep} {way} }}")
    nest.inner.pop()
    if nest.percent(40):
        inside(nest, [], 1)
    nest.close()
    if "goto" in way:
        if nest.percent(50):
            nest.put(f"place(&{x}, 2);")
        nest.put(f"{past}: ;")
    inside(nest, [bounded(x, 0, 3)], 1)


def put_element_extreme(nest):
    """A minimum or maximum kept in an element."""
    fits = [one for one in nest.views if one.written and one.type == "u"]
    if not fits:
        return nest.put_block(1, force="assign")
    target, value, least = nest.element(nest.pick(fits)), nest.fresh("t"), nest.percent(50)
    nest.put(f"unsigned {value} = {nest.value('u', 1)};")
    nest.mark(f"smith_fold('{'m' if least else 'M'}', &({target}));")
    sign = "<" if least else ">"
    if nest.percent(60):
        nest.put(f"if ({value} {sign} {target}) {target} = {value};")
    else:
        nest.put(f"{target} = {target} {sign} {value} ? {target} : {value};")
    nest.mark("smith_plain();")


def put_scratch_grid(nest):
    """Scratch of two dimensions: filled as a whole, or a part of it."""
    a, b, grid = nest.fresh("j"), nest.fresh("q"), "grid_"
    if nest.percent(50):
        nest.scratch_grid()
    else:
        grid = nest.fresh("g")
        nest.put(f"unsigned {grid}[4][4] = {{{{0}}}};")
    value = nest.value("u", 1)
    nest.put(nest.pick([
        f"for (int {a} = 0; {a} < 4; ++{a}) for (int {b} = 0; {b} < 4; ++{b}) {grid}[{a}][{b}] = {value};",
        f"for (int {a} = 0; {a} < 4; ++{a}) for (int {b} = 0; {b} < 4; ++{b}) {grid}[{a}][{b}] = {value};",
        f"for (int {a} = 0; {a} < 4; ++{a}) for (int {b} = {a}; {b} < 4; ++{b}) {grid}[{a}][{b}] = {grid}[{b}][{a}] = {value};",
        f"for (int {a} = 0; {a} < 4; ++{a}) for (int {b} = 0; {b} <= {a}; ++{b}) {grid}[{a}][{b}] = {value};",
        f"memset({grid}, 0, sizeof(unsigned) * 16); {grid}[k0[{nest.outer.text}] % 4][1] = {value};",
        f"for (int {a} = 0; {a} < 4; ++{a}) copy_row({grid}[{a}], uN[{nest.outer.text}], 4);",
        f"for (int {b} = 0; {b} < 16; ++{b}) (&{grid}[0][0])[{b}] = {value};" if nest.percent(30) else
        f"for (int {b} = 0; {b} < 16; ++{b}) {grid}[{b} / 4][{b} % 4] = {value};",
    ]))
    total = nest.fresh("t")
    nest.put(f"unsigned {total} = 0;")
    nest.put(nest.pick([
        f"for (int {a} = 0; {a} < 4; ++{a}) for (int {b} = 0; {b} < 4; ++{b}) {total} += {grid}[{a}][{b}];",
        f"for (int {a} = 0; {a} < 4; ++{a}) {total} += dot({grid}[{a}], {grid}[3 - {a}], 4);",
        f"for (int {a} = 0; {a} < 4; ++{a}) {total} = {total} * 3u + {grid}[{a}][{a}];",
        f"{total} = {grid}[k0[{nest.outer.text}] % 4][1] + {grid}[2][3];",
    ]))
    nest.temps.append((total, "u"))
    nest.put_block(1, force="assign")


def index(nest, size=1900):
    habit, nest.habit_key = nest.random_habit()
    return habit(nest).inside(size).checked(size)


def put_helper(nest):
    """What is touched stands in a helper, the place of it here."""
    i, base, other = nest.outer.text, nest.pick(["uA", "uB", "uC"]), nest.pick(["uA", "uB", "uD"])
    way = nest.below(9)
    if way < 3:
        nest.put(f"put_at({base}, {index(nest).text}, {nest.value('u', 1)});")
    elif way == 3:
        text = nest.fresh("t")
        nest.put(f"unsigned {text} = get_at({other}, {index(nest).text});")
        nest.temps.append((text, "u"))
        nest.put_block(1, force="assign")
    elif way == 4:
        nest.put(f"put_twice({base}, {index(nest, 1800).text}, {nest.value('u', 1)});")
    elif way == 5:
        key = nest.pick(["k0", "k1", "perm"])
        nest.mark(f"smith_fold('+', &{base}[{key}[{i}]]);")
        nest.put(f"scatter({base}, {key}, {i}, {nest.value('u', 1)});")
        nest.mark("smith_plain();")
    elif way == 6:
        nest.put(f"put_cell(uM, {index(nest, 60).text}, {nest.inner_below(nest.K).text}, {nest.value('u', 1)});")
    elif way == 7:
        nest.put(f"exchange(&{base}[{index(nest).text}], &{other}[{index(nest).text}]);")
    else:
        nest.put(f"set_in(R, {index(nest, 128).text}, pairs[{i}]);")


def put_lockstep(nest):
    """Pointers that move through rows: two together, downward, up to an end."""
    i, base, j = nest.outer.text, nest.pick(["uA", "uB", "uC"]), nest.fresh("j")
    p, q = nest.fresh("w"), nest.fresh("w")
    row = nest.pick([f"{base} + {i} * K", f"{base} + {i} * 4", f"uM[{i}]", f"tab[{i}]", f"{base} + k0[{i}] * K"])
    from_ = nest.pick([f"uN[{i}]", f"uD + {i} * K", f"tab2[{i}]", f"uD + k1[{i}]", row])
    value = nest.value("u", 1)
    nest.put("{")
    nest.indent += 1
    nest.put(nest.pick([
        f"unsigned *{p} = {row}; const unsigned *{q} = {from_}; for (int {j} = 0; {j} < K; ++{j}) *{p}++ = *{q}++ * 3u + 1u;",
        f"unsigned *{p} = {row}; const unsigned *{q} = {from_}; for (int {j} = 0; {j} < K; ++{j}, ++{p}, ++{q}) *{p} = *{q} * 3u + {value};",
        f"unsigned *{p} = {row}; {p} += K; for (int {j} = 0; {j} < K; ++{j}) *--{p} = {value};",
        f"for (unsigned *{p} = {row}, *{q} = {p} + K; {p} < {q}; ++{p}) *{p} = {value};",
        f"unsigned *{p} = {row}, *{q} = {p} + 4; while ({p} != {q}) *{p}++ = {value};",
        f"unsigned *{p} = {row} + K - 1; for (int {j} = K; {j} > 0; --{j}) {p}[1 - {j}] = {value};",
        f"unsigned *{p} = {row}; {p}[0] = {value}; {p} += 1; {p}[0] = {p}[-1] * 3u; {p}[1] = 7u;",
    ]))
    nest.close()


def put_pointed(nest):
    """Structures reached through pointers, and copies of records."""
    i = nest.outer.text
    place = nest.pick([i, i, f"k0[{i}]", f"perm[{i}] % 64", f"{i} + 1"])
    value = nest.value("u", 1)
    nest.need_model()
    nest.put(nest.pick([
        f"{{ struct pair *p_ = &R[{place}].in; p_->x = {value}; p_->y = p_->x ^ 5u; }}",
        f"{{ struct row *p_ = R + {place}; p_->z[{nest.below(4)}] = {value}; }}",
        f"{{ struct rating one_ = r[{i}]; pairs[one_.user].x = one_.value * 3u + {value}; }}",
        f"{{ struct pair *p_ = &pairs[{i} * 2]; p_[1].x = p_[0].y * 3u + 1u; p_[0].x = {value}; }}",
        f"model_->pairs[{place}].y = {value};", f"model_->bias[{i} & 31] = {value};",
        f"{{ struct model *p_ = &model; p_->W[{i} * p_->k + 1] = {value}; }}",
        f"{{ union word *p_ = words + {place}; p_->whole = {value}; p_->byte[2] = 1; }}",
        f"{{ struct row *p_ = &R[{i}], *q_ = &Q[{place}]; p_->in = q_->in; q_->y = p_->y & 7; }}",
        f"{{ unsigned **p_ = tab + {i}; (*p_)[2] = {value}; }}",
    ]))


def put_chosen_place(nest):
    """A condition chooses what is written."""
    i, value, condition = nest.outer.text, nest.value("u", 1), nest.condition()
    nest.put(nest.pick([
        f"({condition} ? uA : uB)[{index(nest).text}] = {value};",
        f"*({condition} ? &uA[{i}] : &uC[{i}]) = {value};",
        f"uB[{condition} ? {i} + 30 : {i}] = {value};",
        f"{{ unsigned *p_ = {condition} ? uM[{i}] : uN[{i}]; p_[1] = {value}; p_[0] = p_[1] ^ 3u; }}",
        f"{{ unsigned *p_ = uA + {i}; if ({condition}) p_ = uC + {i}; *p_ = {value}; }}",
        f"{{ int q_ = k0[{i}]; if ({condition}) q_ = k1[{i}]; uC[q_] = {value}; }}",
        f"{{ int q_ = 3; if ({condition}) q_ = (int){i}; else q_ = (int){i} + 64; uA[q_] = {value}; }}",
    ]))


def put_narrow_counter(nest):
    """A narrow index that moves along with the loop, and may wrap around."""
    if nest.inner or not nest.may_leave:
        return
    kind, start = nest.pick([("unsigned char", "0"), ("unsigned char", "200"), ("unsigned short", "0"), ("unsigned", "40"),
                             ("unsigned short", "65530")])
    c = nest.scalar_of(kind, start)
    by = nest.pick(["1", "3", "11", "64"])
    array = nest.pick(["uA", "uB"])
    nest.put(f"{array}[{c} % 2048u] = {nest.value('u', 1)};" if nest.percent(70) else f"{array}[{c} & 255] = {nest.value('u', 1)};")
    nest.put(f"{c} {nest.pick(['+=', '+=', '-='])} {by};")


def put_assertion(nest):
    """An assertion that holds, alone, of what was read, or as an operand."""
    o, value = nest.outer.text, nest.value("u", 1)
    true = nest.pick([f"n >= 0 || {o} < 0", f"({value}) % 7u < 7u", f"v[{o}] % 3 < 3", f"{o} == {o} + 0 * {nest.K.text}",
                      f"(({value}) & 1u) + 1u > 0u"])
    fails = '__assert_fail("", "", 0, "")'
    if nest.percent(75):
        return nest.put(nest.pick([f"assert({true});", f"({true}) ? (void)0 : {fails};", f"(void)(({true}) || ({fails}, 0));"]))
    array = nest.pick(["uA", "uB"])
    nest.put(f"{array}[{o} & 255] += (assert({true}), {value});")


STATEMENTS = {
    "ragged": put_ragged, "leave": put_leave, "element_extreme": put_element_extreme, "scratch_grid": put_scratch_grid,
    "helper": put_helper, "lockstep": put_lockstep, "pointed": put_pointed, "chosen_place": put_chosen_place,
    "narrow_counter": put_narrow_counter, "found": put_found, "assertion": put_assertion,
}
