#!/usr/bin/env python3
"""translate.py KERNELS.ptx > KERNELS.c: nvcc's PTX as C for the lanes of machine.c (docs/gpu.md, "The real PTX").
translate.py --table KERNELS.ptx [KERNELS.cu] > TABLE.c: KERNELS.cu, which has the tables by which the runtime launches the
kernels, and what machine.c has to run for each; without it kernels that are run in the place of others (PTX_FAULT).

A kernel becomes a function of the same statements in the same order; registers become variables, branches `goto`. An
instruction that is not in the tables here, or whose result PTX leaves open (`.approx`), ends the translation with its
line. PTX ISA 9.0 says what each one means.
"""
import re
import sys

C_TYPES = {'pred': 'int', 'f32': 'float', 'f64': 'double'}
for bits in (8, 16, 32, 64):
    C_TYPES.update({f'b{bits}': f'uint{bits}_t', f'u{bits}': f'uint{bits}_t', f's{bits}': f'int{bits}_t'})

SPECIAL = {'%tid.x': 'ptx_thread()', '%ntid.x': 'PTX_THREADS', '%ctaid.x': 'ptx_block()', '%nctaid.x': 'ptx_blocks()',
           '%laneid': '(ptx_thread() % 32)', '%warpid': '(ptx_thread() / 32)', '%globaltimer': 'ptx_clock()',
           '%clock64': 'ptx_clock()', '%clock': '(uint32_t)ptx_clock()', '%lanemask_eq': '(1u << ptx_thread() % 32)',
           '%lanemask_lt': '((1u << ptx_thread() % 32) - 1)', '%lanemask_le': '((2u << ptx_thread() % 32) - 1)',
           '%lanemask_gt': '(~0u << ptx_thread() % 32 << 1)', '%lanemask_ge': '(~0u << ptx_thread() % 32)'}
SPECIAL.update({f'%{name}.{dim}': value for name, value in (('tid', '0'), ('ntid', '1'), ('ctaid', '0'), ('nctaid', '1'))
                for dim in 'yz'})

# What may stand between an opcode and its type and changes no result here: hints, rounding to nearest, uniform branches.
NO_MATTER = re.compile(r'(uni|rn|sync|aligned|global|generic|shared|const|weak|L[12]::.*|ca|cg|cs|lu|cv|wb|wt)$')

SCOPES = {'cta': 'PTX_CTA', 'cluster': 'PTX_GPU', 'gpu': 'PTX_GPU', 'gl': 'PTX_GPU', 'sys': 'PTX_SYS'}


class Unknown(Exception):
    """Something that is not translated."""


def size_of(kind):
    return int(kind[1:]) // 8


def is_float(kind):
    return kind[0] == 'f'


def unsigned(kind):
    return 'u' + kind[1:] if kind[0] in 'sb' else kind


def arguments(text):
    """Splits at commas, but not within {}, [] and ()."""
    parts, depth = [''], 0
    for c in text:
        depth += (c in '{[(') - (c in '}])')
        if c == ',' and depth == 0:
            parts.append('')
        else:
            parts[-1] += c
    return [part.strip() for part in parts if part.strip()]


