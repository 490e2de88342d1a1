"""Two kinds of SVG plots with intervals as whiskers, for plots.py. Pure Python without dependencies."""

import html
import math

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#aa4499", "#7a6a00", "#444444"]
INK, FAINT, GRID = "#222222", "#666666", "#dddddd"
WIDTH = 860


class Axis:
    """Maps values to pixels, with ticks at 1, 2 and 5 times powers of ten."""

    def __init__(self, least, most, begin, end, log):
        self.log, self.begin, self.end = log, begin, end
        if log:
            self.least, self.most = math.log10(least), math.log10(most)
        else:
            self.least, self.most = 0.0, most

    def at(self, value):
        share = (self.place(value) - self.least) / (self.most - self.least)
        return self.begin + min(1.0, max(0.0, share)) * (self.end - self.begin)

    def place(self, value):
        return math.log10(max(value, 1e-12)) if self.log else value

    def holds(self, value):
        return self.place(value) <= self.most + 1e-9

    def reaches(self, value):
        return self.holds(value) and self.place(value) >= self.least - 1e-9

    def ticks(self):
        if self.log:
            steps = (1,) if self.most - self.least > 3.2 else (1, 2, 5)
            powers = range(math.floor(self.least) - 1, math.ceil(self.most) + 1)
            values = [step * 10.0**power for power in powers for step in steps]
            return [v for v in values if self.least - 1e-9 <= math.log10(v) <= self.most + 1e-9]
        rough = self.most / 6
        size = 10.0 ** math.floor(math.log10(rough))
        step = next(m * size for m in (1, 2, 5, 10) if m * size >= rough)
        return [i * step for i in range(int(self.most / step + 1e-9) + 1)]


def words(value):
    return f"{value:,.0f}" if value >= 10 else f"{value:g}"


def short(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:,.1f}" if value >= 10 else f"{value:.2f}"


def with_interval(mean, half):
    """Formats a value with as many digits as its interval justifies."""
    digits = 0 if half >= 10 or mean >= 1000 else 1 if half >= 1 or mean >= 100 else 2
    return f"{mean:,.{digits}f} ± {half:,.{digits}f}"


class Page:
    def __init__(self, height, title, note):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
            f'font-family="DejaVu Sans, Verdana, sans-serif" font-size="13" role="img">',
            f"<title>{html.escape(title)}</title>",
            f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>']
        self.text(20, 28, title, size=17, bold=True)
        self.text(20, 48, note, colour=FAINT, size=12)

    def text(self, x, y, said, anchor="start", colour=INK, size=13, bold=False, turned=False):
        turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turned else ""
        weight = ' font-weight="bold"' if bold else ""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" font-size="{size}"'
                          f"{weight}{turn}>{html.escape(said)}</text>")

    def line(self, x1, y1, x2, y2, colour=INK, width=1.0, dashed=False):
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
                          f'stroke-width="{width}"{dash}/>')

    def dot(self, x, y, colour):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{colour}"/>')

    def legend(self, y, names):
        x = 20
        for name, colour in names:
            self.dot(x + 5, y - 4, colour)
            self.text(x + 16, y, name)
            x += 34 + 7.6 * len(name)

    def write(self, path):
        with open(path, "w") as file:
            file.write("\n".join([*self.parts, "</svg>"]) + "\n")


def dots(path, title, note, unit, rows, log=False, left=240):
    """Rows of (label, [(series, mean, low, high)]): a dot for each series, values to the right."""
    names = list(dict.fromkeys(point[0] for _, points in rows for point in points))
    colour = dict(zip(names, COLOURS))
    line, gap, top = 19, 10, 66 + (24 if len(names) > 1 else 0)
    bottom = top + sum(line * len(points) + gap for _, points in rows)
    page = Page(bottom + 56, title, note)
    if len(names) > 1:
        page.legend(76, colour.items())
    shown = [value for _, points in rows for point in points for value in point[1:]]
    positive = [value for value in shown if value > 0]
    axis = Axis(min(positive) * 0.8 if log else 0, max(shown) * (1.15 if log else 1.03), left, WIDTH - 150, log)
    for tick in axis.ticks():
        page.line(axis.at(tick), top - 4, axis.at(tick), bottom, GRID)
        page.text(axis.at(tick), bottom + 18, words(tick), "middle", FAINT, 12)
    page.text((left + WIDTH - 150) / 2, bottom + 40, unit, "middle")
    y = top
    for label, points in rows:
        page.text(left - 14, y + line * len(points) / 2 + 4, label, "end")
        for series, mean, low, high in points:
            middle = y + line / 2
            page.line(axis.at(low), middle, axis.at(high), middle, colour[series], 2)
            for end in (low, high):
                if axis.reaches(end):  # otherwise the whisker extends beyond the plot
                    page.line(axis.at(end), middle - 4, axis.at(end), middle + 4, colour[series], 2)
            page.dot(axis.at(mean), middle, colour[series])
            page.text(WIDTH - 138, middle + 4, with_interval(mean, (high - low) / 2), colour=colour[series], size=12)
            y += line
        y += gap
        page.line(20, y - gap / 2, WIDTH - 20, y - gap / 2, "#eeeeee")
    page.line(left, bottom, WIDTH - 150, bottom, FAINT)
    page.write(path)


def columns(path, title, note, labels, series, log=False, most=None):
    """Series of (name, {x: (mean, low, high)}, joined) over the places xs = labels[1]; labels = (x, xs, y)."""
    x_label, xs, y_label = labels
    height, left, top, bottom = 470, 90, 92, 400
    page = Page(height, title, note)
    page.legend(76, [(name, COLOURS[i]) for i, (name, _, _) in enumerate(series)])
    shown = [value for _, points, _ in series for point in points.values() for value in point if value > 0]
    axis = Axis(min(shown) * 0.8 if log else 0, most or max(shown) * 1.08, bottom, top, log)
    for tick in axis.ticks():
        page.line(left, axis.at(tick), WIDTH - 20, axis.at(tick), GRID)
        page.text(left - 8, axis.at(tick) + 4, words(tick), "end", FAINT, 12)
    room = (WIDTH - 20 - left) / len(xs)
    for i, x in enumerate(xs):
        page.text(left + (i + 0.5) * room, bottom + 20, str(x), "middle")
        if i:
            page.line(left + i * room, top, left + i * room, bottom, "#f0f0f0")
    page.line(left, bottom, WIDTH - 20, bottom, FAINT)
    page.text((left + WIDTH - 20) / 2, bottom + 46, x_label, "middle")
    page.text(26, (top + bottom) / 2, y_label, "middle", turned=True)
    for n, (_, points, joined) in enumerate(series):
        colour, before = COLOURS[n], None
        for i, x in enumerate(xs):
            if x not in points:
                continue
            mean, low, high = points[x]
            place = left + (i + 0.5) * room + (n - (len(series) - 1) / 2) * min(22, room * 0.8 / len(series))
            if not axis.holds(mean):  # draws an arrow with the value as text
                said = "∞" if math.isinf(mean) else short(mean)
                page.text(place, top + 12, "↑", "middle", colour, 15, True)
                page.text(place + 4, top + 20, said, "end", colour, 11, turned=True)
                before = (place, top)
                continue
            page.line(place, axis.at(low), place, axis.at(high), colour, 2)
            for end in (low, high):
                if axis.reaches(end):
                    page.line(place - 4, axis.at(end), place + 4, axis.at(end), colour, 2)
            if joined and before:
                page.line(*before, place, axis.at(mean), colour, 1.2, dashed=True)
            page.dot(place, axis.at(mean), colour)
            before = (place, axis.at(mean))
    page.write(path)
