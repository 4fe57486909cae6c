/* Attacks by code that has taken over sinew-import: a probe (probe.c) runs in place of the importer, in the same
 * process and the same jail, and tries them all, while everything that it might reach exists. */
#include "support/fixture.h"

#include "base/file.h"
#include "import/worker/worker.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

typedef struct prey {
  char folder[64], abstract[64], port[16], parent[16], outside[128];
  int sockets[3];
} prey;

enum { STATUS = 8192 };

static prey around;

static const char *in_folder(const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", around.folder, name);
  return path;
}

static int listen_at(const void *address, socklen_t size) {
  int made = socket(*(const sa_family_t *)address, SOCK_STREAM, 0);
  assert_true(made >= 0 && bind(made, address, size) == 0 && listen(made, 8) == 0);
  return made;
}

static void plant_sockets(void) {
  struct sockaddr_in port = {.sin_family = AF_INET};
  struct sockaddr_un named = {.sun_family = AF_UNIX}, hidden = {.sun_family = AF_UNIX};
  socklen_t size = sizeof port;
  port.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  snprintf(named.sun_path, sizeof named.sun_path, "%s/in/socket", around.folder);
  snprintf(around.abstract, sizeof around.abstract, "sinew-jail-%d", (int)getpid());
  snprintf(hidden.sun_path + 1, sizeof hidden.sun_path - 1, "%s", around.abstract);
  around.sockets[0] = listen_at(&port, sizeof port);
  around.sockets[1] = listen_at(&named, sizeof named);
  around.sockets[2] =
      listen_at(&hidden, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(around.abstract)));
  assert_int_equal(getsockname(around.sockets[0], (struct sockaddr *)&port, &size), 0);
  snprintf(around.port, sizeof around.port, "%d", ntohs(port.sin_port));
}

static int plant(void **state) {
  (void)state;
  static const char *const files[] = {"letter.png",   "in/id_rsa",  "in/skin.png", "in/probe.glb",
                                      "in/abort.glb", "in/x32.glb", "in/rest.glb"};
  char link[256];
  snprintf(around.folder, sizeof around.folder, "/tmp/sinew-jail-XXXXXX");
  assert_non_null(mkdtemp(around.folder));
  assert_true(folder_create(in_folder("in"), NULL));
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    assert_true(file_write(in_folder(files[i]), "private", 7, NULL));
  snprintf(link, sizeof link, "%s", in_folder("in/link.png"));
  assert_int_equal(symlink("../letter.png", link), 0);
  assert_int_equal(mkfifo(in_folder("in/pipe.png"), 0600), 0);
  snprintf(around.outside, sizeof around.outside, "%s/letter.png", around.folder);
  assert_int_equal(chmod(around.outside, 0600), 0);
  snprintf(around.parent, sizeof around.parent, "%d", (int)getpid());
  setenv("SINEW_TEST_SECRET", "private", 1);
  plant_sockets();
  return 0;
}

static int clean(void **state) {
  (void)state;
  char command[96];
  for (int i = 0; i < 3; i++) close(around.sockets[i]);
  snprintf(command, sizeof command, "rm -r %s", around.folder);
  return system(command);
}

static const char *told_by(const char *program, const char *model) {
  static sinew_error error;
  char path[256];
  snprintf(path, sizeof path, "%s", in_folder(model));
  const char *const facts[] = {around.parent, around.port, around.abstract, around.outside};
  sinew_load_options options = sinew_load_options_default();
  options.clip_files = facts;
  options.clip_file_count = 4;
  worker *w = worker_start(program, path, &options, NULL, 0, &error);
  if (!w) fail_msg("%s", error.message);
  assert_true(worker_wait(w, 300));
  assert_null(worker_model(w, &error));
  worker_destroy(w);
  return error.message;
}

static void a_jailed_importer_can_do_nothing(void **state) {
  (void)state;
  struct stat info;
  assert_string_equal(told_by(TEST_PROBE, "in/probe.glb"), "nothing");
  assert_true(stat(around.outside, &info) == 0 && (info.st_mode & 0777) == 0600 && info.st_size == 7);
}

