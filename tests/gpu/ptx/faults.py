#!/usr/bin/env python3
"""faults.py KERNELS.ptx TRACE > FAULTS.ptx: faults planted in the PTX, each in a copy of its kernel, NAME__KIND_LINE.

TRACE: the lines that access memory or meet others and were executed, `written` behind those that read what the same kernel
writes (PTX_TRACE); only those are changed. KINDS says what there is. What begins with `allowed` is no fault: PTX's memory model
allows it, so nothing may be found.
"""
import re
import sys

MEMBAR = re.compile(r'membar\.\w+;|fence\.\S+;')


def narrower(text):
    return re.sub(r'\.(gpu|sys)\b', '.cta', text)


def without_fence_before(lines, at):
    """The fence that stands before the store at this line, taken out; None: there is none."""
    for i in range(at - 1, max(at - 12, 0), -1):
        if MEMBAR.search(lines[i]):
            return {i: MEMBAR.sub('', lines[i])}
        if re.search(r'\b(ld|st|bar|shfl|bra)\b', lines[i]):
            return None
    return None


def change_flag(word, new):
    """A flag's access, with another order."""
    def of(lines, at):
        return {at: re.sub(word, new, lines[at])} if re.search(word, lines[at]) else None
    return of


def store_alone(change):
    """A flag's store changed, and no fence before it."""
    def of(lines, at):
        if not re.search(r'\bst\.release', lines[at]):
            return None
        return {**(without_fence_before(lines, at) or {}), at: change(lines[at])}
    return of


def fence_alone(change):
    def of(lines, at):
        fence = without_fence_before(lines, at) if re.search(r'\bst\.release', lines[at]) else None
        return fence and {i: change(lines[i]) for i in fence}
    return of


def no_fence(lines, at):
    return without_fence_before(lines, at) if re.search(r'\bst\.release', lines[at]) else None


def relaxed_behind_fence(lines, at):
    if not re.search(r'\bst\.release', lines[at]) or not without_fence_before(lines, at):
        return None
    return {at: lines[at].replace('.release', '.relaxed')}


def misaligned(lines, at):
    match = re.search(r'\b(ld|st)\b[\w.]*\.v[24]\.', lines[at])
    if not match or '.param' in lines[at] or '.local' in lines[at]:
        return None
    return {at: re.sub(r'\[(%\w+)(?:\+(-?\d+))?\]', lambda m: f'[{m.group(1)}+{int(m.group(2) or 0) + 4}]', lines[at])}


def one_lane_less(instruction):
    return ('{ .reg .pred fault; .reg .b32 lane; mov.u32 lane, %laneid; setp.ne.u32 fault, lane, 5; '
            f'@fault {instruction.strip()} }}')


def divergent(lines, at):
    return {at: one_lane_less(lines[at])} if re.search(r'\b(shfl|vote)\.sync', lines[at]) else None


def constant_cache(lines, at):
    if at not in WRITTEN:
        return None
    match = re.search(r'\bld(\.global)?((\.v[24])?\.[a-z]\d+\s)', lines[at])
    return {at: lines[at].replace(match.group(0), 'ld.global.nc' + match.group(2))} if match else None


def far_away(lines, at):
    if not re.search(r'\b(ld|st)\b', lines[at]) or re.search(r'\.(param|local)\b', lines[at]):
        return None
    return {at: re.sub(r'\[(%\w+)(?:\+-?\d+)?\]', r'[\1+1073741824]', lines[at])}


def wait_inverted(lines, at):
    """The branch behind a look at a flag: goes on where it should wait."""
    if not re.search(r'\bld\.(acquire|relaxed)', lines[at]):
        return None
    for i in range(at + 1, min(at + 8, len(lines))):
        match = re.match(r'\s*@(!?)%p\d+ +bra', lines[i])
        if match:
            return {i: lines[i].replace('@!' if match.group(1) else '@', '@' if match.group(1) else '@!', 1)}
    return None


