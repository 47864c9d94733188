"""From `orrery analyze --format=json` to claims.h: what the recorder holds each loop against."""

import pathlib
import re

TABLE = pathlib.Path(__file__).parents[3] / "scheduler/base/strategies.def"


def strategies_read():
    """name -> how (strategies.def): what becomes of two iterations that conflict."""
    rows = re.findall(r'^STRATEGY\(\w+, \w+, "(.+)", \w+, (\w+)\)$', TABLE.read_text(), re.M)
    return dict(rows)


STRATEGIES = strategies_read()


class UnknownStrategy(Exception):
    """A strategy that is not in the table."""


# What the tables of pointers of pool.py lead to: sums and private values go into their rows. A parameter may be any of them.
BEHIND = {"tab": ["store"], "tab2": ["store2"], "tabi": ["storei"]}


def behind(name):
    return sum(BEHIND.values(), []) if re.fullmatch(r"rows\d+", name) else BEHIND.get(name, [])


def c_list(items):
    return '",' + "".join(item + "," for item in items) + '"'


def reduction_words(loop):
    signs = {"min": "m", "max": "M"}
    words = []
    for one in loop["reductions"]:
        sign = signs.get(one["op"], one["op"][0])
        words.append(f"{sign} {one['object']}")
        words += [f"{sign} {name}" for name in behind(one["object"])]
        if one["op"] in signs or one["op"].startswith("arg"):
            words += [f"{sign} {one['object']}" for sign in "mMa"]
    return words


def private_words(loop):
    """What the last iteration that sets it leaves behind is each one's own until then."""
    names = loop["private"] + [one["object"] for one in loop["reductions"] if one["op"] == "last"]
    return names + [row for one in names for row in behind(one)]


def condition(guard):
    """The guard as a C condition of one iteration, None when it cannot be said as one."""
    pair = re.fullmatch(r"(.*) and (.*) do not overlap", guard)
    if pair:
        sides = [re.sub(r"^the pointer (.*)$", r"&\1", re.sub(r"^the rows of (.*)$", r"\1[0]", one)) for one in pair.groups()]
        sides = [one if one.startswith("&") else f"smith_begin_of({one})" for one in sides]
        return f"smith_apart({sides[0]}, {sides[1]})"
    if re.search(r"[a-z]{3,} [a-z]{2,} [a-z]{2,}", guard):
        return None
    return f"({guard})"


def named_parts(loop):
    """Elements and members that the tool has a name for, and the recorder has not."""
    words = private_words(loop) + [one["object"] for one in loop["reductions"]]
    return sorted({one for one in words if re.search(r"[\[.>*]", one)})


def claim(loop):
    """The macros of one loop."""
    name, strategy = loop["function"], loop["strategy"]
    if strategy not in STRATEGIES:
        raise UnknownStrategy(strategy)
    how = STRATEGIES[strategy]
    dims = [loop["dims"][one]["name"] for one in loop.get("cut", [])] if how == "DIMS" else []
    guards = [condition(one) for one in loop["guards"]]
    open_guards = None in guards
    guards = [one for one in guards if one]
    unjudged = how == "TIME" or open_guards  # of an order in time only results show
    fields = [f'"{name}"', f'"{strategy}{"-guarded" if open_guards else ""}"', int(loop["verdict"] == "parallel"), len(dims),
              int(strategy == "tournament"), int(unjudged), int(loop["order"] == "unordered"),
              c_list(private_words(loop)), c_list(reduction_words(loop))]
    return [f"#define CLAIM_{name} {{{', '.join(str(one) for one in fields)}}}",
            f"#define NAMES_{name} " + " ".join(f'smith_name("{one}", &({one}), sizeof({one}));' for one in named_parts(loop)),
            f"#define DIMS_{name} " + "".join(f"(long)({one}), " for one in dims),
            f"#define GUARD_{name} {' && '.join(guards) or '1'}"]


def nothing(name):
    """The claim of a loop that is not to be judged."""
    return [f'#define CLAIM_{name} {{"{name}", "unjudged", 0, 0, 0, 1, 0, ",", ","}}', f"#define NAMES_{name}", f"#define DIMS_{name}",
            f"#define GUARD_{name} 1"]


def header(loops, names, skipped=()):
    by_name = {one["function"]: one for one in loops}
    lines = []
    for name in names:
        lines += nothing(name) if name in skipped or name not in by_name else claim(by_name[name])
    return "\n".join(lines) + "\n"
