"""Numbers do not follow the locale, and the bindings write to the log in one place; the checker notices what does not."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

BREACHES = ["double x = strtod(text, &end);", "float x = strtof(text, NULL);", "double x = atof(text);",
            'snprintf(out, sizeof out, "%d and %.3g", 1, x);', 'fprintf(file,\n  "%s"\n  " %-8.*f", text, 3, x);',
            'printf("%lf\\n", x);', 'sscanf(line, "%d %f", &i, &x);', 'sscanf(line, "%lg", &x);',
            "vsnprintf(out, size, format, values);", "std::stod(text);", 'printf("  %-24s\\n", name);',
            'fprintf(stderr, "%s\\n", line);', 'text_print(stdout, "%s %g", name, x);', "puts(answer);",
            "fputs(line, stdout);", 'FILE *file = good ? fopen(path, "rb") : NULL;', 'FILE *f = fopen(path, "r");']
FINE = ['FILE *file = fopen(path, "ab");', 'snprintf(out, sizeof out, "100 %% of %d for %s", 1, "g");', 'sscanf(line, "%d %n", &i, &n);',
        'printf("%d frames\\n", count);', 'printf(",\\"ends\\":%s", end);', 'fprintf(file, "%s", name);',
        'fputs("usage\\n", stdout);', 'text_show(stdout, "%s\\n", name);', 'text_format(out, sizeof out, "%g", x);', 'error_set(error, "%.3g", x);', "strtol(text, NULL, 10);"]


def check(root):
    done = subprocess.run([sys.executable, str(HERE / "check_text.py"), str(root)], capture_output=True, text=True,
                          check=False)
    return done.returncode, done.stdout


class Text(unittest.TestCase):
    def test_the_sources_keep_to_it(self):
        status, said = check(ROOT)
        self.assertEqual(status, 0, said)

    def expect(self, file, line, noticed):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, file)
            path.parent.mkdir(parents=True)
            path.write_text(f"void f(void) {{\n  {line}\n}}\n")
            status, said = check(folder)
            self.assertEqual((status, f"{path.name}:2:" in said), (int(noticed), noticed), f"{line}\n{said}")

    def test_each_breach_is_noticed(self):
        for line in BREACHES:
            self.expect("src/host/planted.cpp", line, True)
        for line in FINE:
            self.expect("src/host/planted.cpp", line, False)

    def test_one_file_of_the_bindings_writes_to_the_log(self):
        for file, noticed in [("bindings/api/planted.c", True), ("bindings/declare/say.c", False),
                              ("src/actor/planted.c", False)]:
            self.expect(file, 'sinew_log(SINEW_LOG_INFO, "%s", text);', noticed)


if __name__ == "__main__":
    unittest.main(verbosity=2)
