"""How a nest reaches memory: subscripts, and the arrays, fields and rows they are used on."""

from .expr import Int, name, number

# Subscripts by the features of a class. Each gets the nest and may use its loops and keys.


def sub_affine(nest):
    i = nest.outer
    a, b = nest.pick([1, 1, 1, 2, 3]), nest.pick([0, 0, 0, 1, 2, 5, -1])
    return (i if a == 1 else i * a) + b


def sub_step(nest):
    """A neighbour in the outer loop."""
    return nest.outer + nest.below(4)


def sub_near(nest):
    """A neighbour in a loop inside."""
    return nest.inner_any() + nest.below(4)


def sub_plain(nest):
    return nest.outer


def sub_reversed(nest):
    return Int(f"n - {nest.outer.wrapped()}", 0, 24) if nest.outer.low >= 0 else nest.outer


def sub_flat(nest):
    width = nest.pick([nest.K, nest.K, nest.m, number(4), number(10)])
    return nest.outer * width + nest.inner_below(width)


def sub_across(nest):
    """Transposed: the inner variable strides."""
    return nest.inner_any() * nest.n + nest.outer_below_n()


def sub_deep(nest):
    return (nest.outer * number(4) + nest.inner_below(number(4))) * number(5) + nest.inner_below(number(5))


def sub_diagonal(nest):
    return nest.outer + nest.inner_any()


def sub_inner(nest):
    return nest.inner_any()


def sub_triangle(nest):
    i = nest.outer
    return Int(f"{i.text} * ({i.text} + 1) / 2 + {nest.inner_up_to_outer().text}", 0, 400)


def sub_modulo(nest):
    i = nest.outer
    return nest.pick([i.modulo(4), i.divided(2), (i + 1).modulo(24) if i.low >= -1 else i, i.modulo(24),
                      Int(f"{i.wrapped()} >> 1", i.low >> 1, i.high >> 1), i.masked(7), i.masked(31),
                      i.divided(3) * 3 + i.modulo(3)])


def sub_chosen(nest):
    """One of two places, by an affine condition."""
    i, low, high = nest.outer.text, nest.outer.low, nest.outer.high
    cut = nest.below(20)
    return nest.pick([Int(f"({i} > {cut} ? {i} - {cut} : {i})", min(low, 1), max(high - cut, cut, 0)),
                      Int(f"({i} < m ? {i} : {i} + m)", low, high + 10),
                      Int(f"({i} < {cut} ? {i} : {cut})", min(low, cut), cut),
                      Int(f"({i} > K ? {i} : {i} + 24)", low, high + 24)])


def sub_halves(nest):
    """Counted from an end that a division or the size moves."""
    i = nest.outer
    if i.low < 0 or i.high > 24:
        return i
    return nest.pick([Int(f"n / 2 + {i.text}", 8, 36), Int(f"n - 1 - {i.text} + 8", 0, 32), Int(f"{i.text} + m", 7, 34),
                      Int(f"n + {i.text} - n % 4", 14, 48)])


def sub_remainder(nest):
    i, by = nest.outer, nest.pick([2, 3, 4])
    return nest.pick([i * 2 + i.modulo(by), i * by + i.modulo(by), Int(f"{i.text} - {i.text} % {by}", max(i.low - by, 0), i.high),
                      i.divided(by) + i.modulo(by) * 12, Int(f"{i.text} / {by} * {by}", 0, i.high)])


def sub_unsigned_flat(nest):
    """In 32 bits without a sign."""
    if nest.outer.low < 0:
        return nest.outer
    width = nest.pick([nest.K, nest.m, number(4)])
    inner = nest.inner_below(width)
    return Int(f"(unsigned){nest.outer.text} * {width.text} + {inner.text}", 0, nest.outer.high * width.high + inner.high)


def sub_narrow(nest):
    """In fewer bits than an int has, with bits, or wrapping around."""
    i = nest.outer.text
    if nest.outer.low < 0:
        return nest.outer
    return nest.pick([
        Int(f"(unsigned char)({i} * 11)", 0, 255), Int(f"(unsigned char)({i} + 250)", 0, 255), Int(f"(signed char)({i} * 9) + 128", 0, 255),
        Int(f"(unsigned short)({i} * 3000) % 512", 0, 511), Int(f"({i} ^ 1)", 0, nest.outer.high + 1), Int(f"({i} & 15) ^ 5", 0, 15),
        Int(f"((unsigned){i} - 3u) % 64u", 0, 63), Int(f"({i} * 7u) % 32u", 0, 31), Int(f"(~{i} & 63)", 0, 63),
        Int(f"(({i} << 1) | 1)", 0, 2 * nest.outer.high + 1), Int(f"{i} * {i} % 37", 0, 36), Int(f"(unsigned char)(3 - {i})", 0, 255),
        Int(f"((unsigned){i} * 2147483649u) >> 25", 0, 127), Int(f"(short)({i} * 5) + 3", 3, 5 * nest.outer.high + 3)])


def sub_twice(nest):
    """Through two arrays of indices."""
    i = nest.outer.text
    return nest.pick([name(f"k0[col[{i}]]", 0, 11), name(f"perm[perm[{i}]]", 0, 127), name(f"perm[k0[{i}]]", 0, 127),
                      name(f"col[perm[{i}]]", 0, 47), name(f"perm[{i} + 5]", 0, 127), name(f"ptr[k1[{i}]]", 0, 127),
                      name(f"k1[k0[{i}]]", 0, 11), name(f"perm[r[{i}].user]", 0, 127), name(f"r[perm[{i}]].item", 0, 11)])


