#include "base/process/process.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory/memory.h"

#include <stdio.h>
#include <string.h>
#include <windows.h>

enum { OUTPUT, ERRORS, ANSWER, PIPES };

/* A pipe from the child, and what has been read from it. */
typedef struct stream {
  HANDLE end; /* NULL once it is closed */
  received got;
} stream;

struct process {
  HANDLE child, job;
  stream streams[PIPES];
  double started, deadline;
  idleness idle;
  bool spoke;
  int status;
  bool ended, stopped; /* stopped: by us; `ending` says why */
  char ending[160];
};

bool process_can_start(void) { return true; }
bool process_can_serve(void) { return false; }

/* The parent's job object set them before the child started. */
void process_limits_apply(const process_limits *limits) { (void)limits; }

static void close_handle(HANDLE *handle) {
  if (*handle) CloseHandle(*handle);
  *handle = NULL;
}

/* ---- the command line ---- */

/* The inverse of CommandLineToArgvW: backslashes are doubled before a quote. */
static char *add_word(char *at, const char *word) {
  *at++ = '"';
  for (; *word; word++) {
    size_t slashes = strspn(word, "\\");
    bool doubled = word[slashes] == '"' || !word[slashes];
    memset(at, '\\', slashes * (doubled ? 2 : 1));
    at += slashes * (doubled ? 2 : 1);
    word += slashes;
    if (!*word) break;
    if (*word == '"') *at++ = '\\';
    *at++ = *word;
  }
  *at++ = '"';
  *at++ = ' ';
  *at = '\0';
  return at;
}

static char *make_command_line(const char *const *arguments) {
  size_t size = 1;
  for (int i = 0; arguments[i]; i++) size += 2 * strlen(arguments[i]) + 3;
  char *line = mem_alloc(size), *at = line;
  for (int i = 0; line && arguments[i]; i++) at = add_word(at, arguments[i]);
  return line;
}

/* ---- the start ---- */

enum { DESCRIPTORS = PROCESS_ANSWER + 1 };

/* The block in which the C runtime passes descriptors to a child: their number, a byte of flags for each, their
 * handles. */
typedef struct inherited {
  unsigned char bytes[sizeof(int) + DESCRIPTORS * (1 + sizeof(HANDLE))];
} inherited;

static inherited pack_descriptors(const HANDLE handles[DESCRIPTORS]) {
  enum { OPEN = 0x01, PIPE = 0x08, DEVICE = 0x40 };
  static const unsigned char flags[DESCRIPTORS] = {OPEN | DEVICE, OPEN | PIPE, OPEN | PIPE, OPEN | PIPE};
  inherited packed;
  int count = DESCRIPTORS;
  memcpy(packed.bytes, &count, sizeof count);
  memcpy(packed.bytes + sizeof count, flags, sizeof flags);
  memcpy(packed.bytes + sizeof count + sizeof flags, handles, DESCRIPTORS * sizeof *handles);
  return packed;
}

static HANDLE make_job(const process_limits *limits) {
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION info = {0};
  HANDLE job = CreateJobObjectA(NULL, NULL);
  DWORD *flags = &info.BasicLimitInformation.LimitFlags;
  *flags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
  if (limits->memory >= 0) {
    *flags |= JOB_OBJECT_LIMIT_PROCESS_MEMORY;
    info.ProcessMemoryLimit = (SIZE_T)limits->memory;
  }
  if (limits->processor_seconds >= 0) {
    *flags |= JOB_OBJECT_LIMIT_PROCESS_TIME;
    info.BasicLimitInformation.PerProcessUserTimeLimit.QuadPart = limits->processor_seconds * 10000000;
  }
  if (job) SetInformationJobObject(job, JobObjectExtendedLimitInformation, &info, sizeof info);
  return job;
}

typedef struct ends {
  HANDLE child[DESCRIPTORS];
} ends;

