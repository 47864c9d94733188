"""One function with one nest: parameters, names of memory, scalars, the loop's header, the body."""

from . import views
from .classes import CLASSES
from .expr import Int, name
from .nest import Nest, bounded
from .statements import put_statement

SCALARS = {"u": ("s", "5u"), "m": ("least", "4000000000u"), "M": ("most", "0u"), "x": ("where", "0u"),
           "t": ("outer_", "9u")}

# The loop's header, its variable's range, and whether the variable must be signed.
HEADERS = [
    ("0; i < n; ++i", 0, 23, False), ("0; i < n; ++i", 0, 23, False), ("0; i < n; i++", 0, 23, False),
    ("0; i < n; ++i", 0, 23, False), ("0; i <= n - 1; ++i", 0, 23, True), ("n - 1; i >= 0; --i", 0, 23, True),
    ("1; i < n; i += 2", 1, 23, False), ("0; i < n; i += 3", 0, 23, False), ("2; i < n - 2; i++", 2, 21, True),
    ("n; i > 0; i--", 1, 24, False), ("0; i < 16; ++i", 0, 15, False), ("1; i < n; i = i + 1", 1, 23, False),
    ("0; i != n; ++i", 0, 23, False), ("1; i <= n; ++i", 1, 24, False), ("n - 1; i > 1; i -= 2", 2, 23, True),
]


# Conditions that have to be solved for the variable.
SOLVED = [
    ("0; i + 1 < n; ++i", 0, 22, False), ("0; 2 * i < n; ++i", 0, 11, True), ("0; n - i > 0; i++", 0, 23, True),
    ("0; i * K < n; ++i", 0, 7, True), ("0; i < n && i < 2 * m; ++i", 0, 19, False), ("0; i + 3 <= n; i += 2", 0, 20, False),
    ("n; 3 * i > n; --i", 6, 24, True), ("n - 1; i >= m && i > 2; --i", 7, 23, True), ("0; i < n - i; ++i", 0, 11, True),
    ("0; i < n / 2; ++i", 0, 11, False), ("n >> 1; i < n; ++i", 8, 23, False), ("0; i <= (n < 2 * m ? n : 2 * m) - 1; ++i", 0, 19, True),
]