class Function:
    """The text of one entry or function; `registers`: prefix to type; `places`: names of memory, as C."""

    def __init__(self, module, places):
        self.module, self.places = module, dict(module.places, **places)
        self.registers, self.targets, self.out, self.line, self.depth = {}, {}, [], 0, 0

    # ---- operands ----

    def register_kind(self, name):
        match = re.match(r'%([A-Za-z_$]+)\d*$|([A-Za-z_$][\w$]*)$', name)
        return match and (self.registers.get(name) or self.registers.get(match.group(1)))

    @staticmethod
    def name(register):
        return 'r_' + re.sub(r'[%$]', '', register)

    def register(self, operand, kind):
        own, name = self.register_kind(operand), self.name(operand)
        if is_float(kind) and not is_float(own):
            return f'ptx_{kind}_of({name})'
        if is_float(own) and not is_float(kind):
            return f'({C_TYPES[kind]})ptx_bits_{own}({name})'
        return name if C_TYPES[own] == C_TYPES[kind] else f'({C_TYPES[kind]}){name}'

    def number(self, operand, kind):
        if re.match(r'0[fFdD][0-9a-fA-F]+$', operand):
            own = 'f32' if operand[1] in 'fF' else 'f64'
            text = f'ptx_{own}_of(0x{operand[2:]}u{"ll" if own == "f64" else ""})'
            return text if is_float(kind) else f'({C_TYPES[kind]})ptx_bits_{own}({text})'
        if not re.match(r'-?(0[xX][0-9a-fA-F]+|\d+)U?$', operand):
            return None
        value = int(operand.rstrip('U'), 0) & (1 << 64) - 1
        text = f'{value}u{"l" if value >> 32 else ""}'
        return f'ptx_{kind}_of({text})' if is_float(kind) else f'({C_TYPES[kind]}){text}'

    def read(self, operand, kind):
        if operand[0] == '!':
            return f'!{self.read(operand[1:], kind)}'
        if operand in SPECIAL:
            return f'(({C_TYPES[kind]}){SPECIAL[operand]})'
        if self.register_kind(operand):
            return f'({self.register(operand, kind)})'
        text = self.number(operand, kind)
        if text is None and operand in self.places:
            text = f'(uint64_t)(uintptr_t){self.places[operand]}'
        if text is None:
            raise Unknown(f'operand {operand}')
        return f'({text})'

    def write(self, operand, value, kind):
        if operand == '_':
            return f'(void)({value});'
        own = self.register_kind(operand)
        if not own:
            raise Unknown(f'destination {operand}')
        if own == 'pred' or is_float(own) and is_float(kind):
            return f'{self.name(operand)} = {value};'
        value = f'({C_TYPES[kind]})({value})'
        if is_float(own):
            value = f'ptx_{own}_of({value})'
        elif is_float(kind):
            value = f'ptx_bits_{kind}({value})'
        return f'{self.name(operand)} = {value};'

    def address(self, operand):
        match = re.match(r'\[\s*([^+\s]+)\s*(?:\+\s*(-?\w+))?\s*\]$', operand)
        if not match:
            raise Unknown(f'address {operand}')
        return f'((char *)(uintptr_t){self.read(match.group(1), "b64")} + {match.group(2) or 0})'

    # ---- statements ----

    def say(self, text):
        self.out.append('    ' + text)

    def declare(self, words, text):
        """.reg, .local, .shared, .param within a function."""
        space = words[0]
        if space == '.reg':
            for name in arguments(text.split(None, 2)[2]):
                self.declare_register(words[1][1:], name)
        elif space in ('.local', '.param'):
            self.declare_memory(text)
        elif space == '.shared':
            self.module.shared(text, self.places)
        elif space not in ('.pragma', '.loc', '.file'):
            raise Unknown(space)

    def declare_register(self, kind, name):
        many = re.match(r'(%[A-Za-z_$]+)<(\d+)>$', name)
        self.registers[many.group(1)[1:] if many else name] = kind
        names = [f'{many.group(1)}{i}' for i in range(int(many.group(2)))] if many else [name]
        if kind not in C_TYPES:
            raise Unknown(f'registers of type .{kind}')
        self.say(f'{C_TYPES[kind]} ' + ', '.join(f'{self.name(n)} = 0' for n in names) + ';')

    def declare_memory(self, text):
        name, size, alignment = memory(text)
        place = 'm_' + name.replace('$', '')
        self.places[name] = place
        self.say(f'_Alignas({alignment}) char {place}[{size}] = {{0}};')

    def statement(self, text):
        guard = ''
        match = re.match(r'@(!?)(%?[\w$]+)\s+(.*)', text, re.S)
        if match:
            guard, text = f'if ({match.group(1)}{self.name(match.group(2))}) ', match.group(3)
        words = text.split(None, 1)
        if words[0][0] == '.':
            self.declare(text.split(), text)
            return
        parts = words[0].split('.')
        rest = words[1] if len(words) > 1 else ''
        handler = HANDLERS.get(parts[0])
        if not handler:
            raise Unknown(f'instruction {words[0]}')
        self.say(f'{guard}{{ {handler(self, parts, arguments(rest))} }}')

    def label(self, name):
        self.say(f'{label(name)}:;')


