/* In place of the importer, in the process that the importer would run in: tries everything that it must not do, and
 * answers with a sentence that names what it could. Its clip files are what it needs to know: the parent's number, a
 * TCP port, the name of an abstract socket, a file outside. */
#define _GNU_SOURCE /* syscall, environ */
#include "base/jobs.h"
#include "import/posix/vfs_socket.h"
#include "import/vfs/vfs.h"
#include "worker/main.h"

#include "base/memory/memory.h"
#include "base/sanitizers.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

typedef struct probe {
  const char *model, *abstract, *outside;
  char folder[256];
  pid_t parent;
  uint16_t port;
  unsigned walls;
  socket_vfs fs;
  char could[4096];
} probe;

static void note(probe *p, const char *what, bool could) {
  size_t used = strlen(p->could);
  if (could) snprintf(p->could + used, sizeof p->could - used, " [%s]", what);
}

/* Whether the call came through, be it only to be told that its arguments are wrong. */
static bool passed(long result) { return result >= 0 || (errno != EPERM && errno != EACCES && errno != ENOSYS); }

#define TRY(what, call) note(p, what, passed((long)(call)))

static const char *beside(const probe *p, const char *name) {
  static char path[512];
  snprintf(path, sizeof path, "%s/%s", p->folder, name);
  return path;
}

static const char *of_parent(const probe *p, const char *name) {
  static char path[128];
  snprintf(path, sizeof path, "/proc/%d/%s", (int)p->parent, name);
  return path;
}

/* ---- files ---- */

static void try_files(probe *p) {
  struct stat info;
  char text[64];
  TRY("open id_rsa", open(beside(p, "id_rsa"), O_RDONLY));
  TRY("open the model", open(p->model, O_RDONLY));
  TRY("open /etc/passwd", open("/etc/passwd", O_RDONLY));
  TRY("open a folder", open(p->folder, O_RDONLY | O_DIRECTORY));
  TRY("open environ of the parent", open(of_parent(p, "environ"), O_RDONLY));
  TRY("open memory of the parent", open(of_parent(p, "mem"), O_RDWR));
  TRY("open /proc/self/environ", open("/proc/self/environ", O_RDONLY));
  TRY("open /proc/self/fd", open("/proc/self/fd", O_RDONLY));
  TRY("stat", stat(p->outside, &info));
  TRY("readlink", readlink("/proc/self/exe", text, sizeof text));
  TRY("chmod", chmod(p->outside, 0777));
  TRY("create", open(beside(p, "new"), O_WRONLY | O_CREAT, 0600));
  TRY("mkdir", mkdir(beside(p, "made"), 0700));
  TRY("unlink", unlink(beside(p, "nothing")));
  TRY("truncate", truncate(p->outside, 0));
  TRY("name_to_handle_at", syscall(SYS_name_to_handle_at, AT_FDCWD, p->outside, NULL, NULL, 0));
  TRY("open_by_handle_at", syscall(SYS_open_by_handle_at, -1, NULL, 0));
  TRY("memfd_create", syscall(SYS_memfd_create, "x", 0));
  TRY("mount", syscall(SYS_mount, "none", beside(p, "nowhere"), "tmpfs", 0, NULL));
  TRY("chroot", chroot(beside(p, "nowhere")));
}

/* The parent serves files that belong to the model, and nothing else. */
static void try_asking(probe *p) {
  static const char *const names[] = {"id_rsa", "../letter.png", "/etc/passwd", "id_rsa%00.png", "link.png",
                                      ".",      "pipe.png"};
  file_bytes got;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    note(p, names[i], p->fs.fs.read(&p->fs.fs, p->model, names[i], &got, NULL));
  note(p, "no skin.png", !p->fs.fs.read(&p->fs.fs, p->model, "skin.png", &got, NULL));
}

/* Many copies of a file that is never given back would be memory without a limit: all are one. */
static void try_hoarding(probe *p) {
  static const char *const spellings[] = {"skin.png", "./skin.png", "textures/../skin.png", "sk%69n.png"};
  struct stat first = {0}, info;
  for (int i = 0; i < 40; i++) {
    int file = -1;
    vfs_request request = {.name_size = (uint16_t)strlen(spellings[i % 4])};
    vfs_reply reply = {0};
    bool came = message_send(PROCESS_SOCKET, &request, sizeof request) &&
                message_send(PROCESS_SOCKET, spellings[i % 4], request.name_size) &&
                message_receive_with(PROCESS_SOCKET, &reply, sizeof reply, &file) && reply.found;
    if (!came) note(p, "no skin.png again", true);
    off_t size = lseek(file, 0, SEEK_END);
    note(p, "copies that differ", size != (off_t)reply.size + 1);
    if (p->walls & WORKER_WALL_CALLS) continue; /* where fstat is refused, their numbers are not known */
    fstat(file, &info);
    if (i == 0) first = info;
    note(p, "another copy", info.st_ino != first.st_ino);
  }
}

