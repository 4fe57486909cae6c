/* A timer on the thread's processor time, delivered to that thread (SIGEV_THREAD_ID: Linux). */
#include "core/watchdog.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

/* The thread sanitizer delays signals until the program calls into the system, which a loop in Lua never does. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif

#if defined(__linux__) && defined(SIGEV_THREAD_ID) && !defined(__SANITIZE_THREAD__)
#include <sys/syscall.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id /* older C libraries do not name the field */
#define sigev_notify_thread_id _sigev_un._tid
#endif

static _Thread_local void (*volatile tick_of_thread)(void);

static void on_signal(int number) {
  int saved = errno;
  void (*tick)(void) = tick_of_thread;
  (void)number;
  if (tick) tick();
  errno = saved;
}

/* A real-time signal that the program does not use, chosen once; 0 if all are taken. If two threads choose at once,
 * they choose two, and both work. */
static int signal_to_use(void) {
  static volatile sig_atomic_t chosen;
  struct sigaction old, ours = {.sa_flags = SA_RESTART | SA_ONSTACK};
  ours.sa_handler = on_signal;
  sigemptyset(&ours.sa_mask);
  for (int number = SIGRTMAX; !chosen && number >= SIGRTMIN; number--) {
    bool is_free = sigaction(number, NULL, &old) == 0 && !(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_DFL;
    if (is_free && sigaction(number, &ours, NULL) == 0) chosen = number;
  }
  return chosen;
}

static bool start(timer_t *timer, int number, double seconds) {
  long nanoseconds = (long)(seconds * 1e9);
  struct timespec period = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  struct itimerspec times = {.it_interval = period, .it_value = period};
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = number};
  event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, timer) != 0) return false;
  if (timer_settime(*timer, 0, &times, NULL) == 0) return true;
  timer_delete(*timer);
  return false;
}

bool watchdog_start(watchdog *dog, double seconds, void (*tick)(void)) {
  int number = signal_to_use();
  sigset_t set;
  timer_t timer;
  if (!number) return false;
  tick_of_thread = tick;
  sigemptyset(&set);
  sigaddset(&set, number);
  dog->ticks = pthread_sigmask(SIG_UNBLOCK, &set, NULL) == 0 && start(&timer, number, seconds);
  if (dog->ticks) dog->timer = (uintptr_t)timer;
  return dog->ticks;
}

void watchdog_stop(watchdog *dog) {
  if (dog->ticks) timer_delete((timer_t)dog->timer);
  dog->ticks = false;
}

#else

bool watchdog_start(watchdog *dog, double seconds, void (*tick)(void)) {
  (void)dog, (void)seconds, (void)tick;
  return false;
}

void watchdog_stop(watchdog *dog) { (void)dog; }

#endif
