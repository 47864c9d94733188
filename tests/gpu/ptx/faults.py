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
    if at + 1 not in WRITTEN:
        return None
    match = re.search(r'\bld(\.global)?((\.v[24])?\.[a-z]\d+\s)', lines[at])
    return {at: lines[at].replace(match.group(0), 'ld.global.nc' + match.group(2))} if match else None


def far_away(lines, at):
    if not re.search(r'\b(ld|st)\b', lines[at]) or re.search(r'\.(param|local)\b', lines[at]):
        return None
    return {at: re.sub(r'\[(%\w+)(?:\+-?\d+)?\]', r'[\1+1073741824]', lines[at])}


def guard_inverted(lines, at):
    """The guard before a flag's store: who stores it."""
    if not re.search(r'\bst\.release', lines[at]):
        return None
    for i in range(at - 1, max(at - 20, 0), -1):
        match = re.match(r'(\s*)@(!?)(%p\d+ +bra)', lines[i])
        if match:
            return {i: lines[i].replace(f'@{match.group(2)}', '@' if match.group(2) else '@!', 1)}
    return None


KINDS = {
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
    'guard_inverted': guard_inverted,
    'constant_cache': constant_cache,
    'far_away': far_away,
    'allowed_no_fence': no_fence,
    'allowed_relaxed_behind_fence': relaxed_behind_fence,
}


# Of so many places these are enough, spread evenly.
AT_MOST = {'divergent': 2, 'far_away': 2, 'constant_cache': 3, 'misaligned': 3}

# Lines that read what the same kernel writes.
WRITTEN = set()


def entry_of(lines, at):
    """First and last line, and name, of the kernel with this line."""
    starts = [i for i, line in enumerate(lines) if '.entry' in line] + [len(lines)]
    first = max(i for i in starts if i <= at)
    return first, min(i for i in starts if i > at), re.search(r'\.entry\s+(\w+)', lines[first]).group(1)


def spread(found, most):
    step = max(1, len(found) / most)
    return [found[int(i * step)] for i in range(min(most, len(found)))]


def no_syncs(lines, trace):
    """Of each kernel whose lanes work together all bar.warp.sync that were executed; all but the first. One alone may have
    another beside it that does its work."""
    for first in [i for i, line in enumerate(lines) if '.entry' in line]:
        run = [line - 1 for line in trace if entry_of(lines, line - 1)[0] == first]
        syncs = [at for at in run if 'bar.warp.sync' in lines[at]]
        if len(syncs) > 1 and any('shfl' in lines[at] for at in run):
            yield syncs[0] + 1, {at: '' for at in syncs}
            yield syncs[1] + 1, {at: '' for at in syncs[1:]}


def faults(lines, trace):
    for kind, change in KINDS.items():
        found = [(line, change(lines, line - 1)) for line in trace]
        found = [(line, changed) for line, changed in found if changed]
        for line, changed in spread(found, AT_MOST.get(kind, len(found))):
            yield f'{kind}.{line}', line, changed
    for line, changed in no_syncs(lines, trace):
        yield f'no_syncs.{line}', line, changed


def main():
    with open(sys.argv[2], encoding='utf-8') as file:
        words = [line.split() for line in file]
    WRITTEN.update(int(w[0]) for w in words if len(w) > 1)
    with open(sys.argv[1], encoding='utf-8') as file:
        lines = file.read().split('\n')
    print('\n'.join(lines[:next(i for i, line in enumerate(lines) if '.entry' in line)]))
    for name, line, changed in faults(lines, sorted({int(w[0]) for w in words})):
        first, end, entry = entry_of(lines, line - 1)
        text = '\n'.join(changed.get(i, lines[i]) for i in range(first, end))
        print(re.sub(r'\.entry\s+\w+', f'.entry {entry}__{name.replace(".", "_")}', text, count=1))


main()