/* ---- the rest of the system ---- */

static void try_connecting(probe *p, const char *what, const void *address, socklen_t size) {
  int made = socket(*(const sa_family_t *)address, SOCK_STREAM, 0);
  TRY(what, made);
  if (made >= 0) note(p, "connected", connect(made, address, size) == 0);
}

static void try_sockets(probe *p) {
  struct sockaddr_in port = {.sin_family = AF_INET, .sin_port = htons(p->port)};
  struct sockaddr_un named = {.sun_family = AF_UNIX}, hidden = {.sun_family = AF_UNIX};
  port.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  snprintf(named.sun_path, sizeof named.sun_path, "%.64s/socket", p->folder);
  snprintf(hidden.sun_path + 1, sizeof hidden.sun_path - 1, "%s", p->abstract);
  try_connecting(p, "TCP", &port, sizeof port);
  try_connecting(p, "UNIX", &named, sizeof named);
  try_connecting(p, "abstract", &hidden, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(p->abstract)));
  int pair[2];
  TRY("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
  TRY("netlink", socket(AF_NETLINK, SOCK_RAW, 0));
  TRY("sendto", sendto(PROCESS_SOCKET, "", 0, 0, NULL, 0));
  TRY("sendmsg elsewhere", sendmsg(PROCESS_ANSWER, &(struct msghdr){0}, 0));
  TRY("write elsewhere", write(PROCESS_SOCKET, "", 0));
  TRY("dup", dup(PROCESS_ANSWER));
  TRY("fcntl", fcntl(PROCESS_ANSWER, F_GETFD));
  TRY("ioctl", syscall(SYS_ioctl, STDERR_FILENO, 0x5413, NULL));
}

static void end_if_child(long result) {
  if (result == 0) _exit(0);
}

static void try_processes(probe *p) {
  TRY("signal the parent", kill(p->parent, 0));
  TRY("tgkill the parent", syscall(SYS_tgkill, p->parent, p->parent, 0));
  TRY("signal itself", syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), 0));
  TRY("rt_sigqueueinfo", syscall(SYS_rt_sigqueueinfo, p->parent, 0, NULL));
  TRY("pidfd_open", syscall(434, p->parent, 0));
  long made = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
  end_if_child(made);
  TRY("fork", made);
  TRY("clone3", syscall(435, NULL, 0));
  TRY("thread in a user namespace", syscall(SYS_clone, 0x10000000 | 0x10900, NULL, NULL, NULL, NULL));
  TRY("execve", syscall(SYS_execve, beside(p, "nothing"), NULL, NULL));
  TRY("execveat", syscall(SYS_execveat, -1, "", NULL, NULL, 0x1000));
  TRY("ptrace", syscall(SYS_ptrace, PTRACE_PEEKDATA, p->parent, NULL, NULL));
  TRY("process_vm_readv", syscall(SYS_process_vm_readv, p->parent, NULL, 0, NULL, 0, 0));
  TRY("setpgid", syscall(SYS_setpgid, 0, 0));
  TRY("setsid", setsid());
  TRY("outlive the parent", prctl(PR_SET_PDEATHSIG, 0));
  TRY("prctl", prctl(PR_SET_DUMPABLE, 1));
  TRY("setrlimit", setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}));
  TRY("prlimit of the parent", syscall(SYS_prlimit64, p->parent, RLIMIT_CPU, NULL, NULL));
  TRY("unshare", syscall(SYS_unshare, 0x10000000));
  TRY("io_uring", syscall(425, 1, NULL));
  TRY("keyctl", syscall(SYS_keyctl, 0, 0, 0, 0, 0));
  TRY("personality", syscall(SYS_personality, 0xFFFFFFFF));
  TRY("bpf", syscall(SYS_bpf, -1, NULL, 0));
  TRY("seccomp", syscall(SYS_seccomp, 2, 0, NULL));
}

