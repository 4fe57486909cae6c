"""Numbers do not follow the locale: the sources keep to base/text.h, and the checker notices what does not."""
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
            "vsnprintf(out, size, format, values);", "std::stod(text);"]
FINE = ['snprintf(out, sizeof out, "100 %% of %d for %s", 1, "g");', 'sscanf(line, "%d %n", &i, &n);',
        'text_format(out, sizeof out, "%g", x);', 'error_set(error, "%.3g", x);', "strtol(text, NULL, 10);"]


def check(root):
    done = subprocess.run([sys.executable, str(HERE / "check_text.py"), str(root)], capture_output=True, text=True,
                          check=False)
    return done.returncode, done.stdout


class Text(unittest.TestCase):
    def test_the_sources_keep_to_it(self):
        status, said = check(ROOT)
        self.assertEqual(status, 0, said)

    def test_each_breach_is_noticed(self):
        for number, line in enumerate(BREACHES + FINE):
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, "src/host/planted.cpp")
                path.parent.mkdir(parents=True)
                path.write_text(f"void f(void) {{\n  {line}\n}}\n")
                status, said = check(folder)
                self.assertEqual((status, "planted.cpp:2:" in said), (1, True) if number < len(BREACHES) else (0, False),
                                 f"{line}\n{said}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
