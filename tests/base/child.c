/* A program for the tests of what starts others: it misbehaves as its last argument says, by the part of its file name
 * before the dot ("/some/folder/crash.glb" crashes). Descriptor 3 is where an answer goes. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static void put(int descriptor, const char *text, size_t size) {
  while (size > 0) {
    ssize_t done = write(descriptor, text, size);
    if (done < 0 && errno != EINTR) _exit(9);
    if (done < 0) continue;
    text += done;
    size -= (size_t)done;
  }
}

static void say(int descriptor, const char *text) { put(descriptor, text, strlen(text)); }

static void sleep_for(double seconds) {
  struct timespec pause = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&pause, NULL);
}

static void put_many(int descriptor, size_t bytes) {
  char block[4096];
  memset(block, 'x', sizeof block);
  for (; bytes > sizeof block; bytes -= sizeof block) put(descriptor, block, sizeof block);
  put(descriptor, block, bytes);
}

static int crash(void) {
  signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
  return 8;
}

static int stop(void) {
  raise(SIGSTOP);
  return 8;
}

static int spin(void) {
  for (volatile unsigned long i = 0;; i++) {
  }
}

static int linger(void) {
  say(3, "soon");
  sleep_for(600);
  return 0;
}

/* Memory that cannot be had is its own exit status. */
static int eat(void) {
  for (size_t total = 0; total < (size_t)3 << 30; total += (size_t)16 << 20) {
    char *block = malloc((size_t)16 << 20);
    if (!block) return 42;
    *(volatile char *)block = 1;
  }
  return 0;
}

/* One line for each descriptor that is open. */
static int list_descriptors(void) {
  for (int i = 0; i < 1024; i++)
    if (fcntl(i, F_GETFD) >= 0) printf("%d\n", i);
  return fflush(stdout) == 0 ? 0 : 9;
}

static int list_limits(void) {
  static const int which[] = {RLIMIT_AS, RLIMIT_CPU, RLIMIT_NOFILE, RLIMIT_FSIZE, RLIMIT_CORE};
  for (size_t i = 0; i < sizeof which / sizeof *which; i++) {
    struct rlimit now;
    getrlimit(which[i], &now);
    printf("%lld\n", now.rlim_cur == RLIM_INFINITY ? -1LL : (long long)now.rlim_cur);
  }
  return fflush(stdout) == 0 ? 0 : 9;
}

/* Leaves a child of its own that keeps the pipes open. */
static int leave_grandchild(void) {
  pid_t left = fork();
  if (left == 0) {
    sleep_for(60);
    _exit(0);
  }
  char text[32];
  snprintf(text, sizeof text, "%ld\n", (long)left);
  say(3, text);
  return 0;
}

extern char **environ;

static int list_environment(void) {
  for (char **variable = environ; *variable; variable++) say(3, *variable), say(3, "\n");
  return 0;
}

/* Its number, then nothing for a long time. */
static int name_itself(void) {
  char text[32];
  snprintf(text, sizeof text, "%ld\n", (long)getpid());
  say(3, text);
  sleep_for(600);
  return 0;
}

/* Asks on its socket, and says what it heard. */
static int ask(void) {
  char heard[16] = "";
  say(4, "how?");
  ssize_t got = read(4, heard, sizeof heard - 1);
  if (got > 0) say(3, heard);
  return got > 0 ? 0 : 9;
}

static int write_file(void) {
  char path[] = "/tmp/sinew-child-XXXXXX";
  int file = mkstemp(path);
  if (file < 0) return 9;
  unlink(path);
  put_many(file, 1 << 20);
  return 0;
}

static int flood(void) {
  for (;;) put_many(3, 1 << 20);
}

static int speak(void) {
  say(1, "to standard output\n");
  say(2, "to standard error\n");
  say(3, "the answer");
  return getchar() == EOF ? 5 : 9;
}

static int shout(void) {
  put_many(1, 1 << 20);
  put_many(2, 1 << 20);
  return 0;
}

static int garble(void) {
  put_many(3, 100000);
  return 0;
}

/* Closes everything, and works on for a while. */
static int go_silent(void) {
  for (int i = 0; i < 4; i++) close(i);
  sleep_for(0.05);
  return 7;
}

/* ---- as an importer (src/import/worker/worker.h) ---- */

static int answer(int kind, unsigned long long files_size, const char *rest) {
  char head[16] = "SNWA";
  head[4] = (char)kind;
  for (int i = 0; i < 8; i++) head[8 + i] = (char)(files_size >> (8 * i));
  put(3, head, sizeof head);
  say(3, rest);
  return 0;
}

static int refuse(void) { return answer(2, 0, "refuse.glb: is made of \x1b[31mcheese\n."); }
static int lie(void) { return answer(1, 0, "SINEWCK, or so it says"); }
static int overreach(void) { return answer(1, 1ULL << 63, "some"); }
static int answer_oddly(void) { return answer(9, 0, ""); }
static int stop_short(void) {
  say(3, "SNWA");
  return 0;
}

static int explain(void) {
  say(2, "\x1e"
         "1this goes to the log\nlibassimp.so.5: cannot open shared object file\nmore\n");
  return 127;
}

static int chatter(void) {
  say(2, "\x1e"
         "1one\n\x1e"
         "0two\x07\n\x1e"
         "7not a level\nplain\n\x1e"
         "1");
  return refuse();
}

static int crash_late(void) {
  garble();
  return crash();
}

static int give_up(void) { abort(); }
static int be_silent(void) { return 0; }

static const struct {
  const char *name;
  int (*run)(void);
} kinds[] = {{"speak", speak},
             {"crash", crash},
             {"abort", give_up},
             {"stop", stop},
             {"spin", spin},
             {"linger", linger},
             {"eat", eat},
             {"open", list_descriptors},
             {"limits", list_limits},
             {"write", write_file},
             {"flood", flood},
             {"garble", garble},
             {"shout", shout},
             {"silent", be_silent},
             {"refuse", refuse},
             {"lie", lie},
             {"overreach", overreach},
             {"odd", answer_oddly},
             {"short", stop_short},
             {"explain", explain},
             {"chatter", chatter},
             {"detach", go_silent},
             {"crash-late", crash_late},
             {"grandchild", leave_grandchild},
             {"environment", list_environment},
             {"name", name_itself},
             {"ask", ask}};

int main(int argc, char **argv) {
  const char *slash = strrchr(argv[argc - 1], '/'), *name = slash ? slash + 1 : argv[argc - 1];
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strlen(kinds[i].name) == strcspn(name, ".") && strncmp(name, kinds[i].name, strlen(kinds[i].name)) == 0)
      return kinds[i].run();
  return 99;
}
