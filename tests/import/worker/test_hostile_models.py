"""Every file of a folder that people fill with broken models gives a model or one sentence: never a crash of `sinew`, a
hang, or silence. The folder is that of Debian's assimp-testmodels, malformed files included; the test is skipped where it
is not installed.

    test_hostile_models.py                a sample, in some seconds
    test_hostile_models.py --all [FOLDER] everything, and a table of what came of it
"""
import collections
import concurrent.futures
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = os.environ.get("SINEW_PROGRAM") or str(ROOT / "build/release/sinew")
FOLDERS = [pathlib.Path("/usr/share/assimp")]
NOT_MODELS = {".txt", ".md", ".png", ".jpg", ".jpeg", ".tga", ".bmp", ".dds", ".bin", ".mtl", ".zip", ".blend1", ".html",
              ".cfg", ".gif", ".pcx", ".material", ".skeleton", ".hdr", ".tif", ".source", ".url", ".uc", ".ms3dm"}
SAMPLE_BYTES = 200_000
LIMIT = 120  # seconds for one file: more than sinew-import gives itself


def surroundings():
    """A build with sanitizers has no limit of memory but this one."""
    options = os.environ.get("ASAN_OPTIONS", "") + ":max_allocation_size_mb=2048:allocator_may_return_null=1"
    return {**os.environ, "SINEW_CACHE": "off", "ASAN_OPTIONS": options + ":hard_rss_limit_mb=3000"}


def look(path):
    """(what came of it, the sentence)"""
    try:
        done = subprocess.run([PROGRAM, "info", str(path)], stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT,
                              env=surroundings(), check=False)
    except subprocess.TimeoutExpired:
        return "HANG", f"more than {LIMIT} s"
    lines = [line for line in done.stderr.decode("utf-8", "replace").splitlines()
             if not line.startswith("sinew: warning: ") and not line.endswith(": is being imported")]
    if done.returncode == 0:
        return "model", ""
    sentence = lines[-1] if lines else ""
    if done.returncode != 1 or not sentence.startswith("sinew: ") or path.name not in sentence or len(lines) > 1:
        return "WRONG", f"status {done.returncode}: {' | '.join(lines)[:300]}"
    if "the importer" in sentence and "reading it" in sentence:
        return "stopped", sentence
    return "sentence", sentence


def files_of(folders):
    found = [path for folder in folders for path in sorted(folder.rglob("*"))
             if path.is_file() and path.suffix.lower() not in NOT_MODELS and path.suffix]
    return found


def sample_of(files):
    """Small ones, those with telling names first, then each fifth; under sanitizers, which do not see into Assimp, each 15th,
    and none that fills the memory: only builds without sanitizers limit it."""
    sanitized = os.environ.get("SINEW_SANITIZED") == "1"
    small = [path for path in files if path.stat().st_size <= SAMPLE_BYTES and not (sanitized and "OutOfMemory" in path.name)]
    telling = [path for path in small if any(word in str(path).lower() for word in
                                             ("invalid", "broken", "crash", "corrupt", "bad", "malformed", "fuzz", "issue"))]
    return telling[:40] + [path for path in small[::15 if sanitized else 5] if path not in telling]


def main():
    everything = "--all" in sys.argv
    named = [pathlib.Path(word) for word in sys.argv[1:] if word != "--all"]
    folders = [folder for folder in named or FOLDERS if folder.is_dir()]
    if not folders:
        print("assimp-testmodels is not installed")
        return 77
    files = files_of(folders) if everything else sample_of(files_of(folders))
    results = collections.defaultdict(list)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for path, (kind, sentence) in zip(files, pool.map(look, files)):
            results[kind].append((path, sentence))
    for kind in sorted(results):
        print(f"{kind}: {len(results[kind])}")
        for path, sentence in results[kind]:
            if kind != "model" and (everything or kind.isupper()):
                print(f"    {path}: {sentence[:240]}")
    return 1 if results["HANG"] or results["WRONG"] else 0


if __name__ == "__main__":
    sys.exit(main())