static bool make_pipes(process *p, ends *e) {
  static const int descriptor_of[PIPES] = {[OUTPUT] = 1, [ERRORS] = 2, [ANSWER] = PROCESS_ANSWER};
  SECURITY_ATTRIBUTES inherit = {.nLength = sizeof inherit, .bInheritHandle = TRUE};
  e->child[0] = CreateFileA("NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherit, OPEN_EXISTING, 0, NULL);
  if (e->child[0] == INVALID_HANDLE_VALUE) return e->child[0] = NULL, false;
  for (int i = 0; i < PIPES; i++)
    if (!CreatePipe(&p->streams[i].end, &e->child[descriptor_of[i]], &inherit, 1 << 16) ||
        !SetHandleInformation(p->streams[i].end, HANDLE_FLAG_INHERIT, 0))
      return false;
  return true;
}

/* Only these handles are inherited, whatever other threads open meanwhile. The child waits until it is in its job. */
static bool start_with(process *p, char *line, ends *e, const process_limits *limits) {
  unsigned char room[256];
  SIZE_T size = sizeof room;
  inherited packed = pack_descriptors(e->child);
  PROCESS_INFORMATION made = {0};
  STARTUPINFOEXA start = {.StartupInfo = {.cb = sizeof start,
                                          .dwFlags = STARTF_USESTDHANDLES,
                                          .cbReserved2 = sizeof packed.bytes,
                                          .lpReserved2 = packed.bytes,
                                          .hStdInput = e->child[0],
                                          .hStdOutput = e->child[1],
                                          .hStdError = e->child[2]}};
  start.lpAttributeList = (LPPROC_THREAD_ATTRIBUTE_LIST)(void *)room;
  if (!InitializeProcThreadAttributeList(start.lpAttributeList, 1, 0, &size)) return false;
  bool started =
      UpdateProcThreadAttribute(start.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, e->child, sizeof e->child,
                                NULL, NULL) &&
      CreateProcessA(NULL, line, NULL, NULL, TRUE, CREATE_SUSPENDED | CREATE_NO_WINDOW | EXTENDED_STARTUPINFO_PRESENT,
                     NULL, NULL, &start.StartupInfo, &made);
  DeleteProcThreadAttributeList(start.lpAttributeList);
  if (!started) return false;
  p->child = made.hProcess;
  p->job = make_job(limits);
  if (p->job) AssignProcessToJobObject(p->job, p->child);
  ResumeThread(made.hThread);
  CloseHandle(made.hThread);
  return true;
}

process *process_start(const process_def *def, sinew_error *error) {
  process *p = mem_alloc_zeroed(sizeof *p);
  char *line = make_command_line(def->arguments);
  ends e = {0};
  if (!p || !line) {
    error_memory(error, def->arguments[0], sizeof *p);
    mem_free(line);
    mem_free(p);
    return NULL;
  }
  p->started = clock_seconds();
  p->deadline = def->deadline;
  p->idle = (idleness){def->idle_seconds, p->started, 0, def->is_served};
  for (int i = 0; i < PIPES; i++) p->streams[i].got.limit = i == ANSWER ? def->answer_limit : def->text_limit;
  bool started = make_pipes(p, &e) && start_with(p, line, &e, &def->limits);
  DWORD why = GetLastError();
  for (int i = 0; i < DESCRIPTORS; i++) close_handle(&e.child[i]);
  mem_free(line);
  if (started) return p;
  error_set(error, "%s: cannot be started: %s", def->arguments[0],
            why == ERROR_FILE_NOT_FOUND || why == ERROR_PATH_NOT_FOUND ? "no such file" : "Windows refuses it");
  process_destroy(p);
  return NULL;
}

/* ---- ends ---- */

static void stop(process *p, const char *format, double number) {
  if (p->stopped || p->ended || !p->child) return;
  p->stopped = true;
  snprintf(p->ending, sizeof p->ending, format, number);
  TerminateProcess(p->child, 1);
}

static const char *exception_words(DWORD status) {
  switch (status) {
  case EXCEPTION_ACCESS_VIOLATION: return "crashed (segmentation fault)";
  case EXCEPTION_STACK_OVERFLOW: return "crashed (its stack is full)";
  case EXCEPTION_INT_DIVIDE_BY_ZERO: return "crashed (arithmetic fault)";
  case EXCEPTION_ILLEGAL_INSTRUCTION: return "crashed (illegal instruction)";
  case 0xC0000409: return "crashed (abort)";
  case ERROR_NOT_ENOUGH_QUOTA: return "used more processor time than allowed";
  default: return status >= 0xC0000000 ? "crashed" : NULL;
  }
}

static void note_end(process *p, DWORD status) {
  const char *words = exception_words(status);
  p->ended = true;
  p->status = p->stopped || words ? -1 : (int)status;
  if (p->stopped) return;
  if (words) snprintf(p->ending, sizeof p->ending, "%s", words);
  else snprintf(p->ending, sizeof p->ending, "ended with status %lu", (unsigned long)status);
}

/* ---- streams ---- */

/* Reads once. False if there is nothing more for now. */
static bool read_some(process *p, stream *s) {
  unsigned char dropped[4096];
  received *r = &s->got;
  bool full = r->size >= r->limit;
  DWORD there = 0, got = 0;
  if (!PeekNamedPipe(s->end, NULL, 0, NULL, &there, NULL)) return close_handle(&s->end), false;
  if (there == 0) return false;
  if (!received_make_room(r)) return stop(p, "wrote more output than there is memory for", 0), false;
  size_t room = full ? sizeof dropped : r->capacity - r->size;
  if (!ReadFile(s->end, full ? dropped : r->data + r->size, (DWORD)(room < there ? room : there), &got, NULL))
    return close_handle(&s->end), false;
  p->spoke = true;
  if (full) r->cut = true;
  else r->size += got;
  return true;
}

/* Limited, so that a child that writes endlessly cannot keep its reader here. */
static void take_in(process *p) {
  for (int i = 0; i < PIPES; i++)
    for (int turn = 0; turn < 64 && p->streams[i].end; turn++)
      if (!read_some(p, p->streams + i)) break;
  const received *answer = &p->streams[ANSWER].got;
  if (answer->cut) stop(p, "answered with more than %.0f bytes", (double)answer->limit);
}

/* ---- the life of a process ---- */

static double seconds_of(const FILETIME *time) {
  return ((double)time->dwHighDateTime * 4294967296.0 + (double)time->dwLowDateTime) * 1e-7;
}

static void check_time(process *p, double now) {
  FILETIME begun, ended, kernel = {0}, user = {0};
  GetProcessTimes(p->child, &begun, &ended, &kernel, &user);
  if (p->deadline > 0 && now >= p->started + p->deadline) stop(p, "took longer than %.3g s", p->deadline);
  if (idleness_is_over(&p->idle, now, seconds_of(&kernel) + seconds_of(&user), p->spoke))
    stop(p, "did nothing for %.3g s", p->idle.limit);
  p->spoke = false;
}

bool process_wait(process *p, double seconds) {
  double until = clock_seconds() + seconds;
  while (!p->ended) {
    DWORD status = 0;
    bool over = WaitForSingleObject(p->child, 0) == WAIT_OBJECT_0;
    take_in(p); /* after the check, so that no remaining output is missed */
    if (over && GetExitCodeProcess(p->child, &status)) {
      note_end(p, status);
      for (size_t before = 0, now = 1; before != now;) { /* there may be more than one turn of take_in reads */
        before = p->streams[ANSWER].got.size;
        take_in(p);
        now = p->streams[ANSWER].got.size;
      }
      break;
    }
    double now = clock_seconds();
    check_time(p, now);
    if (now >= until) return false;
    WaitForSingleObject(p->child, 1); /* pipes cannot be waited for together with it */
  }
  for (int i = 0; i < PIPES; i++) close_handle(&p->streams[i].end);
  return true;
}

void process_destroy(process *p) {
  if (!p) return;
  stop(p, "was ended", 0);
  if (p->child) WaitForSingleObject(p->child, INFINITE);
  for (int i = 0; i < PIPES; i++) {
    close_handle(&p->streams[i].end);
    mem_free(p->streams[i].got.data);
  }
  close_handle(&p->child);
  close_handle(&p->job);
  mem_free(p);
}

process_bytes process_answer(const process *p) { return received_bytes(&p->streams[ANSWER].got); }
process_bytes process_output(const process *p) { return received_bytes(&p->streams[OUTPUT].got); }
process_bytes process_errors(const process *p) { return received_bytes(&p->streams[ERRORS].got); }
int process_status(const process *p) { return p->status; }
const char *process_ending(const process *p) { return p->ending; }
