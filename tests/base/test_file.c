/* A file that is written is the old one or the new one. */
#include "support/fixture.h"

#include "base/file.h"
#include "base/memory/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct position {
  char folder[64], path[96];
} position;

static int set_up(void **state) {
  static position p;
  snprintf(p.folder, sizeof p.folder, "/tmp/sinew-file-XXXXXX");
  assert_non_null(mkdtemp(p.folder));
  snprintf(p.path, sizeof p.path, "%s/a.txt", p.folder);
  *state = &p;
  return 0;
}

static int count_files(const char *folder) {
  int count = 0;
  DIR *files = opendir(folder);
  for (const struct dirent *file = readdir(files); file; file = readdir(files))
    count += file->d_name[0] != '.' || file->d_name[1] == 'p';
  closedir(files);
  return count;
}

static int tear_down(void **state) {
  position *p = *state;
  remove(p->path);
  return rmdir(p->folder);
}

static void assert_holds(const char *path, const char *text) {
  size_t size;
  unsigned char *data = file_read(path, 1000, &size, NULL);
  assert_non_null(data);
  assert_string_equal((char *)data, text);
  mem_free(data);
}

static void the_old_file_stays_until_the_new_one_is_whole(void **state) {
  position *p = *state;
  assert_true(file_write(p->path, "old", 3, NULL));
  file_writer *w = file_begin(p->path, true, NULL);
  fputs("new and longer", file_stream(w));
  fflush(file_stream(w));
  assert_holds(p->path, "old");
  assert_int_equal(count_files(p->folder), 2);
  file_abandon(w);
  assert_holds(p->path, "old");
  assert_int_equal(count_files(p->folder), 1);
  w = file_begin(p->path, false, NULL);
  fputs("new", file_stream(w));
  assert_true(file_commit(w, NULL));
  assert_holds(p->path, "new");
  assert_int_equal(count_files(p->folder), 1);
}

static void two_writers_do_not_meet(void **state) {
  position *p = *state;
  file_writer *a = file_begin(p->path, true, NULL), *b = file_begin(p->path, true, NULL);
  fputs("a", file_stream(a));
  fputs("b", file_stream(b));
  assert_true(file_commit(b, NULL));
  assert_true(file_commit(a, NULL));
  assert_holds(p->path, "a");
}

static void rights_are_kept(void **state) {
  position *p = *state;
  struct stat info;
  assert_true(file_write(p->path, "old", 3, NULL));
  assert_int_equal(chmod(p->path, 0640), 0);
  assert_true(file_write(p->path, "new", 3, NULL));
  assert_int_equal(stat(p->path, &info), 0);
  assert_int_equal(info.st_mode & 0777, 0640);
}

static void what_cannot_be_written_is_said(void **state) {
  position *p = *state;
  sinew_error error;
  char path[200];
  snprintf(path, sizeof path, "%s/none/a.txt", p->folder);
  assert_false(file_write(path, "x", 1, &error));
  assert_non_null(strstr(error.message, "none/a.txt: cannot be written: No such file"));
  assert_false(file_write(p->folder, "x", 1, &error)); /* a folder is in its place */
  assert_non_null(strstr(error.message, p->folder));
  assert_int_equal(count_files(p->folder), 0);
}

/* A limit on the size of files is what a full disk is to a program. */
static void the_reason_is_the_disks(void **state) {
  position *p = *state;
  static char data[100000];
  struct rlimit before, none = {.rlim_cur = 4096};
  sinew_error error;
  assert_true(file_write(p->path, "old", 3, NULL));
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  none.rlim_max = before.rlim_max;
  void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
  bool written = sinew_file_write(p->path, data, sizeof data, &error);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, handler);
  assert_false(written);
  assert_non_null(strstr(error.message, strerror(EFBIG)));
  assert_holds(p->path, "old");
  assert_int_equal(count_files(p->folder), 1);
}

/* A folder that cannot be made says why, and not that it is not there. */
static void a_folder_that_cannot_be_made_says_why(void **state) {
  sinew_error error;
  (void)state;
  if (mkdir("/sys/sinew", 0700) == 0) rmdir("/sys/sinew"), skip();
  const char *reason = strerror(errno);
  assert_false(folder_create("/sys/sinew", &error));
  assert_non_null(strstr(error.message, reason));
}

static void only_what_begins_so_is_replaced(void **state) {
  position *p = *state;
  assert_true(file_may_replace(p->path, "ours"));
  assert_true(file_write(p->path, "ours", 4, NULL));
  assert_true(file_may_replace(p->path, "ours"));
  assert_true(file_write(p->path, "theirs", 6, NULL));
  assert_false(file_may_replace(p->path, "ours"));
  assert_int_equal(unlink(p->path), 0);
  assert_int_equal(mkfifo(p->path, 0600), 0);
  assert_false(file_may_replace(p->path, "ours"));
  assert_int_equal(unlink(p->path), 0);
}

static void a_long_name_is_no_trouble(void **state) {
  position *p = *state;
  char path[400], name[251];
  memset(name, 'n', 250);
  name[250] = '\0';
  snprintf(path, sizeof path, "%s/%s", p->folder, name);
  assert_true(file_write(path, "x", 1, NULL));
  assert_int_equal(remove(path), 0);
}

