/* The reader of cooked models. The bytes are a payload under a right header or, mostly, changes to a model that is
 * whole: so the fuzzer begins where the checks are and not before the first of them, and needs no corpus. What is taken
 * is used as a program would, under the sanitizers. */
#include "fuzz/feed.h"
#include "import/fixtures/use_model.h"
#include "import/fixtures/whole_model.h"

#include "import/cook/cook.h"

enum { CHANGE = 8 };

static unsigned char *whole;
static size_t whole_size;

static void open_whole(void) {
  sinew_error error = {""};
  sinew_model *model = whole_model(&error);
  whole = model ? cook_bytes(model, &whole_size, &error) : NULL;
  if (!whole) abort();
  sinew_model_release(model);
}

/* A change is a place (16 bits), what to do (8 bits, 8 unused) and a number (32 bits). */
static void change(unsigned char *payload, size_t size, const uint8_t *step) {
  uint16_t position;
  uint32_t number, word;
  memcpy(&position, step, sizeof position);
  memcpy(&number, step + 4, sizeof number);
  unsigned char *at = payload + position * sizeof word % size;
  memcpy(&word, at, sizeof word);
  switch (step[2] % 4) {
  case 0: word = number; break;
  case 1: word ^= 1u << number % 32; break;
  case 2: word += number % 17 - 8; break;
  default: memcpy(&word, payload + number * sizeof word % size, sizeof word);
  }
  memcpy(at, &word, sizeof word);
}

/* Free it. */
static unsigned char *make_payload(const uint8_t *data, size_t data_size, size_t *size) {
  bool bare = data_size > 0 && data[0] == 0xFF;
  *size = bare ? data_size - 1 : whole_size - sizeof(cook_header);
  unsigned char *cooked = calloc(1, sizeof(cook_header) + *size + 1), *payload = cooked + sizeof(cook_header);
  if (bare) memcpy(payload, data + 1, *size);
  if (bare) return cooked;
  memcpy(payload, whole + sizeof(cook_header), *size);
  for (size_t at = 0; at + CHANGE <= data_size; at += CHANGE) change(payload, *size, data + at);
  return cooked;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sinew_error error = {""};
  size_t payload_size;
  if (!whole) open_whole();
  feed_allocator();
  unsigned char *cooked = make_payload(data, size, &payload_size);
  cook_header header = cook_header_make(cooked + sizeof header, payload_size, payload_size);
  memcpy(cooked, &header, sizeof header);
  sinew_model *model = cook_read(cooked, sizeof header + payload_size, "fuzz.sinew", &error);
  if (model) use_model(model);
  else if (!error.message[0]) abort();
  sinew_model_release(model);
  free(cooked);
  return 0;
}
