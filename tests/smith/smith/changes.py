"""Random changes to the loops of a C text: subscripts, bounds, types, signs, pointers, order of statements."""

import re

TYPES = ["int", "long", "unsigned", "short", "unsigned char", "signed char", "unsigned long", "double", "float"]
SIMPLE = re.compile(r"\s+[^\s{}#/*][^{}]*;\s*$")
LOOP = re.compile(r"\s+(for|while)\s?\(")
FUNCTION = re.compile(r"[A-Za-z].*\)\s*\{")
KINDS = r"unsigned char|signed char|unsigned long|int|long|unsigned|short|double|float|size_t"


def blocks(lines):
    """Where loops stand: (first line, the line behind them), of outermost loops that are whole lines."""
    found, at = [], 0
    while at < len(lines):
        end = loop_end(lines, at) if LOOP.match(lines[at]) else None
        if end:
            found.append((at, end))
        at = end or at + 1
    return found


def loop_end(lines, start):
    depth = 0
    for at in range(start, min(start + 80, len(lines))):
        depth += lines[at].count("{") - lines[at].count("}")
        if depth < 0 or lines[at].startswith("}"):
            return None
        if depth == 0 and not re.match(r"\s+(for|while|if)\s?\(.*\)\s*$|.*\belse\s*$|\s*$", lines[at]):
            return at + 1
    return None


def function_begin(lines, at):
    """The line where the function of a line begins, whether its brace stands behind its name or below."""
    while at > 0 and not FUNCTION.match(lines[at]) and not lines[at].startswith("{"):
        at -= 1
    while at > 0 and not FUNCTION.match(lines[at]) and lines[at - 1].strip() and not lines[at - 1].startswith(("}", "#")):
        at -= 1
    return at


def one_of(chance, pattern, text):
    found = list(re.finditer(pattern, text))
    return chance.choice(found) if found else None


def spliced(text, match, new, group=0):
    return text[:match.start(group)] + new + text[match.end(group):]


