#include "base/posix/process_keeper.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "base/system.h"

#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

typedef enum keeper_state { STARTING, RUNNING, REFUSED, ENDING } keeper_state;

struct keeper {
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  const process_def *def; /* until the child runs */
  spawned made;
  sinew_error error;
  keeper_state state;
  void (*serve)(void *user, int socket);
  void *user;
};

static void change(keeper *k, keeper_state state) {
  pthread_mutex_lock(&k->mutex);
  k->state = state;
  pthread_cond_broadcast(&k->changed);
  pthread_mutex_unlock(&k->mutex);
}

static void wait_while(keeper *k, keeper_state state) {
  pthread_mutex_lock(&k->mutex);
  while (k->state == state) pthread_cond_wait(&k->changed, &k->mutex);
  pthread_mutex_unlock(&k->mutex);
}

static void *keep(void *data) {
  keeper *k = data;
  if (!process_spawn(k->def, &k->made, &k->error)) {
    change(k, REFUSED);
    return NULL;
  }
  change(k, RUNNING);
  k->serve(k->user, k->made.socket);
  shutdown(k->made.socket, SHUT_RDWR); /* a child that still makes requests gets no answer */
  wait_while(k, RUNNING);
  return NULL;
}

static void free_keeper(keeper *k) {
  pthread_cond_destroy(&k->changed);
  pthread_mutex_destroy(&k->mutex);
  mem_free(k);
}

static keeper *make_keeper(const process_def *def) {
  keeper *k = mem_alloc_zeroed(sizeof *k);
  if (!k) return NULL;
  k->def = def;
  k->serve = def->serve;
  k->user = def->serve_user;
  pthread_mutex_init(&k->mutex, NULL);
  pthread_cond_init(&k->changed, NULL);
  return k;
}

keeper *keeper_start(const process_def *def, spawned *made, sinew_error *error) {
  keeper *k = make_keeper(def);
  if (!k) {
    error_memory(error, def->arguments[0], sizeof *k);
    return NULL;
  }
  system_block_signals();
  bool runs = pthread_create(&k->thread, NULL, keep, k) == 0;
  system_unblock_signals();
  if (runs) wait_while(k, STARTING);
  else error_set(&k->error, "%s: cannot be started: there is no thread for it", def->arguments[0]);
  if (runs && k->state == RUNNING) {
    *made = k->made;
    return k;
  }
  if (runs) pthread_join(k->thread, NULL);
  error_set(error, "%s", k->error.message);
  free_keeper(k);
  return NULL;
}

void keeper_end(keeper *k) {
  if (!k) return;
  shutdown(k->made.socket, SHUT_RDWR);
  change(k, ENDING);
  pthread_join(k->thread, NULL);
  close(k->made.socket);
  free_keeper(k);
}
