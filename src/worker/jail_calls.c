#include "worker/jail.h"

#ifdef SINEW_SECCOMP
#include "base/process/process.h"
#include "base/sanitizers.h"

#include <errno.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

/* Not from <sys/mman.h> and <sched.h>, which hide them in strict standard mode: what the C library, our heap and the
 * sanitizers advise; flags of clone. */
enum { DONT_NEED = 4, FREE = 8, LARGE_PAGES = 14, SMALL_PAGES = 15, DONT_DUMP = 16 };
enum { WITH_MEMORY = 0x100, WITH_SIGNALS = 0x800, AS_THREAD = 0x10000, NEW_NAMESPACES = 0x7E020080 };

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Memory, time, locks, the life of a thread, and reading open files. sysinfo: qsort asks for the amount of memory. */
static const int harmless[] = {SCMP_SYS(brk),
                               SCMP_SYS(munmap),
                               SCMP_SYS(mremap),
                               SCMP_SYS(futex),
                               SCMP_SYS(set_robust_list),
                               SCMP_SYS(rseq),
                               SCMP_SYS(exit),
                               SCMP_SYS(exit_group),
                               SCMP_SYS(rt_sigprocmask),
                               SCMP_SYS(rt_sigreturn),
                               SCMP_SYS(sched_yield),
                               SCMP_SYS(sched_getaffinity),
                               SCMP_SYS(getpid),
                               SCMP_SYS(gettid),
                               SCMP_SYS(getrandom),
                               SCMP_SYS(clock_gettime),
                               SCMP_SYS(gettimeofday),
                               SCMP_SYS(restart_syscall),
                               SCMP_SYS(sysinfo),
                               SCMP_SYS(read),
                               SCMP_SYS(pread64),
                               SCMP_SYS(lseek),
                               SCMP_SYS(close)};

/* The calls that the sanitizers' runtimes need to start threads and to report. */
static const int for_sanitizers[] = {SCMP_SYS(sigaltstack), SCMP_SYS(rt_sigaction), SCMP_SYS(nanosleep),
                                     SCMP_SYS(clock_nanosleep), SCMP_SYS(getrusage)};

static bool allow_all(scmp_filter_ctx filter, const int *calls, size_t count) {
  bool good = true;
  for (size_t i = 0; good && i < count; i++) good = seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0) == 0;
  return good;
}

static struct scmp_arg_cmp equals(unsigned argument, int value) {
  return (struct scmp_arg_cmp){.arg = argument, .op = SCMP_CMP_EQ, .datum_a = (scmp_datum_t)value};
}

static bool allow_on(scmp_filter_ctx filter, int call, int descriptor) {
  return seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1, equals(0, descriptor)) == 0;
}

static bool allow_descriptors(scmp_filter_ctx filter) {
  return allow_on(filter, SCMP_SYS(sendmsg), PROCESS_SOCKET) && allow_on(filter, SCMP_SYS(recvmsg), PROCESS_SOCKET) &&
         allow_on(filter, SCMP_SYS(write), PROCESS_ANSWER) && allow_on(filter, SCMP_SYS(write), STDERR_FILENO) &&
         allow_on(filter, SCMP_SYS(writev), STDERR_FILENO);
}

static bool allow_memory(scmp_filter_ctx filter) {
  const struct scmp_arg_cmp not_run = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
  return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, not_run) == 0 &&
         seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, not_run) == 0;
}

/* A sanitizer starts a thread of its own to look for leaks. If clone3 fails, libraries try clone, whose flags can be
 * examined. */
static bool allow_threads(scmp_filter_ctx filter) {
  const unsigned wanted = WITH_MEMORY | WITH_SIGNALS | AS_THREAD, looked_at = wanted | NEW_NAMESPACES;
  return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0 &&
         seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, looked_at, wanted)) ==
             0;
}

static bool allow_advice(scmp_filter_ctx filter) {
  static const int harmless_advice[] = {DONT_NEED, FREE, LARGE_PAGES, SMALL_PAGES, DONT_DUMP};
  bool good = true;
  for (size_t i = 0; good && i < COUNT(harmless_advice); i++)
    good = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(madvise), 1, equals(2, harmless_advice[i])) == 0;
  return good;
}

/* abort() ends the process by a signal to itself, which shows the reason. */
static bool allow_abort(scmp_filter_ctx filter) {
  return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 2, equals(0, getpid()), equals(2, SIGABRT)) == 0;
}

/* A forbidden call returns EPERM, because libraries try many calls that they can do without. A call with another
 * processor's convention ends the process. */
bool jail_calls(void) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (!filter) return false;
  bool stands = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0 &&
                seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1) == 0 &&
                allow_all(filter, harmless, COUNT(harmless)) && allow_descriptors(filter) && allow_memory(filter) &&
                allow_advice(filter) && allow_abort(filter);
  if (SANITIZES_ADDRESSES || SANITIZES_THREADS)
    stands = stands && allow_all(filter, for_sanitizers, COUNT(for_sanitizers)) && allow_threads(filter);
  stands = stands && seccomp_load(filter) == 0;
  seccomp_release(filter);
  return stands;
}
#else
bool jail_calls(void) { return false; }
#endif