class Change:
    """What is done to the lines of one loop, and of its function in front of it; each returns what it did, or None."""

    def __init__(self, chance, lines, start, end):
        self.chance, self.lines, self.start, self.end = chance, lines, start, end

    def pick(self, *choices):
        return self.chance.choice(choices)

    def body(self):
        return "\n".join(self.lines[self.start:self.end])

    def put(self, text):
        self.lines[self.start:self.end] = text.split("\n")
        return True

    def replace(self, pattern, new, group=0):
        """One place of the loop, by what new(match) says."""
        match = one_of(self.chance, pattern, self.body())
        return self.put(spliced(self.body(), match, new(match), group)) if match else None

    # ---- the changes ----

    def subscript(self):
        return self.replace(r"\[([^\[\]]+)\]", lambda m: self.pick(f"{m[1]} + 1", f"{m[1]} - 1", f"({m[1]}) / 2", f"({m[1]}) * 2", f"({m[1]}) % 3", f"({m[1]}) & 6", "0"), 1)

    def subscript_of_another(self):
        others = re.findall(r"\[([^\[\]]+)\]", self.body())
        return self.replace(r"\[([^\[\]]+)\]", lambda m: self.chance.choice(others), 1)

    def subscript_through(self):
        """By way of another array of the loop."""
        arrays = re.findall(r"\b([A-Za-z_]\w*)\[", self.body())
        return self.replace(r"\[([^\[\]]+)\]", lambda m: f"(int){self.chance.choice(arrays)}[{m[1]}]", 1) if arrays else None

    def array(self):
        """Another array in place of one."""
        arrays = re.findall(r"\b([A-Za-z_]\w*)\[", self.body())
        return self.replace(r"\b([A-Za-z_]\w*)\[", lambda m: self.chance.choice(arrays), 1)

    def comparison(self):
        return self.replace(r"(?<![-<>=!])\s?(<=|>=|==|!=|<(?![<=])|>(?![>=]))", lambda m: self.pick("<", "<=", ">", ">=", "!="), 1)

    def bound(self):
        return self.replace(r"(?<![-<>])[<>]=?\s*([\w.>-]+)\s*;", lambda m: self.pick(f"{m[1]} - 1", f"{m[1]} / 2", f"{m[1]} - 2", "0", f"({m[1]} & 15)"), 1)

    def first(self):
        return self.replace(r"for\s*\(\s*(?:[a-z ]+ )?\w+\s*=\s*([\w-]+)\s*;", lambda m: self.pick("1", "2", f"{m[1]} + 1"), 1)

    def step(self):
        return self.replace(r";\s*(?:\+\+(\w+)|(\w+)\+\+)\s*\)", lambda m: f"; {m[1] or m[2]} += {self.pick(2, 3)})")

    def operator(self):
        return self.replace(r"(?<=[\w\])])\s*([-+*]=|=(?!=)|\+(?!\+)|-(?![->])|\*|&&|\|\|)\s*(?=[\w(*&-])", lambda m: {"+=": "=", "-=": "+=", "*=": "+=", "=": "+=", "+": "-", "-": "+", "*": "+",
                                                                     "&&": "||", "||": "&&"}[m[1]], 1)

    def number(self):
        return self.replace(r"(?<=[ (\[=<>+-])(\d)(?=[ ;)\],+-])", lambda m: str(self.pick(0, 1, 2, 3, 7)), 1)

    def kind(self):
        """Another type somewhere in the function, up to the loop's end."""
        begin = function_begin(self.lines, self.start)
        text = "\n".join(self.lines[begin:self.end])
        match = one_of(self.chance, rf"\b(?:{KINDS})\b(?=[ \t]+\*?\w)", text)
        if not match:
            return None
        self.lines[begin:self.end] = spliced(text, match, self.pick(*TYPES)).split("\n")
        return True

    def unrestrict(self):
        begin = function_begin(self.lines, self.start)
        text = "\n".join(self.lines[begin:self.start])
        match = one_of(self.chance, r" ?\brestrict\b ?", text)
        if not match:
            return None
        self.lines[begin:self.start] = spliced(text, match, " ").split("\n")
        return True

    def pointed(self):
        return self.replace(r"(?<![\w.>*&)-])([A-Za-z_]\w*)\[(\w+)\](?!\s*[\[.({]|\s*->)", lambda m: self.pick(f"(*({m[1]} + ({m[2]})))", f"({m[2]})[{m[1]}]"))

    def order(self):
        """Two neighbours among the statements change places."""
        found = [at for at in range(self.start, self.end - 1) if SIMPLE.match(self.lines[at]) and SIMPLE.match(self.lines[at + 1])
                 and indent(self.lines[at]) == indent(self.lines[at + 1])]
        if not found:
            return None
        at = self.chance.choice(found)
        self.lines[at], self.lines[at + 1] = self.lines[at + 1], self.lines[at]
        return True

    def again(self):
        """A statement stands twice."""
        found = [at for at in range(self.start, self.end) if SIMPLE.match(self.lines[at]) and "return" not in self.lines[at]]
        if not found:
            return None
        at = self.chance.choice(found)
        self.lines.insert(at, self.lines[at])
        return True

    def guarded(self):
        found = [at for at in range(self.start, self.end) if re.match(r"\s+[\w\[\]>.*+-]+\s*[-+*|&^]?=\s*[^{}=][^{}]*;\s*$", self.lines[at])]
        if not found:
            return None
        at = self.chance.choice(found)
        words = re.findall(r"\b[a-z]\w*\[[^\[\]]+\]", self.lines[at])
        test = self.pick("{} > 1", "{} != 0", "!({} > 3)").format(self.chance.choice(words)) if words else "1"
        self.lines[at] = f"{' ' * indent(self.lines[at])}if ({test}) {self.lines[at].strip()}"
        return True


CHANGES = ["subscript", "subscript", "subscript_of_another", "subscript_through", "array", "array", "comparison", "bound", "first", "step", "operator", "operator",
           "number", "kind", "kind", "unrestrict", "pointed", "order", "order", "again", "guarded", "guarded"]

MOST_TRIES = 8


def indent(line):
    return len(line) - len(line.lstrip())


def changed(chance, text):
    """The text with one to three changes to one of its loops, and their names; None when there is none to change."""
    lines = text.split("\n")
    places = blocks(lines)
    if not places:
        return None, []
    start, end = chance.choice(places)
    done = []
    wanted = chance.choice([1, 1, 2, 3])
    for _ in range(MOST_TRIES):
        before = len(lines)
        name = chance.choice(CHANGES)
        if getattr(Change(chance, lines, start, end), name)():
            done.append(name)
        end += len(lines) - before
        if len(done) == wanted:
            break
    return ("\n".join(lines), done) if done else (None, [])