def label(name):
    return 'l_' + name.replace('$', '')


def memory(text):
    """Name, bytes and alignment of a declaration of memory."""
    match = re.search(r'(?:\.align\s+(\d+)\s+)?(?:\.ptr\S*\s+)*\.(\w+)\s+([\w$%]+)\s*(?:\[(\d*)\])?', re.sub(
        r'^\.(param|local|shared|global|const|visible|extern|weak)\b', '', text).strip())
    if not match or match.group(4) == '':
        raise Unknown(f'declaration {text}')
    size = size_of(match.group(2))
    return match.group(3), size * int(match.group(4) or 1), max(int(match.group(1) or 1), size)


# ---- arithmetic ----

def plain(handler):
    """A handler of an instruction whose suffixes are NO_MATTER and one type."""
    def checked(f, parts, a):
        for part in parts[1:-1]:
            if not NO_MATTER.match(part):
                raise Unknown(f'.{part} of {".".join(parts)}')
        return f.write(a[0], handler(f, parts[-1], a), parts[-1])
    return checked


def infix(operator):
    def of(f, kind, a):
        wide = unsigned(kind) if not is_float(kind) else kind
        return f'{f.read(a[1], wide)} {operator} {f.read(a[2], wide)}'
    return plain(of)


def as_typed(operator):
    def of(f, kind, a):
        return f'{f.read(a[1], kind)} {operator} {f.read(a[2], kind)}'
    return plain(of)


def call_of(name):
    """A function of ptx.h for each type: ptx_NAME_TYPE(...)."""
    def of(f, kind, a):
        return f'ptx_{name}_{kind}({", ".join(f.read(x, kind) for x in a[1:])})'
    return plain(of)


def shift(name):
    def of(f, kind, a):
        return f'ptx_{name}_{kind}({f.read(a[1], kind)}, {f.read(a[2], "u32")})'
    return plain(of)


def multiply(f, parts, a):
    kind, how = parts[-1], parts[1]
    if how == 'wide':
        wide = kind[0] + str(2 * int(kind[1:]))
        return f.write(a[0], product(f, a, kind, wide), wide)
    if how == 'hi':
        return f.write(a[0], f'ptx_high_{kind}({f.read(a[1], kind)}, {f.read(a[2], kind)})' +
                       (f' + {f.read(a[3], kind)}' if parts[0] == 'mad' else ''), kind)
    if how not in ('lo', 'rn') and not (is_float(kind) and len(parts) == 2):
        raise Unknown('.'.join(parts))
    wide = kind if is_float(kind) else unsigned(kind)
    return f.write(a[0], product(f, a, wide, wide), kind)


def product(f, a, kind, wide):
    text = f'({C_TYPES[wide]}){f.read(a[1], kind)} * ({C_TYPES[wide]}){f.read(a[2], kind)}'
    return text + (f' + {f.read(a[3], wide)}' if len(a) > 3 else '')


def fused(f, kind, a):
    return f'fma{"f" if kind == "f32" else ""}({", ".join(f.read(x, kind) for x in a[1:])})'


def reciprocal(f, kind, a):
    return f'1 / {f.read(a[1], kind)}'


COMPARE = {'eq': '==', 'ne': '!=', 'lt': '<', 'le': '<=', 'gt': '>', 'ge': '>=',
           'lo': '<', 'ls': '<=', 'hi': '>', 'hs': '>='}
UNORDERED = {'equ': '==', 'neu': '!=', 'ltu': '<', 'leu': '<=', 'gtu': '>', 'geu': '>='}


