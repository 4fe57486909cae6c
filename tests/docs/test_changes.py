"""Every fragment in changes/ can be joined into the changelog, and joining loses no line."""
import importlib.util
import pathlib
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("join", ROOT / "changes/join.py")
join = importlib.util.module_from_spec(spec)
spec.loader.exec_module(join)


def of(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            pathlib.Path(folder, name).write_text(text, encoding="utf-8")
        return join.fragments(pathlib.Path(folder))


class Changes(unittest.TestCase):
    def test_those_of_the_project_can_be_joined(self):
        self.assertEqual(join.fragments(ROOT / "changes")[1], [])

    def test_what_is_no_fragment_is_noticed(self):
        for name, text in {"news-a.md": "* a\n", "add-a.md": "a\n", "fix-b.md": "* a\n\n* b\n", "fix-c.md": "* a", "add-e.md": "",
                           "change-d.md": f"* {'a' * 150}\n"}.items():
            self.assertEqual(len(of({name: text})[1]), 1, name)

    def test_joining_keeps_every_line_under_its_kind(self):
        bullets, wrong = of({"add-a.md": "* new a\n  and more\n", "fix-b.md": "* mended b\n", "README.md": "no fragment\n"})
        self.assertEqual(wrong, [])
        old = "# Changelog\n\n## Unreleased\n\n### Add\n\n* old a\n\n### Change\n\n* old c\n\n## 0.1.0 (2020-01-01)\n\n### Add\n\n* first\n"
        self.assertEqual(join.joined(old, bullets, "0.2.0", "2021-02-03"),
                         "# Changelog\n\n## Unreleased\n\n## 0.2.0 (2021-02-03)\n\n### Add\n\n* old a\n* new a\n  and more\n\n"
                         "### Change\n\n* old c\n\n### Fix\n\n* mended b\n\n## 0.1.0 (2020-01-01)\n\n### Add\n\n* first\n")

    def test_the_changelog_of_the_project_keeps_its_lines(self):
        text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
        new = join.joined(text, {kind: "" for kind in join.KINDS}, "9.9.9", "2021-02-03")
        self.assertEqual([line for line in new.split("\n") if line and "9.9.9" not in line], [line for line in text.split("\n") if line])


if __name__ == "__main__":
    unittest.main()
