"""Leaves out of a case what is not needed for what it found."""


def shrink(case, found, tries):
    """`found(without)` says whether the case without those pieces still does it. The pieces to leave out."""
    without = frozenset()
    left = [n for n in case.pieces]
    size = max(1, len(left) // 2)
    while size and tries > 0:
        i, smaller = 0, False
        while i < len(left) and tries > 0:
            attempt = without | frozenset(left[i:i + size])
            tries -= 1
            if found(attempt):
                without, smaller = attempt, True
                del left[i:i + size]
            else:
                i += size
        size = size // 2 if size > 1 or not smaller else 1
    return without
