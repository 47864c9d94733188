"""The classes of nests: which subscripts, arrays and statements a nest of each is made of."""

from . import views

AFFINE = {"affine": 5, "plain": 5, "flat": 3, "across": 1, "deep": 1, "diagonal": 1, "reversed": 1,
          "inner": 0.3, "constant": 0.2, "modulo": 0.5}
KEYED = {"key": 5, "key_row": 5, "key_next": 0.7, "key_column": 0.7, "key_hash": 0.7, "both_keys": 0.4,
         "key_sum": 1, "perm": 0.6, "plain": 1.5, "flat": 1}
PLAIN = {"plain": 6, "affine": 2, "flat": 2}
BASIC = {"assign": 5, "update": 3, "temp": 2, "loop": 4, "if": 1.5, "fold": 1}


def kind(subs, statements, views="flat", share=1.0, **more):
    return dict(subs=subs, statements=statements, views=views, share=share, **more)


CLASSES = {
    "affine": kind(AFFINE, BASIC, "mixed", 3),
    "flat": kind({"flat": 6, "deep": 3, "across": 3, "plain": 2, "triangle": 1}, dict(BASIC, loop=8), "flat", 1.5),
    "modulo": kind(dict(AFFINE, modulo=8), BASIC, "mixed", 0.7),
    "triangle": kind(dict(AFFINE, triangle=3), dict(BASIC, triangle=7, loop=1), "mixed", 1),
    "keyed": kind(KEYED, dict(BASIC, row_pointer=2, factor=1, key_rows=1), "flat", 3, unordered=60, usual=96),
    "sums": kind(KEYED, {"key_rows": 6, "temp": 1, "update": 1, "fold": 1}, "flat", 0.7, unordered=50, usual=96, count=(1, 3)),
    "factor": kind(KEYED, {"factor": 5, "fold": 1, "temp": 1, "update": 0.5, "row_pointer": 1}, "flat", 1.5,
                   unordered=90, usual=97, count=(1, 2)),
    "histogram": kind({"key": 5, "key_hash": 3, "key_next": 1, "perm": 1}, {"update": 6, "temp": 2, "if": 1, "loop": 1},
                      "flat", 1),
    "csr": kind({"plain": 5, "csr": 4, "csr_column": 1, "key": 0.5}, {"csr": 6, "assign": 2, "fold": 1, "update": 1, "temp": 1},
                "flat", 1.5),
    "scratch": kind(PLAIN, {"scratch": 6, "assign": 3, "temp": 1, "loop": 1}, "flat", 1.5),
    "private": kind(PLAIN, {"outer_temp": 5, "assign": 3, "if": 1, "loop": 1}, "flat", 1),
    "reduce": kind(PLAIN, {"fold": 5, "extreme": 3, "place": 1, "temp": 1, "loop": 1, "if": 1}, "mixed", 1.5),
    "alias": kind(AFFINE, BASIC, "alias", 1.5),
    "parameter": kind(AFFINE, BASIC, "parameter", 1.5),
    "walk": kind(PLAIN, {"walk": 5, "counter": 2, "assign": 2, "temp": 1, "fold": 1}, "flat", 1.2),
    "struct": kind(PLAIN, {"struct": 5, "assign": 4, "update": 2, "temp": 1, "loop": 1}, "struct", 1.5),
    "call": kind(dict(AFFINE, key=1), {"call": 4, "row_call": 4, "assign": 2, "temp": 2, "loop": 1}, "mixed", 1.5),
    "cond": kind(AFFINE, {"if": 5, "switch": 2, "continue": 2, "assign": 4, "temp": 1, "fold": 1, "search": 1}, "mixed", 1),
    "jump": kind(AFFINE, {"jump": 5, "counter": 0.5, "assign": 4, "update": 2, "temp": 1, "fold": 1, "loop": 1, "if": 1}, "mixed", 1),
    "found": kind({**AFFINE, "inner": 4, "key": 1}, {"found": 6, "leave": 2, "outer_temp": 2, "assign": 2, "temp": 1, "fold": 1}, "mixed", 1),
    "asserted": kind({**AFFINE, "key": 1}, {"assertion": 4, "assign": 3, "update": 2, "fold": 2, "temp": 1, "if": 2, "loop": 1}, "mixed", 0.7),
    "domain": kind(dict(AFFINE, chosen=3, halves=2, remainder=2, unsigned_flat=2, modulo=2),
                   {"if": 6, "continue": 3, "assign": 4, "update": 2, "tile": 1, "loop": 2, "temp": 1}, "mixed", 1.5,
                   solved=50, affine_conditions=85, usual=85),
    "rows": kind({"plain": 4, "affine": 2, "key": 2, "perm": 0.5}, dict(BASIC, row_call=1), "table", 1, unordered=50),
    "while": kind(PLAIN, {"while": 5, "assign": 2, "update": 1, "fold": 1, "search": 1}, "mixed", 0.7),
    "carried": kind({"affine": 8, "plain": 3, "constant": 0.5, "inner": 1, "square": 0.3}, BASIC, "mixed", 1, usual=60),
    "wave": kind({"step": 8, "plain": 1, "near": 1}, {"loop": 8, "triangle": 2, "assign": 1, "if": 0.5, "fold": 0.5, "temp": 0.3},
                 "matrix", 1, unordered=0, usual=97, second=[views.sub_near] * 6 + [views.sub_inner, views.sub_constant]),
    "pipeline": kind({"plain": 6, "inner": 5, "constant": 0.5, "affine": 1.5, "flat": 1},
                     {"loop": 9, "temp": 3, "outer_temp": 2, "fold": 2, "extreme": 1, "counter": 0.5, "scratch": 2, "assign": 2,
                      "update": 1, "if": 1.5, "struct": 0.5, "call": 1, "row_call": 0.5, "while": 0.3},
                     "mixed", 1, unordered=5, usual=70, count=(4, 8)),
    "ragged": kind({**PLAIN, "key": 2, "inner": 1}, {"ragged": 6, "leave": 3, "outer_temp": 1, "assign": 2, "update": 2, "temp": 1, "fold": 1}, "mixed", 1),
    "narrow": kind({"narrow": 6, "plain": 3, "affine": 2}, dict(BASIC, narrow_counter=1.5, loop=2), "mixed", 1),
    "twice": kind({"twice": 6, "key": 2, "plain": 1.5}, dict(BASIC, loop=2, key_rows=1), "flat", 1, unordered=50, usual=96),
    "helper": kind(dict(AFFINE, key=2, twice=0.5, narrow=0.5), {"helper": 6, "assign": 2, "temp": 1, "loop": 1.5, "if": 0.7}, "flat", 1),
    "pointers": kind(PLAIN, {"lockstep": 4, "pointed": 4, "chosen_place": 2.5, "assign": 1.5, "update": 1, "loop": 0.7}, "any", 1),
    "elements": kind({**PLAIN, "key": 4, "key_row": 1.5, "constant": 0.3}, {"element_extreme": 5, "scratch_grid": 4, "update": 1, "temp": 1,
                                                                            "assign": 1, "loop": 1}, "flat", 1, unordered=40),
    "wild": kind({**AFFINE, **KEYED, "square": 0.5, "csr": 1, "triangle": 1, "narrow": 0.7, "twice": 0.7},
                 {"assign": 3, "update": 3, "fold": 1, "extreme": 1, "place": 0.4, "temp": 2, "outer_temp": 1, "if": 2,
                  "switch": 0.5, "continue": 0.5, "jump": 0.5, "call": 1, "row_call": 0.7, "struct": 0.7, "loop": 3, "triangle": 0.7,
                  "csr": 0.7, "while": 0.5, "scratch": 0.7, "key_rows": 0.5, "walk": 0.5, "counter": 0.3, "row_pointer": 1, "factor": 0.5,
                  "search": 0.3, "ragged": 0.7, "leave": 0.7, "element_extreme": 0.4, "scratch_grid": 0.4, "helper": 1, "lockstep": 0.5,
                  "pointed": 0.5, "chosen_place": 0.4, "narrow_counter": 0.3, "found": 0.5, "assertion": 0.3}, "any", 2),
}