def comparison(operator, x, y, floats):
    nan = f'({x} != {x} || {y} != {y})'
    if operator == 'num':
        return f'!{nan}'
    if operator == 'nan':
        return nan
    if operator in UNORDERED:
        return f'({nan} || {x} {UNORDERED[operator]} {y})'
    if operator not in COMPARE:
        raise Unknown(f'comparison {operator}')
    text = f'{x} {COMPARE[operator]} {y}'
    return f'(!{nan} && {text})' if floats and operator == 'ne' else f'({text})'


def set_predicate(f, parts, a):
    kind, joined = parts[-1], parts[2] if parts[2] in JOIN else None
    if len(parts) > (4 if joined else 3):
        raise Unknown('.'.join(parts))
    text = comparison(parts[1], f.read(a[1], kind), f.read(a[2], kind), is_float(kind))
    both = a[0].split('|')
    texts = [text, f'!{text}'][:len(both)]
    if joined:
        texts = [f'({t}) {JOIN[joined]} ({f.read(a[3], "pred")} != 0)' for t in texts]
    names = [f'const int p{i} = {t};' for i, t in enumerate(texts)]
    return ' '.join(names + [f.write(p, f'p{i}', 'pred') for i, p in enumerate(both)])


JOIN = {'and': '&', 'or': '|', 'xor': '^'}


def select(f, kind, a):
    return f'{f.read(a[3], "pred")} ? {f.read(a[1], kind)} : {f.read(a[2], kind)}'


def negate(f, kind, a):
    return f'-{f.read(a[1], kind if is_float(kind) else unsigned(kind))}'


def invert(f, kind, a):
    return f'{"!" if kind == "pred" else "~"}{f.read(a[1], kind)}'


ROUND = {'rni': 'rint', 'rzi': 'trunc', 'rmi': 'floor', 'rpi': 'ceil'}


def convert(f, parts, a):
    to, of = parts[-2], parts[-1]
    how = [part for part in parts[1:-2] if part != 'rn']
    value = f.read(a[1], of)
    if len(how) > 1 or how and how[0] not in ROUND:
        raise Unknown('.'.join(parts))
    if how:
        value = f'{ROUND[how[0]]}({value})'
    if is_float(of) and not is_float(to):
        value = f'ptx_whole_{to}({value})'
    return f.write(a[0], f'({C_TYPES[to]})({value})', to)


def move(f, parts, a):
    kind = parts[-1]
    if a[0][0] == '{':
        names = arguments(a[0][1:-1])
        each = int(kind[1:]) // len(names)
        return f'const {C_TYPES[kind]} all = {f.read(a[1], kind)}; ' + ' '.join(
            f.write(n, f'all >> {each * i}', f'b{each}') for i, n in enumerate(names))
    if a[1][0] == '{':
        names = arguments(a[1][1:-1])
        each = int(kind[1:]) // len(names)
        return f.write(a[0], ' | '.join(f'({C_TYPES[kind]}){f.read(n, f"b{each}")} << {each * i}'
                                        for i, n in enumerate(names)), kind)
    return f.write(a[0], f.read(a[1], kind), kind)


def bit_field(f, kind, a):
    return f'ptx_extract_{kind}({f.read(a[1], kind)}, {f.read(a[2], "u32")}, {f.read(a[3], "u32")})'


def bit_insert(f, kind, a):
    return (f'ptx_insert_{kind}({f.read(a[1], kind)}, {f.read(a[2], kind)}, {f.read(a[3], "u32")}, '
            f'{f.read(a[4], "u32")})')


def count_bits(name):
    def of(f, parts, a):
        return f.write(a[0], f'ptx_{name}_{parts[1]}({f.read(a[1], parts[1])})', 'u32')
    return of


def look_up(f, kind, a):
    terms = [f'({" & ".join(("" if i >> k & 1 else "~") + f.read(a[3 - k], kind) for k in range(3))})'
             for i in range(8) if int(a[4], 0) >> i & 1]
    return ' | '.join(terms) or '0'


