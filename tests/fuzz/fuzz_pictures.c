/* Answers of a process that unpacks pictures, as the program reads them: every picture arrives once, and only from the
 * bytes that are there. The first byte is the number of pictures, the second the number of bytes that arrive at a
 * time. */
#include "fuzz/feed.h"

#include "import/worker/picture_process.h"

/* A picture's bytes have to lie in what has come. */
static void check(const picture_head *head, const unsigned char *bytes, const unsigned char *answer, size_t come) {
  size_t at = (size_t)(bytes - answer);
  if (bytes < answer || at > come || head->size > come - at) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bool done[PICTURES_ROUND] = {false};
  if (size < 2) return 0;
  int count = data[0] + 1;
  size_t step = (size_t)data[1] + 1, taken = 0, left = size - 2;
  unsigned char *answer = malloc(left + 1); /* of its own, so that a sanitizer sees its end */
  if (!answer) abort();
  memcpy(answer, data + 2, left);
  for (size_t come = 0;; come = left - come < step ? left : come + step) {
    picture_head head;
    const unsigned char *bytes;
    while (picture_take(answer, come, &taken, count, done, &head, &bytes)) {
      check(&head, bytes, answer, come);
      if (head.index >= (uint32_t)count || done[head.index]) abort();
      done[head.index] = true;
    }
    if (taken > come) abort();
    if (come == left) break;
  }
  free(answer);
  return 0;
}