static void try_memory(probe *p) {
  enum { PAGE = 4096, ALL = PROT_READ | PROT_WRITE | PROT_EXEC };
  void *plain = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  note(p, "no memory at all", plain == MAP_FAILED);
  note(p, "write and run", mmap(NULL, PAGE, ALL, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
  note(p, "run", mmap(NULL, PAGE, PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
  note(p, "mprotect", mprotect(plain, PAGE, PROT_READ | PROT_EXEC) == 0);
  TRY("spoil a page", syscall(SYS_madvise, plain, 0L, 100));
  TRY("pages that a fork keeps", syscall(SYS_madvise, plain, 0L, 11));
  note(p, "no giving back of pages", madvise(plain, PAGE, MADV_DONTNEED) != 0);
  TRY("pkey_mprotect", syscall(SYS_pkey_mprotect, plain, PAGE, PROT_EXEC, -1));
  TRY("shmget", syscall(SYS_shmget, 0, PAGE, 0600));
}

/* State inherited from the parent. */
static void try_inheritance(probe *p) {
  note(p, "an environment", environ[0] && strncmp(environ[0], "SINEW_", 6) != 0);
  note(p, "a variable of the parent", getenv("SINEW_TEST_SECRET") != NULL);
  for (int i = PROCESS_SOCKET + 1; i < 256; i++) {
    char name[32];
    snprintf(name, sizeof name, "descriptor %d", i);
    note(p, name, read(i, NULL, 0) >= 0 || errno != EBADF);
  }
}

/* ---- everything else ---- */

/* Calls for return probes, which Linux lets through every filter on x86-64; from anywhere else they are a fault. */
enum { FIRST_PROBE = 335, LAST_PROBE = 336 };

static bool is_left(long call) {
  static const long left[] = {
      SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise, SYS_futex, SYS_set_robust_list, SYS_rseq, SYS_exit, SYS_exit_group,
      SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sched_yield, SYS_sched_getaffinity, SYS_getpid, SYS_gettid,
      SYS_getrandom, SYS_clock_gettime, SYS_gettimeofday, SYS_restart_syscall, SYS_sysinfo, SYS_read, SYS_pread64,
      SYS_lseek, SYS_close,
      /* with some arguments, which are tried above */
      SYS_mmap, SYS_mprotect, SYS_clone, SYS_tgkill, SYS_sendmsg, SYS_recvmsg, SYS_write, SYS_writev,
      /* under sanitizers */
      SYS_sigaltstack, SYS_rt_sigaction, SYS_nanosleep, SYS_clock_nanosleep, SYS_getrusage};
  for (size_t i = 0; i < sizeof left / sizeof *left; i++)
    if (left[i] == call) return true;
  return call == FIRST_PROBE || call == LAST_PROBE;
}

/* Outside of a jail some of these would do harm, or never return. */
static void try_every_call(probe *p) {
  enum { BEYOND_THE_LAST = 600 };
  TRY("getppid", syscall(SYS_getppid));
  for (long call = 0; call < BEYOND_THE_LAST && p->walls & WORKER_WALL_CALLS; call++) {
    char name[32];
    snprintf(name, sizeof name, "call %ld", call);
    if (!is_left(call)) TRY(name, syscall(call, -1L, -1L, -1L, -1L, -1L, -1L));
  }
}

static void *end_at_once(void *data) { return data; }

static void count_range(void *user, int number, int begin, int end) {
  (void)number;
  atomic_fetch_add((atomic_int *)user, end - begin);
}

/* Those that it had before are enough, and it cannot start others. Those of a sanitizer can. */
static void try_threads(probe *p) {
  pthread_t thread;
  atomic_int counted = 0;
  bool may = SANITIZES_ADDRESSES || SANITIZES_THREADS;
  note(p, "thread", pthread_create(&thread, NULL, end_at_once, NULL) == 0 && !may);
  jobs *j = jobs_create(2, NULL);
  note(p, "no threads of its own", p->walls & WORKER_WALL_CALLS && !j);
  if (j) jobs_run(j, 100, 1, count_range, &counted);
  note(p, "work that is not done", j && atomic_load(&counted) != 100);
  jobs_destroy(j);
}

/* Waits for a message that nobody sends. */
static void receive_nothing(void) {
  char byte;
  message_receive(PROCESS_SOCKET, &byte, 1);
}

static const char *answer_of(probe *p) {
  if (strstr(p->model, "x32.glb")) syscall(0x40000000 | SYS_getpid); /* ends it, or does nothing */
  if (strstr(p->model, "abort.glb")) abort();
  if (strstr(p->model, "rest.glb")) receive_nothing();
  try_inheritance(p);
  try_files(p);
  try_asking(p);
  try_hoarding(p);
  try_sockets(p);
  try_processes(p);
  try_memory(p);
  try_every_call(p);
  try_threads(p);
  return p->could[0] ? p->could : "nothing";
}

bool run_import(const char *path, const sinew_load_options *options, unsigned walls) {
  unsigned char head[WORKER_HEAD];
  const char **mains = worker_mains(path, options);
  probe *p = calloc(1, sizeof *p);
  *p = (probe){.model = path,
               .walls = walls,
               .parent = (pid_t)strtol(options->clip_files[0], NULL, 10),
               .port = (uint16_t)strtol(options->clip_files[1], NULL, 10),
               .abstract = options->clip_files[2],
               .outside = options->clip_files[3],
               .fs = socket_vfs_open(PROCESS_SOCKET, (vfs_mains){mains, 1 + options->clip_file_count})};
  snprintf(p->folder, sizeof p->folder, "%.*s", (int)(strrchr(path, '/') - path), path);
  const char *text = answer_of(p);
  worker_write_head(head, &(worker_head){.kind = WORKER_SENTENCE, .walls = walls});
  return write(PROCESS_ANSWER, head, sizeof head) > 0 && write(PROCESS_ANSWER, text, strlen(text)) > 0;
}