def funnel(f, parts, a):
    if parts[2] not in ('wrap', 'clamp') or parts[1] not in 'lr':
        raise Unknown('.'.join(parts))
    count = f.read(a[3], 'u32')
    count = f'{count} % 32' if parts[2] == 'wrap' else f'({count} < 32 ? {count} : 32)'
    both = f'((uint64_t){f.read(a[2], "b32")} << 32 | {f.read(a[1], "b32")})'
    return f.write(a[0], f'{both} << ({count}) >> 32' if parts[1] == 'l' else f'{both} >> ({count})', 'b32')


# ---- memory ----

def vector(parts):
    return next((int(p[1]) for p in parts if p in ('v2', 'v4')), 1)


def space_of(parts):
    return next((p for p in parts if p in ('param', 'local')), None)


def order_of(parts):
    """The order and scope of a strong access; None: it is weak."""
    order = next((p for p in parts if p in ('relaxed', 'acquire', 'release', 'acq_rel', 'volatile')), None)
    scope = next((SCOPES[p] for p in parts if p in SCOPES), None)
    return order and (f'PTX_{order.upper()}' if order != 'volatile' else 'PTX_RELAXED', scope or 'PTX_SYS')


def known_only(parts):
    for part in parts[1:-1]:
        if not (NO_MATTER.match(part) or part in SCOPES or part in ('param', 'local', 'nc', 'v2', 'v4', 'relaxed', 'acquire',
                                                                     'release', 'acq_rel', 'volatile')):
            raise Unknown(f'.{part} of {".".join(parts)}')


def load(f, parts, a):
    known_only(parts)
    kind, many, order = parts[-1], vector(parts), order_of(parts)
    c, at = C_TYPES[kind], f.address(a[1])
    if order:
        if many > 1 or is_float(kind):
            raise Unknown('.'.join(parts))
        return f.write(a[0], f'ptx_load({at}, {size_of(kind)}, {order[0]}, {order[1]}, {f.line})', kind)
    names = arguments(a[0][1:-1]) if many > 1 else [a[0]]
    check = 'ptx_aligned' if space_of(parts) else 'ptx_read_constant' if 'nc' in parts else 'ptx_read'
    return (f'const {c} *at = (const {c} *){at}; {check}(at, {many * size_of(kind)}, {f.line}); ' + ' '.join(
        f'const {c} v{i} = at[{i}];' for i in range(many)) + ' ' + ' '.join(
            f.write(name, f'v{i}', kind) for i, name in enumerate(names)))


def unsigned_c(kind):
    return C_TYPES[unsigned(kind)]


def store(f, parts, a):
    known_only(parts)
    kind, many, order = parts[-1], vector(parts), order_of(parts)
    c, at = C_TYPES[kind], f.address(a[0])
    if order:
        if many > 1 or is_float(kind):
            raise Unknown('.'.join(parts))
        return f'ptx_store({at}, {f.read(a[1], unsigned(kind))}, {size_of(kind)}, {order[0]}, {order[1]}, {f.line});'
    names = arguments(a[1][1:-1]) if many > 1 else [a[1]]
    check = 'ptx_aligned' if space_of(parts) else 'ptx_write'
    return f'{c} *at = ({c} *){at}; {check}(at, {many * size_of(kind)}, {f.line}); ' + ' '.join(
        f'at[{i}] = {f.read(name, kind)};' for i, name in enumerate(names))


ATOMIC = {'add': '{x} + {y}', 'and': '{x} & {y}', 'or': '{x} | {y}', 'xor': '{x} ^ {y}', 'exch': '{y}',
          'min': '{x} < {y} ? {x} : {y}', 'max': '{x} > {y} ? {x} : {y}', 'cas': '{x} == {y} ? {z} : {x}',
          'inc': '{x} >= {y} ? 0 : {x} + 1', 'dec': '{x} == 0 || {x} > {y} ? {y} : {x} - 1'}