def sub_square(nest):
    return nest.outer * nest.outer


def sub_constant(nest):
    return number(nest.below(6))


def key_text(nest, which):
    """One of the nest's keys, as it is written in it."""
    kind = nest.key_kinds[which % len(nest.key_kinds)]
    i = nest.outer
    array = "k%d" % (which % 3)
    high = 9 if which % 3 == 2 else 11
    if kind == "record":
        return name("r[%s].%s" % (i.text, ["user", "item", "third"][which % 3]), 0, high)
    if kind == "pointer":
        return name("one->%s" % ["user", "item", "third"][which % 3], 0, high)
    if kind == "call":
        return name("user_of(&r[%s])" % i.text, 0, 11)
    if kind == "twice":
        return name(f"{array}[perm[{i.text}]]", 0, high)
    if kind == "local":
        return name("key%d" % (which % 3), 0, high)
    return name(f"{array}[{i.text}]", 0, high)


def sub_key(nest):
    return key_text(nest, nest.habit_key)


def sub_key_next(nest):
    return key_text(nest, nest.habit_key) + nest.pick([1, 2, 0])


def sub_key_row(nest):
    width = nest.pick([nest.K, nest.K, number(4)])
    return key_text(nest, nest.habit_key) * width + nest.inner_below(width)


def sub_key_column(nest):
    return nest.inner_below(nest.K) * number(12) + key_text(nest, nest.habit_key)


def sub_key_hash(nest):
    key = key_text(nest, nest.habit_key)
    return nest.pick([(key * 5 + 3).modulo(11), key.divided(2), key.modulo(7), key * 2 + 1])


def sub_both_keys(nest):
    return key_text(nest, 0) * number(12) + key_text(nest, 1)


def key_sum(nest, j):
    """A sum of keys and of a loop inside, as elements of a row whose beginning is looked up have it."""
    first, second = key_text(nest, 0), key_text(nest, 1)
    begin = name(f"ptr[{nest.outer.text}]", 0, 127)
    return nest.pick([first + second + j, first * nest.K + second + j, begin + first + j, begin + j + second * 2,
                      begin + nest.outer + j * 2 + first])


def sub_key_sum(nest):
    return key_sum(nest, nest.inner_below(nest.K))


def sub_perm(nest):
    return name(f"perm[{nest.outer.text}]", 0, 127)


def sub_csr(nest):
    return nest.csr_index()


def sub_csr_column(nest):
    return name(f"col[{nest.csr_index().text}]", 0, 47)


# ---- memory ----


class View:
    """Something with elements: `element(nest, written)` is the text of one of them."""

    def __init__(self, kind, forms, dims, habits):
        self.type, self.forms, self.dims, self.habits = kind, forms, dims, habits
        self.odd = None

    def element(self, nest, usual=True):
        subs = []
        for size, (form, key) in zip(self.dims, self.habits):
            if not usual:
                form, key = nest.random_habit()
            nest.habit_key = key
            subs.append(form(nest).inside(size).checked(size))
        return nest.pick(self.forms)(*subs)


def flat_forms(base):
    return [lambda s: f"{base}[{s.text}]"] * 8 + [
        lambda s: f"*({base} + {s.wrapped()})",
        lambda s: f"({base})[{s.text}]",
        lambda s: f"*&{base}[{s.text}]",
    ]


def flat(nest, base, kind, size=2048):
    return View(kind, flat_forms(base), [size], [nest.random_habit()])


def matrix_forms(base):
    return [lambda s, t: f"{base}[{s.text}][{t.text}]"] * 6 + [
        lambda s, t: f"(*({base} + {s.wrapped()}))[{t.text}]",
        lambda s, t: f"*({base}[{s.text}] + {t.wrapped()})",
    ]


def matrix(nest, base, kind, dims=(64, 48)):
    second = nest.features.get("second", [sub_inner, sub_inner, sub_constant, sub_plain])
    habits = [nest.random_habit(), (nest.pick(second), 0)]
    if nest.percent(20):
        habits.reverse()
    return View(kind, matrix_forms(base), list(dims), habits)


def cube(nest, base, kind):
    habits = [nest.random_habit(), (sub_inner, 0), (nest.pick([sub_inner, sub_constant]), 0)]
    nest.shuffle(habits)
    return View(kind, [lambda s, t, u: f"{base}[{s.text}][{t.text}][{u.text}]"], [16, 16, 16], habits)


def structure(nest, base, field, kind):
    forms = [lambda s: f"{base}[{s.text}].{field}"] * 5 + [
        lambda s: f"({base} + {s.wrapped()})->{field}",
        lambda s: f"(*({base} + {s.wrapped()})).{field}",
    ]
    return View(kind, forms, [128], [nest.random_habit()])


def structure_array(nest, base):
    forms = [lambda s, t: f"{base}[{s.text}].z[{t.text}]"]
    return View("u", forms, [128, 4], [nest.random_habit(), (nest.pick([sub_inner, sub_constant]), 0)])


def row_pointer(nest, local):
    """`local` is a pointer to a row of nest.row_width elements."""
    return View("u", flat_forms(local), [4], [(lambda n: n.inner_below(n.K), 0)])
