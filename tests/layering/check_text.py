"""Numbers are printed and read in base/text.c alone: elsewhere they would follow the locale of the program.

    check_text.py ROOT           prints FILE:LINE: sentence for every breach; status 1 where there is one

Files are read through file_open and script_open, which open no fifo: that would wait for whoever writes to it.

Text for people goes through text_show: a terminal might obey names in scenes and models as commands.

The bindings run between sinew_enter_c_locale and sinew_leave_c_locale, and may print as they like; they read no numbers but
through Lua.
"""
import pathlib
import re
import sys

READERS = re.compile(r"\b(strtod|strtof|strtold|atof|wcstod)\s*\(")
LISTS = re.compile(r"\b(vsn?printf|vfprintf|vprintf|vasprintf|vsscanf|vfscanf)\s*\(")
CALLS = re.compile(r"\b(snprintf|sprintf|fprintf|printf|dprintf|asprintf|sscanf|fscanf|scanf)\s*\(")
LOG = re.compile(r"\b(sinew_log)\s*\(")
STREAMS = re.compile(r"std::(to_string|stod|stof|ostringstream|istringstream|stringstream|cout)\b")
READS = re.compile(r'\bfopen\s*\([^;]*,\s*"rb?"\)')
MAY_READ = ("src/base/file.c", "src/base/posix/", "tools/bench/", "bindings/lua/script_file.c")
TO_PEOPLE = re.compile(r"\b(printf|fprintf|text_print|puts|fputs)\s*\(")
JSON = re.compile(r'[\[{]|\\"')
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
FLOAT = re.compile(r"(?<!%)(?:%%)*%[-+ #0-9.*']*(?:l|L)?[fFeEgGaA]")


def arguments(text, start):
    """What stands between the parenthesis at `start` and its end."""
    depth, at = 0, start
    while at < len(text):
        if text[at] == '"':
            at = LITERAL.match(text, at).end()
            continue
        depth += (text[at] == "(") - (text[at] == ")")
        at += 1
        if depth == 0:
            break
    return text[start:at]


def shows_unseen(name, inside):
    """Whether this prints a text to standard output or error as it is; JSON has its own function for texts."""
    formats = "".join(LITERAL.findall(inside))
    if name in ("puts", "fputs"):
        return not formats and (name == "puts" or re.search(r"\bstd(out|err)\)$", inside))
    to_people = name == "printf" or re.match(r"\(\s*std(out|err)\b", inside)
    return to_people and re.search(r"%[-0-9.*]*s", formats) and not JSON.search(formats)


def breaches(root):
    for folder in ("src", "bindings", "tools"):
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix not in (".c", ".h", ".cpp") or name == "src/base/text.c" or "/windows/" in name:
                continue
            text = path.read_text(encoding="utf-8")
            for pattern in [READERS] + ([LISTS, STREAMS] if folder != "bindings" else []):
                for found in pattern.finditer(text):
                    yield name, text.count("\n", 0, found.start()) + 1, f"{found[1]} follows the locale: use base/text.h"
            for found in LOG.finditer(text if folder == "bindings" and name != "bindings/declare/say.c" else ""):
                yield name, text.count("\n", 0, found.start()) + 1, "a scene could flood the log: use declarations_say"
            for found in READS.finditer(text if not name.startswith(MAY_READ) else ""):
                yield name, text.count("\n", 0, found.start()) + 1, "a fifo would stop it: use file_open or script_open"
            for found in TO_PEOPLE.finditer(text if not name.startswith(("tools/", "src/worker/", "src/main.c")) else ""):
                if shows_unseen(found[1], arguments(text, found.end() - 1)):
                    yield name, text.count("\n", 0, found.start()) + 1, "a terminal could obey it: use text_show"
            for found in CALLS.finditer(text):
                inside = arguments(text, found.end() - 1)
                formats = "".join(LITERAL.findall(inside))
                reads = "scanf" in found[1]
                if (folder != "bindings" or reads) and FLOAT.search(formats):
                    yield name, text.count("\n", 0, found.start()) + 1, f"{found[1]} of a float: use base/text.h"


def main():
    found = [f"{name}:{line}: {sentence}" for name, line, sentence in breaches(pathlib.Path(sys.argv[1]))]
    print("\n".join(found) or "every number comes through base/text.h")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