def atomic(f, parts, a):
    """atom, and red: the same without a result."""
    kind, what = parts[-1], next((p for p in parts if p in ATOMIC), None)
    order = order_of(parts) or ('PTX_RELAXED', next((SCOPES[p] for p in parts if p in SCOPES), 'PTX_GPU'))
    if not what:
        raise Unknown('.'.join(parts))
    known_only([p for p in parts if p != what])
    a = a if parts[0] == 'atom' else ['_'] + a
    c, size = C_TYPES[kind], size_of(kind)
    as_value = f'ptx_{kind}_of' if is_float(kind) else f'({c})'
    as_bits = f'ptx_bits_{kind}' if is_float(kind) else f'({unsigned_c(kind)})'
    new = ATOMIC[what].format(x='x', y='y', z=f.read(a[3], kind) if what == 'cas' else '')
    return (f'char *at = {f.address(a[1])}; const {c} y = {f.read(a[2], kind)}; '
            f'const {c} x = {as_value}(ptx_atom_load(at, {size}, {order[0]}, {order[1]}, {f.line})); '
            f'ptx_atom_store(at, {as_bits}({new}), {size}, {order[0]}, {order[1]}); {f.write(a[0], "x", kind)}')


def copy_ahead(f, parts, a):
    """cp.async: what it copies is there behind the wait for its group."""
    if parts[1:] == ['async', 'commit_group']:
        return 'ptx_copies_commit();'
    if parts[1:] == ['async', 'wait_group'] and re.match(r'\d+$', a[0]):
        return f'ptx_copies_await({a[0]}, {f.line});'
    if parts[1:] not in (['async', 'ca', 'shared', 'global'], ['async', 'cg', 'shared', 'global']) or len(a) != 3 or \
            a[2] not in ('4', '8', '16') or (parts[2] == 'cg' and a[2] != '16'):
        raise Unknown('.'.join(parts))
    return f'ptx_copy_begin({f.address(a[0])}, {f.address(a[1])}, {a[2]}, {f.line});'


def fence(f, parts, a):
    scope = next((SCOPES[p] for p in parts if p in SCOPES), None)
    if not scope or len(parts) - (parts[0] == 'fence') > 2 or parts[0] == 'fence' and parts[1] not in ('sc', 'acq_rel'):
        raise Unknown('.'.join(parts))
    return f'ptx_fence({scope}, {int("acq_rel" not in parts)}, {f.line});'


# ---- lanes together ----

def meet_warp(f, parts, a):
    return f'ptx_meet_warp({f.read(a[0], "b32")}, {f.line});'


def meet_block(f, parts, a):
    if parts[1] not in ('sync', 'cta') or len(a) != 1 or a[0] != '0' or parts[-1] not in ('sync', 'aligned'):
        raise Unknown('.'.join(parts))
    return f'ptx_meet_block({f.line});'


def barrier(f, parts, a):
    return (meet_warp if 'warp' in parts else meet_block)(f, parts, a)


def shuffle(f, parts, a):
    names = a[0].split('|') + ['_']
    if parts[1] != 'sync' or parts[-1] != 'b32':
        raise Unknown('.'.join(parts))
    return (f'int there; const uint32_t theirs = ptx_shuffle(PTX_{parts[2].upper()}, {f.read(a[1], "b32")}, '
            f'{f.read(a[2], "b32")}, {f.read(a[3], "b32")}, {f.read(a[4], "b32")}, &there, {f.line}); '
            f'{f.write(names[0], "theirs", "b32")} {f.write(names[1], "there", "pred")}')


def vote(f, parts, a):
    if parts[1] != 'sync' or parts[2] not in ('ballot', 'any', 'all', 'uni'):
        raise Unknown('.'.join(parts))
    return f.write(a[0], f'ptx_vote(PTX_{parts[2].upper()}, {f.read(a[1], "pred")}, {f.read(a[2], "b32")}, {f.line})',
                   parts[-1])


def fold(f, parts, a):
    return f.write(a[0], f'ptx_fold(PTX_FOLD_{parts[2].upper()}, {int(parts[-1] == "s32")}, {f.read(a[1], "b32")}, '
                         f'{f.read(a[2], "b32")}, {f.line})', parts[-1])


# ---- control ----

def branch(f, parts, a):
    return f'goto {label(a[0])};'