def copies_early(lines, at):
    """A wait that leaves more copies on their way."""
    match = re.search(r'cp\.async\.wait_group\s+(\d+)', lines[at])
    return match and {at: lines[at].replace(match.group(0), f'cp.async.wait_group {int(match.group(1)) + 8}')}


KINDS = {
    'copies_early': copies_early,
    'acquire_relaxed': change_flag(r'\bld\.acquire', 'ld.relaxed'),
    'acquire_weak': change_flag(r'\bld\.acquire\.(gpu|sys)', 'ld'),
    'acquire_narrow': change_flag(r'\bld\.acquire\.(gpu|sys)', 'ld.acquire.cta'),
    'release_relaxed': store_alone(lambda line: line.replace('.release', '.relaxed')),
    'release_weak': change_flag(r'\bst\.release\.(gpu|sys)', 'st'),
    'release_narrow': store_alone(narrower),
    'fence_narrow_relaxed': lambda lines, at: relaxed_behind_fence(lines, at) and {
        **relaxed_behind_fence(lines, at), **fence_alone(lambda line: MEMBAR.sub('membar.cta;', line))(lines, at)},
    'misaligned': misaligned,
    'divergent': divergent,
    'wait_inverted': wait_inverted,
    'constant_cache': constant_cache,
    'far_away': far_away,
    'allowed_no_fence': no_fence,
    'allowed_relaxed_behind_fence': relaxed_behind_fence,
}


# In each kernel the first place; of waits a look and a loop. Further flags pass on what few others need (a wavefront's rest).
AT_MOST = {'wait_inverted': 2, 'copies_early': 8}

# Lines that read what the same kernel writes.
WRITTEN = set()


def entry_of(lines, at):
    """First and last line, and name, of the kernel with this line."""
    starts = [i for i, line in enumerate(lines) if '.entry' in line] + [len(lines)]
    first = max(i for i in starts if i <= at)
    return first, min(i for i in starts if i > at), re.search(r'\.entry\s+(\w+)', lines[first]).group(1)


def no_syncs(lines, run):
    """Where lanes work together, all bar.warp.sync that were executed; all but the first. One alone may have another beside
    it that does its work."""
    syncs = [at for at in run if 'bar.warp.sync' in lines[at]]
    if len(syncs) > 1 and any('shfl' in lines[at] for at in run):
        yield 'no_syncs', syncs[0], {at: '' for at in syncs}
        yield 'no_syncs', syncs[1], {at: '' for at in syncs[1:]}


def never_set(lines, run):
    """All stores of flags."""
    stores = [at for at in run if re.search(r'\bst\.release', lines[at])]
    if stores:
        yield 'never_set', stores[0], {at: '' for at in stores}


def faults(lines, run):
    """Of a kernel: kind, line, and what becomes of lines. `run`: those that were executed."""
    for kind, change in KINDS.items():
        found = [(kind, at, change(lines, at)) for at in run]
        yield from [fault for fault in found if fault[2]][:AT_MOST.get(kind, 1)]
    yield from no_syncs(lines, run)
    yield from never_set(lines, run)


def main():
    with open(sys.argv[2], encoding='utf-8') as file:
        words = [line.split() for line in file]
    WRITTEN.update(int(w[0]) - 1 for w in words if len(w) > 1)
    trace = sorted({int(w[0]) - 1 for w in words})
    with open(sys.argv[1], encoding='utf-8') as file:
        lines = file.read().split('\n')
    starts = [i for i, line in enumerate(lines) if '.entry' in line] + [len(lines)]
    print('\n'.join(lines[:starts[0]]))
    for first, end in zip(starts, starts[1:]):
        name = re.search(r'\.entry\s+(\w+)', lines[first]).group(1)
        for kind, at, changed in faults(lines, [at for at in trace if first <= at < end]):
            text = '\n'.join(changed.get(i, lines[i]) for i in range(first, end))
            print(re.sub(r'\.entry\s+\w+', f'.entry {name}__{kind}_{at + 1}', text, count=1))


main()
