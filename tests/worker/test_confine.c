#include "support/fixture.h"

#include "base/file.h"
#include "worker/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READS_ALL = 1, READS_OWN = 2, READS_OTHERS = 4, READS_BELOW = 8, WRITES = 16, MAKES = 32, SEES = 64 };

static char folder[64];

static const char *in_folder(const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static bool can_open(const char *path, int flags) {
  int file = open(path, flags, 0600);
  if (file >= 0) close(file);
  return file >= 0;
}

/* What a process can do that confined itself to the folders of two models, told by its exit status. */
static int look_around(void) {
  char own[256], other[256];
  struct stat info;
  snprintf(own, sizeof own, "%s", in_folder("own/model.glb"));
  snprintf(other, sizeof other, "%s", in_folder("other/clips.fbx"));
  confine_reading(own, (const char *const[]){other}, 1);
  int can = 0;
  if (can_open(in_folder("secret"), O_RDONLY) || can_open("/etc/passwd", O_RDONLY)) can |= READS_ALL;
  if (can_open(own, O_RDONLY)) can |= READS_OWN;
  if (can_open(other, O_RDONLY)) can |= READS_OTHERS;
  if (can_open(in_folder("own/textures/skin.png"), O_RDONLY)) can |= READS_BELOW;
  if (can_open(own, O_WRONLY)) can |= WRITES;
  if (can_open(in_folder("own/new"), O_WRONLY | O_CREAT) || mkdir(in_folder("own/folder"), 0700) == 0) can |= MAKES;
  if (stat(in_folder("secret"), &info) == 0) can |= SEES;
  return can;
}

static int make(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/sinew-confine-XXXXXX");
  assert_non_null(mkdtemp(folder));
  assert_true(folder_create(in_folder("own/textures"), NULL) && folder_create(in_folder("other"), NULL));
  static const char *const files[] = {"secret", "own/model.glb", "own/textures/skin.png", "other/clips.fbx"};
  for (int i = 0; i < 4; i++) assert_true(file_write(in_folder(files[i]), "x", 1, NULL));
  return 0;
}

static int clean(void **state) {
  (void)state;
  char command[96];
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command);
}

static void the_models_folders_are_read_and_no_others(void **state) {
  (void)state;
  int status;
  pid_t child = fork();
  if (child == 0) _exit(look_around());
  assert_true(waitpid(child, &status, 0) == child && WIFEXITED(status));
  int can = WEXITSTATUS(status);
  if (can & READS_ALL && can & WRITES) skip(); /* no Landlock in this kernel */
  assert_int_equal(can, READS_OWN | READS_OTHERS | READS_BELOW | SEES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_models_folders_are_read_and_no_others)};
  return cmocka_run_group_tests(tests, make, clean);
}