def branch_table(f, parts, a):
    cases = ' '.join(f'case {i}: goto {label(t)};' for i, t in enumerate(f.targets[a[1]]))
    return f'switch ({f.read(a[0], "u32")}) {{ {cases} default: ptx_trap({f.line}); }}'


def call(f, parts, a):
    """call (result), name, (arguments): a function of the module, or of the C library (math.cuh)."""
    a = a if a[0][0] == '(' else ['()'] + a
    results, name, given = arguments(a[0][1:-1]), a[1], arguments(a[2][1:-1]) if len(a) > 2 else []
    places = [f.places[x] for x in results + given]
    if name in f.module.functions:
        return f'f_{name}({", ".join(places)});'
    match = re.match(r'orrery_host_([fl]+)_(\w+)$', name)
    if not match:
        raise Unknown(f'call of {name}')
    types = ['float' if t == 'f' else 'double' for t in match.group(1)]
    of = [f'*({t} *){p}' for t, p in zip(types, places)]
    return f'{of[0]} = {match.group(2)}({", ".join(of[1:])});'


HANDLERS = {
    'add': infix('+'), 'sub': infix('-'), 'mul': multiply, 'mad': multiply, 'fma': plain(fused), 'div': as_typed('/'),
    'rem': as_typed('%'), 'and': as_typed('&'), 'or': as_typed('|'), 'xor': as_typed('^'), 'not': plain(invert), 'neg': plain(negate),
    'shl': shift('left'), 'shr': shift('right'), 'min': call_of('min'), 'max': call_of('max'), 'abs': call_of('abs'),
    'sqrt': call_of('root'), 'rcp': plain(reciprocal), 'copysign': call_of('sign_from'), 'setp': set_predicate,
    'selp': plain(select), 'cvt': convert, 'mov': move, 'bfe': plain(bit_field), 'bfi': plain(bit_insert), 'popc': count_bits('ones'),
    'clz': count_bits('zeros'), 'brev': call_of('reversed'), 'lop3': plain(look_up), 'shf': funnel,
    'cvta': lambda f, parts, a: f.write(a[0], f.read(a[1], 'u64'), 'u64'),
    'ld': load, 'ldu': load, 'st': store, 'atom': atomic, 'red': atomic, 'membar': fence, 'fence': fence,
    'cp': copy_ahead, 'bar': barrier, 'barrier': barrier, 'shfl': shuffle, 'vote': vote, 'redux': fold,
    'activemask': lambda f, parts, a: f.write(a[0], '1u << ptx_thread() % 32', 'b32'),
    'nanosleep': lambda f, parts, a: 'ptx_pause();', 'prefetch': lambda f, parts, a: '', 'prefetchu': lambda f, parts, a: '',
    'bra': branch, 'brx': branch_table, 'call': call, 'ret': lambda f, parts, a: 'return;',
    'exit': lambda f, parts, a: 'ptx_exit();', 'trap': lambda f, parts, a: f'ptx_trap({f.line});',
}


# ---- the module ----

def statements(text, line):
    """(line, kind, text): kind is `label`, `{`, `}`, `targets` or `;`."""
    at = 0
    while True:
        space = re.compile(r'\s*').match(text, at)
        line += text.count('\n', at, space.end())
        at = space.end()
        if at == len(text):
            return
        name = re.compile(r'(\$?[\w$]+):(?!:)').match(text, at)
        if text[at] in '{}':
            yield line, text[at], ''
            at += 1
        elif name:
            yield line, 'label', name.group(1)
            at = name.end()
        else:
            end = text.index(';', at)
            yield line, ';', ' '.join(text[at:end].split())
            line += text.count('\n', at, end)
            at = end + 1


