"""Compares `sinew pose --raw --vertices` with reference poses computed by others, for every model in ../shared/models.

Prints a table (file, clip, worst node error, worst vertex error). Skips where the models or node are not there."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MODELS = ROOT.parent / "shared/models"
PROGRAM = os.environ.get("SINEW_PROGRAM") or str(ROOT / "build/release/sinew")

# File → (the failures that are known, why).
KNOWN = {
    "vertices_without_weights.gltf": (r"^rest: 2/14 sample vertices have no counterpart$",
                                      "glTF leaves open where vertices without weights go; ours follow the mesh's node"),
}


def pose(model, expected):
    words = [PROGRAM, "pose", str(model), "--raw", "--vertices", "--json"]
    for clip in expected["clips"]:
        times = ",".join(repr(frame["t"]) for frame in clip["frames"])
        words += ["--clip", f"#{clip['index']}", "--time", times]
    return subprocess.run(words, capture_output=True, timeout=120, check=False)


def check_part(expected, part, dump, folder):
    """check.mjs on the rest pose and one clip (None: the rest pose alone)."""
    cut = dict(expected, clips=[part] if part else [])
    (folder / "expected.json").write_text(json.dumps(cut))
    done = subprocess.run(["node", str(MODELS / "check.mjs"), str(folder / "expected.json"), str(dump)],
                          capture_output=True, timeout=120, check=False, text=True)
    return json.loads(done.stdout)


def check_model(model, expected_path, folder):
    """The unexpected failures of one file, as sentences."""
    expected = json.loads(expected_path.read_text()) if expected_path.exists() else {"clips": []}
    done = pose(model, expected)
    if done.returncode != 0:
        return [f"{model.name}: status {done.returncode}: {done.stderr.decode(errors='replace').strip()}"]
    if not expected_path.exists():
        return []
    dump, found = folder / "dump.json", set()
    dump.write_bytes(done.stdout)
    for clip in expected["clips"] or [None]:
        result = check_part(expected, clip, dump, folder)
        name = (clip["name"] or f"#{clip['index']}") if clip else "(rest)"
        print(f"{model.name:50} {name:20} node {result['nodeMax']:8.1e}  vertex {result['vertMax']:8.1e}"
              f"{'  ' + '; '.join(result['fails'][:2]) if result['fails'] else ''}")
        found.update(result["fails"])
    pattern, why = KNOWN.get(model.name, (None, None))
    known = {sentence for sentence in found if pattern and re.search(pattern, sentence)}
    if known:
        print(f"{'':50} known: {why}")
    elif pattern:
        return [f"{model.name}: is listed as failing and does not fail: take it off the list"]
    return [f"{model.name}: {sentence}" for sentence in sorted(found - known)]


def main():
    if not MODELS.is_dir() or not shutil.which("node"):
        print("skipped: needs ../shared/models and node")
        return 77
    failures, count = [], 0
    with tempfile.TemporaryDirectory(prefix="sinew-test-") as name:
        for models, expected in (("files", "expected"), ("synth", "expected-synth")):
            for model in sorted((MODELS / models).iterdir()):
                if model.suffix == ".bin":
                    continue
                count += 1
                failures += check_model(model, MODELS / expected / f"{model.name}.json", pathlib.Path(name))
    print(f"{count} models, {len(failures)} unexpected failures")
    for sentence in failures:
        print(sentence, file=sys.stderr)
    return 1 if failures or count < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
