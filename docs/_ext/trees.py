"""Small hierarchies with the labels of one sample, as SVG that takes its colours from the page."""

from html import escape

LETTER, GAP, ROW, BOX = 6.2, 10, 40, 20
"""Widths and heights in pixels: of a letter, between boxes, of a level, and of a box."""

MARKS = {(True, True): ("right", "✓ "), (True, False): ("missed", "○ "), (False, True): ("false", "✗ ")}


def draw(links, concepts, truth, prediction, alt):
    """Draw a hierarchy of links (parent, child), roots at the top; labels have a sign and a colour."""
    parents = {name: [top for top, low in links if low == name] for name in concepts}
    children = {name: [low for top, low in links if top == name] for name in concepts}
    signs = {name: MARKS.get((name in truth, name in prediction), ("", "")) for name in concepts}
    texts = {name: f"{signs[name][1]}{name}" for name in concepts}
    widths = {name: LETTER * len(texts[name]) + 12 for name in concepts}
    level, middle, edge = {}, {}, [0.0]

    def place(name, depth):
        level[name] = max(depth, level.get(name, 0))
        new = [child for child in children[name] if child not in middle]
        begin = edge[0]
        for child in new:
            if child not in middle:
                place(child, depth + 1)
        ends = [middle[child] for child in new]
        if ends:
            middle[name] = max((min(ends) + max(ends)) / 2, begin + widths[name] / 2)
        else:
            middle[name] = edge[0] + widths[name] / 2
        edge[0] = max(edge[0], middle[name] + widths[name] / 2 + GAP)

    for name in concepts:
        if not parents[name]:
            place(name, 0)
    for _ in concepts:  # a concept with several parents stands below the lowest of them
        for top, low in links:
            level[low] = max(level[low], level[top] + 1)
    tops = {name: level[name] * ROW + 2 for name in concepts}
    width, height = max(edge[0] - GAP, 1) + 4, max(tops.values()) + BOX + 4
    lines = [
        f'<line x1="{middle[top] + 2:.0f}" y1="{tops[top] + BOX}" '
        f'x2="{middle[low] + 2:.0f}" y2="{tops[low]}"/>'
        for top, low in links
    ]
    boxes = [
        f'<g class="{signs[name][0]}"><rect x="{middle[name] + 2 - widths[name] / 2:.0f}" y="{tops[name]}" '
        f'width="{widths[name]:.0f}" height="{BOX}" rx="4"/><text x="{middle[name] + 2:.0f}" '
        f'y="{tops[name] + 14}">{escape(texts[name])}</text></g>'
        for name in concepts
    ]
    return (
        f'<svg class="tree" role="img" aria-label="{escape(alt)}" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}">{"".join(lines + boxes)}</svg>'
    )


def figure(pictures, caption):
    """Put pictures side by side, with a caption below."""
    return f'<figure class="cases"><div>{"".join(pictures)}</div><figcaption>{caption}</figcaption></figure>'


def described(truth, prediction):
    """Write the labels of a sample for those who do not see the picture."""
    sides = (", ".join(sorted(side)) or "nothing" for side in (truth, prediction))
    return "True: {}. Predicted: {}.".format(*sides)