static void put(const char *folder, const char *format, long process, char *path, size_t size) {
  char name[64];
  snprintf(name, sizeof name, format, process);
  snprintf(path, size, "%s/%s", folder, name);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fclose(file);
}

static void a_dead_run_leaves_nothing(void **state) {
  const position *p = *state;
  char dead[128], living[128], held[128], foreign[128], folder[128];
  pid_t child = fork();
  if (child == 0) _exit(0);
  assert_int_equal(waitpid(child, NULL, 0), child); /* nobody has its number now */
  put(p->folder, ".part-%ld-7-a.txt", (long)child, dead, sizeof dead);
  put(p->folder, ".part-%ld-8-a.txt", (long)getpid(), living, sizeof living);
  put(p->folder, ".part-%ld-9-a.txt", (long)child, held, sizeof held);
  put(p->folder, ".part-%ld.txt", (long)child, foreign, sizeof foreign);
  snprintf(folder, sizeof folder, "%s/.part-%ld-3-folder", p->folder, (long)child);
  assert_int_equal(mkdir(folder, 0777), 0);
  int lock = open(held, O_RDONLY); /* as a process of another machine does */
  assert_int_equal(flock(lock, LOCK_EX), 0);
  assert_true(file_write(p->path, "new", 3, NULL));
  assert_false(file_exists(dead));
  assert_true(file_exists(living) && file_exists(held) && file_exists(foreign) && folder_exists(folder));
  close(lock);
  remove(living), remove(held), remove(foreign), rmdir(folder);
}

static void beginnings(void **state) {
  position *p = *state;
  assert_true(file_write(p->path, "sinew recording 1\n", 18, NULL));
  assert_true(file_begins_with(p->path, "sinew recording "));
  assert_false(file_begins_with(p->path, "sinew pose "));
  assert_false(file_begins_with(p->path, "sinew recording 1\nand more"));
  assert_false(file_begins_with("/nowhere", "x"));
}

#ifndef _WIN32
/* ---- what the system is asked for: these take the place of the C library's ---- */

static char asked[256];

static void note(const char *what) { strncat(asked, what, sizeof asked - strlen(asked) - 1); }

int fsync(int file) {
  struct stat info;
  note(fstat(file, &info) == 0 && S_ISDIR(info.st_mode) ? "sync folder, " : "sync file, ");
  return 0;
}

int rename(const char *from, const char *to) {
  note("rename, ");
  return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

/* In any other order a loss of power leaves a name without what it names. */
static void what_is_written_is_on_the_disk_before_it_has_its_name(void **state) {
  position *p = *state;
  asked[0] = 0;
  assert_true(file_write(p->path, "new", 3, NULL));
  assert_string_equal(asked, "sync file, rename, sync folder, ");
  assert_true(file_write(p->path, "newer", 5, NULL));
  char beside[128];
  assert_true(file_name_beside(beside, sizeof beside, p->path));
  FILE *file = fopen(beside, "wb");
  fputs("newest", file);
  fclose(file);
  asked[0] = 0;
  assert_true(file_replace(beside, p->path, NULL));
  assert_string_equal(asked, "sync file, rename, sync folder, ");
  assert_holds(p->path, "newest");
}

/* The names beside a file can be guessed. What a stranger has put there is not written to. */
static void links_that_lie_in_wait_are_not_followed(void **state) {
  position *p = *state;
  char beside[128], victim[128], links[3][160];
  unsigned number;
  snprintf(victim, sizeof victim, "%s/victim", p->folder);
  assert_true(file_write(victim, "mine", 4, NULL));
  assert_true(file_name_beside(beside, sizeof beside, p->path));
  assert_int_equal(sscanf(strstr(beside, ".part-"), ".part-%*d-%u-", &number), 1);
  for (unsigned i = 0; i < 3; i++) {
    snprintf(links[i], sizeof links[i], "%s/.part-%ld-%u-a.txt", p->folder, (long)getpid(), number + 1 + i);
    assert_int_equal(symlink(victim, links[i]), 0);
  }
  assert_true(file_write(p->path, "new", 3, NULL));
  assert_holds(p->path, "new");
  assert_holds(victim, "mine");
  for (unsigned i = 0; i < 3; i++) assert_int_equal(remove(links[i]), 0);
  remove(victim);
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(the_old_file_stays_until_the_new_one_is_whole, set_up, tear_down),
      cmocka_unit_test_setup_teardown(two_writers_do_not_meet, set_up, tear_down),
      cmocka_unit_test_setup_teardown(rights_are_kept, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_cannot_be_written_is_said, set_up, tear_down),
      cmocka_unit_test_setup_teardown(the_reason_is_the_disks, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_folder_that_cannot_be_made_says_why, set_up, tear_down),
      cmocka_unit_test_setup_teardown(only_what_begins_so_is_replaced, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_long_name_is_no_trouble, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_dead_run_leaves_nothing, set_up, tear_down),
      cmocka_unit_test_setup_teardown(beginnings, set_up, tear_down),
#ifndef _WIN32
      cmocka_unit_test_setup_teardown(what_is_written_is_on_the_disk_before_it_has_its_name, set_up, tear_down),
      cmocka_unit_test_setup_teardown(links_that_lie_in_wait_are_not_followed, set_up, tear_down),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