class Function(Nest):
    """A nest whose declarations are still to be found out while its body is written."""

    def __init__(self, seed, index, kind):
        super().__init__(seed, index, kind, CLASSES[kind])
        self.declared, self.marks, self.results, self.steps = [], [], [], []
        self.scalar_names, self.may_leave = {}, True
        self.recorded_as = {}
        self.uses_model = False
        solved = "solved" in CLASSES[kind] and self.percent(CLASSES[kind]["solved"])
        self.header, low, high, signed = self.pick(SOLVED if solved else HEADERS)
        self.outer = bounded("i", low, high)
        types = ["int", "int", "long", "int"] + ([] if signed else ["unsigned", "size_t", "unsigned long"])
        narrow = ["short"] + ([] if signed else ["unsigned char", "unsigned short"])
        types = narrow if self.percent(3) else types
        self.outer_type = self.pick(types)
        self.floating = self.percent(15)

    # ---- what the body asks for ----

    def declare(self, line, text=None, size=None):
        self.declared.append(line)
        if text:
            self.marks.append(f'smith_name("{text}", &{text}, sizeof {text});')

    def scalar(self, kind):
        if kind == "u" and self.percent(25):
            kind = "u2"
        if kind not in self.scalar_names:
            stem, start = SCALARS[kind[0]]
            text = stem + ("2" if kind == "u2" else "")
            self.scalar_names[kind] = text
            self.declare(f"unsigned {text} = {start};", text)
            if kind != "t" or self.percent(50):
                self.results.append(text)
        return self.scalar_names[kind]

    def scratch(self):
        if "scratch" not in self.scalar_names:
            self.scalar_names["scratch"] = "scratch"
            self.declare("unsigned scratch[16] = {3, 1, 4, 1, 5};", "scratch")
            self.recorded_as["scratch"] = "static unsigned scratch[16]; smith_reset(scratch);"
            if self.percent(20):
                self.results.append("scratch[1]")
        return "scratch"

    def scratch_grid(self):
        if "grid" not in self.scalar_names:
            self.scalar_names["grid"] = "grid_"
            self.declare("unsigned grid_[4][4] = {{0}};", "grid_")
            self.recorded_as["grid_"] = "static unsigned grid_[4][4]; memset(grid_, 0, sizeof grid_);"

    def scalar_of(self, kind, start):
        """A narrow counter; a nest has one."""
        if "narrow" not in self.scalar_names:
            self.scalar_names["narrow"] = "c_"
            self.declare(f"{kind} c_ = {start};")
            self.results.append("(unsigned)c_")
        return "c_"

    def walker(self, base):
        if "walker" not in self.scalar_names:
            self.scalar_names["walker"] = "p"
            self.declare(f"unsigned *p = {base}{self.pick(['', ' + 2'])};")
        return "p"

    def counter(self):
        if "counter" not in self.scalar_names:
            self.scalar_names["counter"] = "c"
            self.declare("int c = 0;", "c" if self.percent(0) else None)
            self.results.append("(unsigned)c")
        return "c"

    def key(self, which):
        return views.key_text(self, which)

    def need_model(self):
        if not self.uses_model:
            self.uses_model = True
            self.declared.append("struct model *model_ = &model;")
            self.marks += [f'smith_name("{one}", {one}, sizeof(unsigned) * 2048);' for one in
                           ("model_->W", "model_->H", "model.W", "model.H")]

    def put_block(self, count, force=None):
        from .statements import STATEMENTS
        for _ in range(count):
            if force:
                STATEMENTS[force](self)
            else:
                put_statement(self)

    # ---- memory ----

    def add_view(self, view, written=True):
        view.written = written
        self.views.append(view)

    def parameter(self, declaration, argument):
        self.params.append(declaration)
        self.arguments.append(argument)

    def choose_views(self):
        style = self.features["views"]
        for _ in range(1 + self.below(4)):
            way = style
            if style == "mixed":
                way = self.pick(["flat", "flat", "matrix", "typed", "parameter", "struct"])
            elif style == "any":
                way = self.pick(["flat", "matrix", "typed", "parameter", "struct", "alias", "table"])
            getattr(self, "view_" + way)()

    def view_flat(self):
        base = self.pick(["uA", "uA", "uB", "uC", "uD"])
        self.add_view(views.flat(self, base, "u"), self.percent(75))

    def view_typed(self):
        base = self.pick(["iA", "iB", "cA", "cB", "hA", "lA", "dA", "dB"])
        self.floating = self.floating or base[0] == "d"
        self.add_view(views.flat(self, base, base[0]), self.percent(80))

    def view_matrix(self):
        if self.percent(25):
            return self.add_view(views.cube(self, "uT", "u"))
        base = self.pick(["uM", "uM", "uN", "dM", "iM"])
        self.add_view(views.matrix(self, base, base[0]))

    def view_table(self):
        base = self.pick(["tab", "tab", "tab2", "tabi"])
        if base == "tabi" and self.percent(50):
            base = f"rows{len(self.params)}"
            self.parameter(f"int **{base}", "tabi")
        kind = "u" if base in ("tab", "tab2") else "i"
        self.add_view(views.matrix(self, base, kind))

    def view_struct(self):
        way = self.below(8)
        base = self.pick(["R", "R", "Q"])
        if way == 0:
            given, base = base, f"rows{len(self.params)}"
            self.parameter(f"struct row *{base}", given)
            self.marks.append(f'smith_name("{base}", {base}, sizeof *{base} * 128);')
        if way < 4:
            field, kind = self.pick([("x", "u"), ("y", "i"), ("in.x", "u"), ("in.y", "u"), ("tag", "c"), ("z[2]", "u")])
            self.add_view(views.structure(self, base, field, kind))
        elif way < 6:
            self.add_view(views.structure_array(self, base))
        elif way == 6:
            self.need_model()
            self.add_view(views.flat(self, self.pick(["model_->W", "model_->H", "model.W"]), "u"))
        else:
            self.add_view(views.structure(self, "pairs", self.pick("xy"), "u"))

    def view_parameter(self):
        kind = self.pick("uuuidcl")
        text = f"{kind}{self.pick('pq')}{len(self.params)}"
        words = {"u": "unsigned", "i": "int", "d": "double", "c": "unsigned char", "l": "long"}[kind]
        base = kind + self.pick("AABC" if kind in "uid" else "AAB")
        shift = self.pick(["", "", "", " + 3", " + 24", " + 100"])
        self.floating = self.floating or kind == "d"
        written = self.percent(75)
        const = "" if written or self.percent(50) else "const "
        qualifier = "restrict " if self.percent(20) and all(base not in one for one in self.arguments) and \
            self.features["views"] == "parameter" else ""
        if qualifier:
            self.restricted = getattr(self, "restricted", set()) | {base}
        elif base in getattr(self, "restricted", set()):
            return
        self.parameter(f"{const}{words} *{qualifier}{text}", base + shift)
        self.marks.append(f'smith_name("{text}", {text}, sizeof *{text} * 1900);')
        self.add_view(views.flat(self, text, kind, 1900), written)

    def view_alias(self):
        """Second names of arrays, or of parts of them."""
        text = f"P{len(self.declared)}"
        start = self.pick(["uA + 3", "&uB[2]", "uC", "&uM[0][0]", "K > 3 ? uA : uB", "K == 4 ? uA + 1 : uA", "uA + n",
                           "uB + n * K", "at_row(uA, 2, 4)", "&uA[k0[3]]", "at_row(uB, n, 1)", "uM[1]", "uA", "uB"])
        self.declared.append(f"unsigned *{text} = {start};")
        self.marks.append(f'smith_name("{text}", {text}, sizeof *{text} * 1800);')
        self.add_view(views.flat(self, text, "u", 1800))
        if self.percent(60):
            self.add_view(views.flat(self, self.pick(["uA", "uB", "uC"]), "u"))

    # ---- the whole ----

    def put_body(self):
        i = self.outer.text
        if "pointer" in self.key_kinds:
            self.put(f"const struct rating *one = &r[{i}];")
        if "local" in self.key_kinds:
            self.put(f"int key0 = k0[{i}], key1 = k1[{i}], key2 = k2[{i}];")
            self.put("(void)key0, (void)key1, (void)key2;")
        low, high = self.features.get("count", (1, 4))
        self.put_block(low + self.below(high - low + 1))

    def put_declaration(self, line):
        """clang tells the recorder nothing of the elements of local arrays: there they are static."""
        for name_, recorded in self.recorded_as.items():
            if f" {name_}[" in line:
                self.mark(recorded)
                self.lines.append("!    " + line)
                return
        self.put(line)

    def text(self, static=True):
        """The lines of the function; those with `@` in front are the recorder's."""
        self.choose_views()
        outside = self.percent(8)
        self.indent = 2
        self.put_body()
        body, self.lines, self.indent = self.lines, [], 1
        params = ", ".join(["int n", "int m", "int K"] + self.params)
        self.lines.append(f"{'static ' if static else ''}unsigned {self.function}({params}) {{")
        for line in self.declared:
            self.put_declaration(line)
        if outside:
            self.put(f"{self.outer_type} i;")
        for line in self.marks:
            self.mark(line)
        self.mark(f"static const struct smith_claim claim_ = CLAIM_{self.function};")
        self.mark(f"NAMES_{self.function}")
        self.mark("smith_begin(&claim_);")
        pragma = "#pragma orrery parallel" + (" unordered" if self.unordered else "")
        self.lines.append(pragma)
        start = self.header.split(";", 1)
        self.put(f"for ({'' if outside else self.outer_type + ' '}i = {start[0]};{start[1]}) {{")
        self.mark(f"{{ long dims_[] = {{DIMS_{self.function} 0}}; smith_next(GUARD_{self.function}, dims_); }}")
        for which, key in enumerate(["k0[i]", "k1[i]", "k2[i]", "r[i].user", "r[i].item", "perm[i]", "k0[perm[i]]",
                                     "k1[perm[i]]"]):
            self.mark(f"smith_key({which}, {key});")
        self.lines += body
        self.put("}")
        self.mark("smith_end();")
        if outside and self.percent(50):
            self.results.append("(unsigned)i")
        result = " * 31u + ".join(["0u"] + self.results) if self.results else "(unsigned)(n + m + K)"
        self.put(f"return {result};")
        self.lines.append("}")
        return self.lines

    def call(self, sizes):
        return f"{self.function}({', '.join([sizes] + self.arguments)})"


__all__ = ["Function", "Int", "name"]
