/* answers – the recorded answers to the application's questions: in the current frame each once, in order; after that,
 * the last one again. */
#ifndef SINEW_HOST_ANSWERS_H
#define SINEW_HOST_ANSWERS_H

#include "base/memory/hash_index.h"

#include <sinew/recording.h>

typedef struct answers {
  struct known_answer *known; /* one for each question of the recording */
  int known_count, known_capacity;
  hash_index by_key;
  struct given_answer *given; /* in the current frame of the replay */
  int given_count, given_capacity;
  int64_t frame;
} answers;

void answers_release(answers *a);
/* While the recording is checked, adds its next answer, which belongs to that frame. */
bool answers_learn(answers *a, uint64_t key, sinew_answer answer, int64_t frame);
/* During the replay: starts a frame; adds one of its answers. */
void answers_begin_frame(answers *a);
bool answers_give(answers *a, uint64_t key, sinew_answer answer);

bool answers_recall(answers *a, uint64_t key, sinew_recall when, sinew_answer *answer);
bool answers_will_recall(const answers *a, uint64_t key);

#endif
