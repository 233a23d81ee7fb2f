# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""One row of the result: A against B, and what is made of it."""

import csv
import dataclasses
import statistics

FIELDS = ["part", "row", "measure", "a_is", "b_is", "a", "b", "ratio", "low",
          "high", "rounds", "goal", "verdict"]
VERDICTS = ["met", "level", "missed", "-"]


@dataclasses.dataclass
class Row:
    """Costs of A and of B, a pair a round, in the measure's unit.

    The ratio is the median of the rounds' ratios, its spread is from their
    first to their third quartile. `goal` is the most that the ratio may be, or
    None. The verdict: "met"; "level" when the spread reaches the goal and the
    median does not, so that this run cannot tell them apart; "missed".
    """

    part: str
    row: str
    measure: str
    a_is: str
    b_is: str
    pairs: list
    goal: float = None

    def ratios(self):
        """First quartile, median and third quartile"""
        ratios = sorted(a / b if b else (float("inf") if a else 1)
                        for a, b in self.pairs)
        if len(ratios) == 1:
            return ratios * 3
        if len(ratios) == 2 or ratios[-1] == float("inf"):
            return [ratios[0], statistics.median(ratios), ratios[-1]]
        low, middle, high = statistics.quantiles(ratios, method="inclusive")
        return [low, middle, high]

    def verdict(self):
        """How the ratio, to two places, compares with the goal"""
        low, middle, _ = self.ratios()
        if self.goal is None:
            return "-"
        if round(middle, 2) <= self.goal:
            return "met"
        return "level" if round(low, 2) <= self.goal else "missed"

    def values(self):
        """One for each of FIELDS"""
        low, middle, high = self.ratios()
        return [self.part, self.row, self.measure, self.a_is, self.b_is,
                f"{statistics.median(a for a, _ in self.pairs):.4f}",
                f"{statistics.median(b for _, b in self.pairs):.4f}",
                f"{middle:.3f}", f"{low:.3f}", f"{high:.3f}",
                str(len(self.pairs)),
                "" if self.goal is None else f"{self.goal:.2f}",
                self.verdict()]


def write_csv(rows, path):
    """All rows, with a header."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(FIELDS)
        writer.writerows(row.values() for row in rows)


def _short(number):
    """A value of FIELDS, as people read it"""
    value = float(number)
    if value == 0:
        return "0"
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


def table(rows):
    """All rows as text: a Markdown table of each part."""
    lines = []
    part = None
    for row in rows:
        if row.part != part:
            part = row.part
            lines += ["", f"### {part}", "",
                      "| | measure | A | B | A | B | A/B | spread | goal | |",
                      "|---|---|---|---|--:|--:|--:|---|--:|---|"]
        values = dict(zip(FIELDS, row.values()))
        spread = f"{float(values['low']):.2f} – {float(values['high']):.2f}"
        if values["rounds"] == "1":
            spread = ""
        lines.append(
            f"| {row.row} | {row.measure} | {row.a_is} | {row.b_is} "
            f"| {_short(values['a'])} | {_short(values['b'])} "
            f"| {float(values['ratio']):.2f} | {spread} "
            f"| {'≤ ' + values['goal'] if values['goal'] else ''} "
            f"| {values['verdict'] if values['goal'] else ''} |")
    return "\n".join(lines[1:]) + "\n"
