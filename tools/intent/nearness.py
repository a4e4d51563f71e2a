"""How far apart two words are: letters changed, added, left out, or swapped with a neighbour."""

LONGEST = 24
"""Longer words are near to none, so that the time stays bounded."""


def distance(one: str, other: str, most: int) -> int:
    """The optimal string alignment distance of two words; anything above `most` is `most` + 1."""
    if abs(len(one) - len(other)) > most or max(len(one), len(other)) > LONGEST:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        earlier, before, row = before, row, [i]
        for j, against in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != against))
            swapped = i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == against
            row.append(min(cost, earlier[j - 2] + 1) if swapped else cost)
    return min(row[-1], most + 1)


def swapped(one: str, other: str) -> bool:
    """Whether two words differ in two neighbours that have changed places, and in nothing else."""
    return sorted(one) == sorted(other) and distance(one, other, 1) == 1
