/* runner – lives through one case of the API fuzzer: a folder with scenes and a schedule. See fuzz_api.py.
 *
 *   fuzz_api_runner table       the description of the API, a line for each entry
 *   fuzz_api_runner run DIR     one case, in this process
 *   fuzz_api_runner serve       a case for each line of standard input, each in a process of its own
 *
 * A case ends with status 0, or by a signal, or with a sentence: a scene that stopped its host. What the scene prints
 * after an '@' is coverage and goes to DIR/reached; after a '!' it is a promise that was broken. */
#include "core/api.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATH = 512, LINE = 512, BROKEN = 3, WAIT_SECONDS = 10, WAITS = 10 };

typedef struct run {
  const char *folder;
  char path[PATH];
  sinew_host *host;
  sinew_scene *scene;
  FILE *reached;
  bool alive;
} run;

/* The name of a hang: the step of the schedule in which it began. */
static char step[2 * LINE] = "start";
static double hang_seconds = 8;
static int64_t instruction_limit = 2000000;

static void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "BROKEN: ");
  vfprintf(stderr, format, arguments);
  fprintf(stderr, " (%s)\n", step);
  va_end(arguments);
  fflush(NULL);
  _exit(BROKEN);
}

/* ---- the watchdog: processor time between two lines of the schedule ---- */

static void on_hang(int number) {
  (void)number;
  static const char text[] = "HANG: ";
  (void)!write(2, text, sizeof text - 1);
  (void)!write(2, step, strlen(step));
  (void)!write(2, "\n", 1);
  abort(); /* a sanitizer prints where */
}

/* A run that waits for ever uses no processor time again and again; once may be a machine that stood still. */
static void on_wait(int number) {
  static clock_t before;
  static int idle;
  clock_t now = clock();
  (void)number;
  idle = now - before < CLOCKS_PER_SEC / 20 ? idle + 1 : 0;
  if (idle == WAITS) on_hang(SIGALRM);
  before = now;
  alarm(WAIT_SECONDS);
}

static void watch(const char *what) {
  long whole = (long)hang_seconds;
  struct itimerval timer = {.it_value = {whole, (long)((hang_seconds - (double)whole) * 1e6)}};
  snprintf(step, sizeof step, "%s", what);
  setitimer(ITIMER_PROF, &timer, NULL);
}

/* ---- the scene ---- */

static void on_print(void *user, const char *line) {
  run *r = user;
  if (line[0] == '@') fprintf(r->reached, "%s\n", line + 1);
  if (strcmp(line, "alive") == 0) r->alive = true;
  if (line[0] == '!') fail("%s", line + 1);
  if (getenv("FUZZ_VERBOSE")) fprintf(stderr, "%s\n", line);
}

/* A save: the text of another file of the folder in place of the scene's. */
static void copy_scene(const run *r, const char *name) {
  char from[PATH], buffer[65536];
  snprintf(from, sizeof from, "%s/%s", r->folder, name);
  FILE *in = fopen(from, "rb"), *out = fopen(r->path, "wb");
  if (!in || !out) fail("cannot copy %s", from);
  for (size_t size; (size = fread(buffer, 1, sizeof buffer, in)) > 0;) fwrite(buffer, 1, size, out);
  fclose(in);
  fclose(out);
}

static void open_run(run *r, const char *folder) {
  sinew_host_def host = sinew_host_def_default();
  sinew_scene_def def = sinew_scene_def_default();
  sinew_error error;
  char reached[PATH];
  *r = (run){.folder = folder};
  snprintf(r->path, sizeof r->path, "%s/scene.lua", folder);
  snprintf(reached, sizeof reached, "%s/reached", folder);
  r->reached = fopen(reached, "wb");
  host.output = SINEW_OUTPUT_NONE;
  host.fixed_dt = 1.0 / 60;
  r->host = sinew_host_create(&host, &error);
  if (!r->host || !r->reached) fail("cannot begin in %s", folder);
  setvbuf(r->reached, NULL, _IOLBF, 0);
  def.instruction_limit = instruction_limit;
  def.memory_limit = (size_t)256 << 20;
  def.print = on_print;
  def.print_user = r;
  copy_scene(r, "save1.lua");
  watch("load");
  r->scene = sinew_scene_create(r->host, r->path, &def, &error);
  if (r->scene || getenv("FUZZ_VERBOSE")) fprintf(stderr, "load: %s\n", r->scene ? "fine" : error.message);
  if (!r->scene) return;
  sinew_app app = sinew_scene_app(r->scene);
  sinew_host_set_app(r->host, &app);
}