/* Otherwise the probe might be blind. */
static void without_a_jail_the_probe_gets_far(void **state) {
  (void)state;
  static const char *const far[] = {"open id_rsa",
                                    "open /etc/passwd",
                                    "environ of the parent",
                                    "stat",
                                    "chmod",
                                    "create",
                                    "memfd_create",
                                    "TCP",
                                    "connected",
                                    "UNIX",
                                    "abstract",
                                    "signal the parent",
                                    "fork",
                                    "execve",
                                    "write and run",
                                    "mprotect",
                                    "prctl",
                                    "setrlimit",
                                    "spoil a page",
                                    "thread",
                                    "getppid"};
  const char *could = told_by(TEST_FREE, "in/probe.glb");
  for (size_t i = 0; i < sizeof far / sizeof *far; i++)
    if (!strstr(could, far[i])) fail_msg("'%s' is not among%s", far[i], could);
  static const char *const never[] = {"[id_rsa]",   "[link.png]",  "[/etc/passwd]", "variable of the parent",
                                      "descriptor", "another copy"};
  for (size_t i = 0; i < sizeof never / sizeof *never; i++)
    if (strstr(could, never[i])) fail_msg("'%s' is among%s", never[i], could);
}

/* /proc/…/status of the child of this process; "" without one. */
static void read_status(char text[STATUS]) {
  char path[300], parent[32];
  DIR *all = opendir("/proc");
  snprintf(parent, sizeof parent, "PPid:\t%d\n", (int)getpid());
  text[0] = 0;
  for (const struct dirent *one; !strstr(text, parent) && all && (one = readdir(all));) {
    snprintf(path, sizeof path, "/proc/%s/status", one->d_name);
    FILE *file = one->d_name[0] > '0' && one->d_name[0] <= '9' ? fopen(path, "r") : NULL;
    text[file ? fread(text, 1, STATUS - 1, file) : 0] = 0;
    if (file) fclose(file);
  }
  if (!strstr(text, parent)) text[0] = 0;
  if (all) closedir(all);
}

/* Read from outside, while it is in the jail: all five sets, and that it can gain none by starting a program. */
static void it_gives_up_every_right(void **state) {
  (void)state;
  static const char *const facts[] = {"CapInh:\t0000000000000000", "CapPrm:\t0000000000000000",
                                      "CapEff:\t0000000000000000", "CapBnd:\t0000000000000000",
                                      "CapAmb:\t0000000000000000", "NoNewPrivs:\t1"};
  sinew_load_options options = sinew_load_options_default();
  char path[256], text[STATUS] = "";
  snprintf(path, sizeof path, "%s", in_folder("in/rest.glb"));
  options.clip_files = (const char *const[]){around.parent, around.port, around.abstract, around.outside};
  options.clip_file_count = 4;
  worker *w = worker_start(TEST_PROBE, path, &options, NULL, 0, NULL);
  assert_non_null(w);
  while (!strstr(text, "Seccomp:\t2")) { /* the last wall */
    assert_false(worker_wait(w, 0.01));
    read_status(text);
  }
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
    if (getuid() == 0 && !strstr(text, facts[i])) fail_msg("%s is not in %s", facts[i], text);
  worker_destroy(w);
}

static void it_ends_with_words(void **state) {
  (void)state;
  assert_non_null(strstr(told_by(TEST_PROBE, "in/abort.glb"), "crashed (abort)"));
#ifdef __x86_64__
  assert_non_null(strstr(told_by(TEST_PROBE, "in/x32.glb"), "crashed (a forbidden system call)"));
#endif
}

static void the_importer_tells_its_walls(void **state) {
  (void)state;
  unsigned walls = 0;
  assert_true(worker_walls(TEST_IMPORT, &walls) && walls & WORKER_WALL_CALLS);
  assert_true(worker_walls(TEST_FREE, &walls) && walls == 0);
  assert_false(worker_walls("/nowhere/sinew-import", &walls));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_jailed_importer_can_do_nothing),
                                     cmocka_unit_test(without_a_jail_the_probe_gets_far),
                                     cmocka_unit_test(it_gives_up_every_right), cmocka_unit_test(it_ends_with_words),
                                     cmocka_unit_test(the_importer_tells_its_walls)};
  return cmocka_run_group_tests(tests, plant, clean);
}
