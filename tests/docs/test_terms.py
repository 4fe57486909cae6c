"""Who reads the book in its order meets no term before the page that explains it. What stands in code or in a link's
address does not count, nor does a word that the page explains on the spot, where it stands between asterisks. A planted breach is noticed."""
import pathlib
import re
import sys
import unittest

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
# The page that explains each term; of concepts.md the technical ones among those in bold.
TERMS = {
    "concepts": ["skinning", "bind pose", "rest pose", "morph target", "additive", "crossfade", "inertial", "in sync", "phase", "blend space",
                 "state machine", "modifier", "inverse kinematics", "IK", "root motion", "attachment", "marker", "mask", "one-shot"],
    "scripting": ["quaternion", "dual quaternion", "crowd", "cadence"],
    "blending": ["distance matching", "foot locking", "pivot"],
    "reload": ["transaction"],
    "debugging": ["look back", "ghost", "replay"],
    "formats": ["cooked", "jail"],
    "retargeting": ["A-pose", "T-pose"],
    "embedding": ["palette"],
    "safety": ["seccomp", "Landlock", "address sanitizer"],
    "architecture": ["Delaunay", "Wachspress"],
}


def book():
    """The pages in their order."""
    contents = (DOCS / "README.md").read_text(encoding="utf-8").split("There are also")[0]
    names = re.findall(r"\]\((\w+)\.md\)", contents)
    return {name: (DOCS / f"{name}.md").read_text(encoding="utf-8") for name in names if name != "reference"}


def prose(page):
    page = re.sub(r"```.*?```|`[^`]*`", "", page, flags=re.S)
    return re.sub(r"\s+", " ", re.sub(r"\]\([^)]*\)", "]", page))


def has(page, term):
    return re.search(rf"\b{term}", page) or (term.islower() and re.search(rf"\b{term}", page, re.I))


def breaches(pages):
    text = {name: prose(page) for name, page in pages.items()}
    order = list(pages)
    found = []
    for explains, terms in TERMS.items():
        for term in terms:
            if not has(text[explains], term):
                found.append(f"{explains}.md does not explain '{term}'")
            found += [f"{name}.md uses '{term}', which {explains}.md explains" for name in order[:order.index(explains)]
                      if has(text[name], term) and f" *{term}" not in text[name]]
    return found


class Terms(unittest.TestCase):
    def test_no_term_comes_before_its_page(self):
        self.assertEqual(breaches(book()), [])

    def test_one_that_does_is_noticed(self):
        pages = book()
        pages["start"] += "\nA modifier bends it."
        pages["architecture"] = ""
        self.assertEqual([line for line in breaches(pages) if "start.md" in line], ["start.md uses 'modifier', which concepts.md explains"])
        self.assertIn("architecture.md does not explain 'Delaunay'", breaches(pages))


if __name__ == "__main__":
    sys.exit(unittest.main())