static void frames(run *r, int count) {
  sinew_error error;
  for (int i = 0; i < count; i++)
    if (!sinew_host_step(r->host, 1.0 / 60, &error)) fail("a frame failed: %s", error.message);
}

static void save(run *r, const char *name) {
  sinew_error error = {.message = ""};
  copy_scene(r, name);
  bool fine = sinew_scene_reload(r->scene, &error);
  if (getenv("FUZZ_VERBOSE")) fprintf(stderr, "%s: %s\n", name, fine ? "fine" : error.message);
}

static void begin_bake(run *r, const char *actor) {
  char path[PATH];
  sinew_error error;
  snprintf(path, sizeof path, "%s/baked.glb", r->folder);
  sinew_scene_bake(r->scene, actor, path, &error);
}

/* A person at the console: an answer, completions of half a word, and a file for an editor. */
static void console(run *r, const char *word, const char *text) {
  char out[4096] = "";
  sinew_error error;
  int from;
  if (strcmp(word, "console") == 0) sinew_scene_evaluate(r->scene, text, out, sizeof out);
  if (strcmp(word, "complete") == 0) sinew_scene_complete(r->scene, text, &from, out, sizeof out);
  if (strcmp(word, "stubs") == 0) {
    FILE *file = fopen("/dev/null", "wb");
    if (!file) fail("cannot open /dev/null");
    sinew_scene_stubs(r->scene, file, &error);
    fclose(file);
  }
  if (getenv("FUZZ_VERBOSE")) fprintf(stderr, "%s\n", out);
}

static void act(run *r, const char *line) {
  sinew_app app = sinew_scene_app(r->scene);
  char word[32], rest[LINE] = "";
  sinew_error error;
  if (sscanf(line, "%31s %511[^\n]", word, rest) < 1) return;
  if (strcmp(word, "frames") == 0) frames(r, atoi(rest));
  else if (strcmp(word, "key") == 0) app.key(app.user, rest, true, false), app.key(app.user, rest, false, false);
  else if (strcmp(word, "mouse") == 0) app.mouse(app.user, atoi(rest), true), app.mouse(app.user, atoi(rest), false);
  else if (strcmp(word, "drop") == 0) app.drop(app.user, rest);
  else if (strcmp(word, "save") == 0) save(r, rest);
  else if (strcmp(word, "restart") == 0) sinew_scene_restart(r->scene, &error);
  else if (strcmp(word, "test") == 0) sinew_scene_test(r->scene, NULL, &error);
  else if (strcmp(word, "bake") == 0) begin_bake(r, rest);
  else if (strcmp(word, "end_bakes") == 0) sinew_scene_end_bakes(r->scene, &error);
  else if (strcmp(word, "console") == 0 || strcmp(word, "complete") == 0 || strcmp(word, "stubs") == 0)
    console(r, word, rest);
  else fail("no command '%s'", word);
  if (getenv("FUZZ_VERBOSE") && sinew_scene_problem(r->scene)) fprintf(stderr, "%s\n", sinew_scene_problem(r->scene));
}

/* Whatever a scene did, the next save has a host to run in. */
static void check_alive(run *r) {
  sinew_error error = {.message = ""};
  copy_scene(r, "last.lua");
  watch("the last save");
  if (!sinew_scene_reload(r->scene, &error)) fail("an innocent scene does not load any more: %s", error.message);
  frames(r, 2);
  if (!r->alive) fail("an innocent scene does not run any more");
}

