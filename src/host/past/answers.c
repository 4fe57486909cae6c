#include "host/past/run_log.h"

#include "base/memory/memory.h"

struct known_answer {
  sinew_answer current; /* the last one given; before that, the first one */
  int64_t last_frame;   /* of the recording's answers to it */
};

struct given_answer {
  int known;
  bool recalled;
  sinew_answer answer;
};

void answers_release(answers *a) {
  mem_free(a->known);
  mem_free(a->given);
  hash_index_release(&a->by_key);
  *a = (answers){0};
}

bool answers_learn(answers *a, uint64_t key, sinew_answer answer, int64_t frame) {
  int found = hash_index_find(&a->by_key, key);
  if (found < 0) {
    struct known_answer *made = array_grow((void **)&a->known, &a->known_count, &a->known_capacity, sizeof *made);
    if (!made) return false;
    made->current = answer;
    found = a->known_count - 1;
    if (!hash_index_set(&a->by_key, key, found)) return false;
  }
  a->known[found].last_frame = frame;
  return true;
}

void answers_begin_frame(answers *a) {
  for (int i = 0; i < a->given_count; i++) a->known[a->given[i].known].current = a->given[i].answer;
  a->given_count = 0;
  a->frame++;
}

bool answers_give(answers *a, uint64_t key, sinew_answer answer) {
  struct given_answer *made = array_grow((void **)&a->given, &a->given_count, &a->given_capacity, sizeof *made);
  if (!made) return false;
  made->known = hash_index_find(&a->by_key, key);
  made->answer = answer;
  if (made->known < 0) a->given_count--; /* it was never learned */
  return true;
}

bool answers_recall(answers *a, uint64_t key, sinew_recall when, sinew_answer *answer) {
  int known = hash_index_find(&a->by_key, key);
  if (known < 0) return false;
  for (int i = 0; i < a->given_count; i++) {
    struct given_answer *g = a->given + i;
    if (g->known != known || g->recalled) continue;
    g->recalled = true;
    *answer = a->known[known].current = g->answer;
    return true;
  }
  *answer = a->known[known].current;
  return when == SINEW_RECALL_LAST;
}

bool answers_will_recall(const answers *a, uint64_t key) {
  int known = hash_index_find(&a->by_key, key);
  if (known < 0) return false;
  for (int i = 0; i < a->given_count; i++)
    if (a->given[i].known == known && !a->given[i].recalled) return true;
  return a->known[known].last_frame > a->frame;
}
