/* What an importer can open once it has given up the rest. In a child, because there is no way back. */
#include "support/fixture.h"

#include "base/file.h"
#include "worker/confine.c"

#include <sys/wait.h>

static char folder[] = "/tmp/sinew-confine-XXXXXX", model[64], below[64], beside[64], others[64];

static bool opens(const char *path, int how) {
  int file = open(path, how | O_CLOEXEC, 0600);
  if (file >= 0) close(file);
  return file >= 0;
}

static bool kernel_confines(void) {
#ifdef HAVE_LANDLOCK
  return syscall(SYS_landlock_create_ruleset, (void *)0, (size_t)0, LANDLOCK_CREATE_RULESET_VERSION) >= 1;
#else
  return false;
#endif
}

/* The number of the first thing that is not as it must be, from 1; 0 for none. */
static int look_around(bool with_others) {
  char made[80];
  const char *const files[] = {others};
  snprintf(made, sizeof made, "%s.new", model);
  confine_reading(model, files, with_others);
  const bool wrong[] = {!opens(model, O_RDONLY),
                        !opens(below, O_RDONLY),
                        opens(beside, O_RDONLY),
                        opens("/etc/passwd", O_RDONLY),
                        opens(model, O_RDWR),
                        opens(made, O_WRONLY | O_CREAT),
                        opens(others, O_RDONLY) != with_others};
  for (int i = 0; i < 7; i++)
    if (wrong[i]) return i + 1;
  return 0;
}

static void an_importer_reads_the_folders_of_its_files_alone(void **state) {
  (void)state;
  if (!kernel_confines()) skip();
  assert_non_null(mkdtemp(folder));
  snprintf(model, sizeof model, "%s/a/model.glb", folder);
  snprintf(below, sizeof below, "%s/a/textures/skin.png", folder);
  snprintf(beside, sizeof beside, "%s/secret", folder);
  snprintf(others, sizeof others, "%s/b/clips.bvh", folder);
  const char *const files[] = {model, below, beside, others};
  for (int i = 0; i < 4; i++) {
    char inside[64];
    assert_true(path_folder(inside, sizeof inside, files[i]) && folder_create(inside, NULL));
    assert_true(file_write(files[i], "x", 1, NULL));
  }
  for (int with_others = 0; with_others < 2; with_others++) {
    int status;
    pid_t child = fork();
    if (child == 0) _exit(look_around(with_others));
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
  }
  char command[80];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(an_importer_reads_the_folders_of_its_files_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