/* A file of that name says that arrays move at each call: too slow for the largest ones. */
static void shake(const char *folder) {
  char path[PATH + 8];
  snprintf(path, sizeof path, "%s/shake", folder);
  if (access(path, F_OK) == 0) setenv("SINEW_SHAKE", "1", 1);
  else unsetenv("SINEW_SHAKE");
}

static void live(const char *folder) {
  char schedule[PATH], line[LINE];
  run r;
  shake(folder);
  signal(SIGPROF, on_hang);
  open_run(&r, folder);
  snprintf(schedule, sizeof schedule, "%s/schedule", folder);
  FILE *file = fopen(schedule, "rb");
  for (int i = 1; r.scene && file && fgets(line, sizeof line, file); i++) {
    char what[LINE + 64];
    line[strcspn(line, "\n")] = 0;
    snprintf(what, sizeof what, "line %d of the schedule: %s", i, line);
    watch(what);
    act(&r, line);
  }
  if (r.scene) check_alive(&r);
  watch("the end");
  sinew_scene_destroy(r.scene);
  sinew_host_destroy(r.host);
  if (file) fclose(file);
  fclose(r.reached);
}

/* ---- a defect of our own, so that a test sees one found: the second call of $FUZZ_PLANT aborts, or never returns
 * where the name has a '~' before it ---- */

static const char *planted;
static bool planted_hang;

static void plant(const api_entry *entry) {
  static int calls;
  char name[128];
  snprintf(name, sizeof name, "%s.%s", entry->owner, entry->name);
  if (strcmp(name, planted) != 0 || ++calls != 2) return;
  while (planted_hang) continue;
  abort();
}

/* ---- many cases ---- */

static void live_apart(const char *folder) {
  char log[PATH + 8];
  snprintf(log, sizeof log, "%s/log", folder);
  if (!freopen(log, "wb", stderr)) _exit(BROKEN);
  if (!freopen("/dev/null", "wb", stdout)) _exit(BROKEN);
  setvbuf(stderr, NULL, _IONBF, 0);
  signal(SIGALRM, on_wait);
  alarm(WAIT_SECONDS);
  live(folder);
  _exit(0);
}

static void serve(void) {
  char folder[PATH];
  while (fgets(folder, sizeof folder, stdin)) {
    int status;
    struct rusage usage;
    folder[strcspn(folder, "\n")] = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) live_apart(folder); /* never comes back */
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) exit(2);
    double seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                     (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
    printf("%d %d %.3f\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1, WIFSIGNALED(status) ? WTERMSIG(status) : 0,
           seconds);
    fflush(stdout);
  }
}

static void print_table(void) {
  sinew_api_info e;
  const char *name, *stub;
  for (int i = 0; sinew_scene_api_type(i, &name, &stub); i++) printf("type\t%s\t%s\n", name, stub);
  for (int i = 0; sinew_scene_api(i, &e); i++)
    printf("entry\t%s\t%s\t%s\t%s\t%s\t%d\n", e.owner, e.name, e.kind, e.signature, e.result ? e.result : "",
           e.writable);
}

int main(int count, char **arguments) {
  const char *command = count > 1 ? arguments[1] : "";
  const char *seconds = getenv("FUZZ_HANG_SECONDS"), *instructions = getenv("FUZZ_INSTRUCTIONS");
  if (seconds) hang_seconds = atof(seconds);
  if (instructions) instruction_limit = atoll(instructions);
  planted = getenv("FUZZ_PLANT");
  if (planted) api_observer = plant;
  if (planted && planted[0] == '~') planted_hang = true, planted++;
  if (strcmp(command, "table") == 0) print_table();
  else if (strcmp(command, "serve") == 0) serve();
  else if (strcmp(command, "run") == 0 && count == 3) live(arguments[2]);
  else return 2;
  return 0;
}
