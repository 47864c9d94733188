#!/usr/bin/env python3
"""Draws what `tests/bench/run convergence FILE` measured: one SVG per program, held-out quality against passes and
against seconds. Curves differ in dashes and marks as well as in colour; what lies above the picture is an arrow at its
edge, and the legend says which curves diverged.

usage: convergence_plot.py FILE FOLDER [--passes]      --passes: without seconds, for a machine that was not quiet
"""
import csv
import html
import os
import sys

WIDTH, HEIGHT, LEFT, TOP, GAP = 400, 260, 62, 34, 78
# Of a curve: colour (Okabe and Ito's, darker), dashes, mark.
STYLES = [("#000000", "", "circle"), ("#0072b2", "", "square"), ("#d55e00", "7 3", "up"), ("#9a6a00", "2 3", "down"),
          ("#00805a", "9 3 2 3", "diamond"), ("#aa4499", "4 4", "cross")]
MARKS = {"circle": "M-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0Z", "square": "M-3 -3h6v6h-6Z", "up": "M0 -4L4 3H-4Z",
         "down": "M0 4L4 -3H-4Z", "diamond": "M0 -4.4L4.4 0L0 4.4L-4.4 0Z", "cross": "M-3.4 -3.4L3.4 3.4M-3.4 3.4L3.4 -3.4",
         "above": "M-4 8L0 0L4 8M0 0V15"}
TITLES = {"mf": "Matrix factorization (mf)", "mf_adarev": "Matrix factorization with AdaptiveRevision (mf_adarev)",
          "lda": "Topics (lda)", "cp": "Tensor factorization (cp)", "glove": "Word vectors (glove)",
          "embed": "Node embeddings (embed)", "slr": "Sparse logistic regression (slr)",
          "fm": "Factorization machine (fm)"}


def curves_of(rows):
    """{program: {label: [(pass, seconds, held out)]}}, in the file's order."""
    programs = {}
    for row in rows:
        label = row["setting"]
        if label == "data-parallel":
            label = f"data parallel, {row['workers']} workers, {row['merges']} merge{'s' * (row['merges'] != '1')} a pass"
        elif label == "orrery":
            label = "Orrery, 8 x 8 blocks"
        point = (float(row["pass"]), float(row["seconds"]), float(row["held_out"]))
        programs.setdefault(row["program"], {}).setdefault(label, []).append(point)
    return programs


def range_of(curves):
    """The figures worth showing: from the best to where the serial program began, and a little more."""
    best = min(p[2] for points in curves.values() for p in points)
    first = max(points[0][2] for label, points in curves.items() if not label.startswith("data"))
    return best - .03 * (first - best), first + .15 * (first - best)


def ticks(low, high):
    """About five round numbers."""
    step = 10 ** len(str(int((high - low) / 5))) if high - low >= 50 else 1
    for candidate in (.001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 20, 50, step):
        if (high - low) / candidate <= 6:
            step = candidate
            break
    first = int(low / step) + 1
    return [round(step * i, 6) for i in range(first, int(high / step) + 1)]


def mark(kind, colour, x, y):
    fill = "none" if kind == "above" else colour
    return f'<path d="{MARKS[kind]}" transform="translate({x:.1f} {y:.1f})" fill="{fill}" stroke="{colour}"/>'


def has_diverged(curves, points):
    """The last error is no number, or ten times that with which the serial program began."""
    first = next(iter(curves.values()))[0][2]
    return not points[-1][2] < 10 * first


def curve(style, place, high, points):
    """A line with some marks: arrows where it is above the picture."""
    colour, dashes, kind = style
    line = " ".join("{:.1f},{:.1f}".format(*place(p)) for p in points)
    out = [f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.8" stroke-dasharray="{dashes}"/>']
    return out + [mark(kind if p[2] <= high else "above", colour, *place(p)) for p in points[::max(1, len(points) // 10)]]


def panel(curves, axis, title, x0):
    """One plot, as lines of SVG."""
    low, high = range_of(curves)
    most = max(p[axis] for points in curves.values() for p in points)

    def place(point):
        x = x0 + point[axis] / most * WIDTH
        return x, TOP + (high - min(point[2], high)) / (high - low) * HEIGHT

    out = [f'<rect x="{x0}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#999"/>',
           f'<text x="{x0 + WIDTH / 2}" y="{TOP + HEIGHT + 34}" text-anchor="middle">{title}</text>']
    for value in ticks(low, high):
        y = place((0, 0, value))[1]
        out.append(f'<path d="M{x0} {y:.1f}h{WIDTH}" stroke="#e4e4e4"/>'
                   f'<text x="{x0 - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
    for value in ticks(0, most):
        x = x0 + value / most * WIDTH
        out.append(f'<text x="{x:.1f}" y="{TOP + HEIGHT + 16}" text-anchor="middle">{value:g}</text>')
    for style, points in zip(STYLES, curves.values()):
        out += curve(style, place, high, points)
    return out


def draw(program, curves, seconds):
    """The whole picture of a program."""
    width = 2 * (LEFT + WIDTH) + 60 if seconds else LEFT + WIDTH + 40
    height = TOP + HEIGHT + 50 + 18 * len(curves)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
           'font-size="12">', f'<rect width="{width}" height="{height}" fill="white"/>',
           f'<title>{html.escape(TITLES.get(program, program))}: held-out error</title>',
           f'<text x="{LEFT}" y="20" font-size="15">{html.escape(TITLES.get(program, program))}: held-out error</text>']
    out += panel(curves, 0, "passes", LEFT)
    if seconds:
        out += panel(curves, 1, "seconds", LEFT + WIDTH + GAP)
    for number, ((colour, dashes, kind), (label, points)) in enumerate(zip(STYLES, curves.items())):
        y = TOP + HEIGHT + 56 + 18 * number
        words = label + (": diverged" if has_diverged(curves, points) else "")
        out.append(f'<path d="M{LEFT} {y - 4}h36" stroke="{colour}" stroke-width="1.8" stroke-dasharray="{dashes}"/>'
                   f'{mark(kind, colour, LEFT + 18, y - 4)}<text x="{LEFT + 44}" y="{y}">{html.escape(words)}</text>')
    return "\n".join(out + ["</svg>", ""])


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        programs = curves_of(csv.DictReader(file, delimiter="\t"))
    os.makedirs(sys.argv[2], exist_ok=True)
    for program, curves in programs.items():
        with open(os.path.join(sys.argv[2], f"{program}.svg"), "w", encoding="utf-8") as file:
            file.write(draw(program, curves, "--passes" not in sys.argv))
    return 0


if __name__ == "__main__":
    sys.exit(main())