class Module:
    """A file of PTX. `places`: names of memory of all its functions."""

    def __init__(self, text, heads_only):
        self.heads_only = heads_only
        self.text = re.sub(r'//[^\n]*', '', text)
        self.places, self.functions, self.entries, self.shared_bytes, self.out = {}, set(), [], 0, []

    def shared(self, text, places):
        name, size, alignment = memory(text)
        self.shared_bytes = (self.shared_bytes + alignment - 1) // alignment * alignment
        places[name] = f'ptx_shared({self.shared_bytes})'
        self.shared_bytes += size

    def parameters(self, text):
        return [memory(p)[0::1] for p in arguments(text)]

    def function(self, match):
        is_entry, result, name, given = match.group(1) == 'entry', match.group(2), match.group(3), match.group(4)
        start = match.end()
        line = self.text.count('\n', 0, start) + 1
        given = self.parameters(given or '')
        result = self.parameters(result or '')
        places = {p[0]: 'p_' + p[0].replace('$', '') for p in given + result}
        head = ', '.join(f'char *{places[p[0]]}' for p in result + given) or 'void'
        f = Function(self, places)
        self.out.append(f'\n{"" if is_entry else "static "}void f_{name}({head}) {{')
        if is_entry:
            self.entries.append((name, given[0][1]))
        self.body(f, self.text[start:body_end(self.text, start)], line)
        self.out.append('}')

    def body(self, f, text, line):
        if self.heads_only:
            for match in re.finditer(r'(?:^|[;{])\s*(\.shared\b[^;]*)', text):
                self.shared(match.group(1), {})
            return
        f.targets = branch_targets(text)
        text = re.sub(r'[\w$]+:\s*\.branchtargets[^;]*;', lambda m: '\n' * m.group(0).count('\n'), text)
        for f.line, kind, words in statements(text, line):
            try:
                if kind == 'label':
                    f.label(words)
                elif kind == ';':
                    f.statement(words)
                else:
                    f.say(kind)
            except Unknown as what:
                sys.exit(f'translate.py: line {f.line}: {what} is not translated: `{words}`')
        self.out += f.out

    def declarations(self):
        """Memory of the module, in front of its functions."""
        for match in re.finditer(r'^(?:\.visible |\.extern |\.weak )*\.(shared|global|const)\b([^;]*);', self.text, re.M):
            if match.group(1) == 'shared':
                self.shared(match.group(0).rstrip(';'), self.places)
            else:
                sys.exit(f'translate.py: memory of a module is not translated: `{match.group(0)}`')

    def translate(self):
        head = re.compile(r'\.(entry|func)\s*(?:\(([^)]*)\)\s*)?([\w$]+)\s*(?:\(([^)]*)\))?((?:\s*\.\w+[^\n{;]*)*)\s*([{;])')
        found = list(head.finditer(self.text))
        self.functions = {m.group(3) for m in found if m.group(6) == '{'}
        self.declarations()
        for match in found:
            if match.group(6) == '{':
                self.function(match)


def branch_targets(text):
    return {m.group(1): arguments(m.group(2))
            for m in re.finditer(r'([\w$]+):\s*\.branchtargets([^;]*);', text)}


def body_end(text, start):
    depth = 1
    for match in re.compile(r'[{}]').finditer(text, start):
        depth += 1 if match.group(0) == '{' else -1
        if depth == 0:
            return match.start()
    sys.exit('translate.py: a function does not end')


def table(module, kernels):
    print(f'#include "{kernels or "orrery_device.h"}"\n#include "ptx.h"')
    for name, size in module.entries:
        print(f'void f_{name}(char *job);\n'
              f'_Static_assert(sizeof(struct orrery_kernel_job) == {size}, "the job");')
    print('static const struct ptx_entry entries[] = {')
    for name, _ in module.entries:
        print(f'    {{"{name}", {f"(const void *){name}" if kernels else 0}, f_{name}, {module.shared_bytes}}},')
    print('};\n__attribute__((constructor)) static void entries_tell(void) {\n'
          '    ptx_tell(entries, sizeof entries / sizeof *entries);\n}')


def main():
    with_table = sys.argv[1] == '--table'
    with open(sys.argv[1 + with_table], encoding='utf-8') as file:
        module = Module(file.read(), with_table)
    module.translate()
    if with_table:
        table(module, sys.argv[3] if len(sys.argv) > 3 else None)
    else:
        print('#include "ptx.h"')
        print('\n'.join(module.out))


main()
