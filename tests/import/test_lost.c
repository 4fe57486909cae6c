/* Binary FBX, which test_fbx_files.py does not write: arrays of flags whole, deflated, cut short and lying. */
#include "support/fixture.h"

#include "import/source/lost.h"

typedef struct bytes {
  unsigned char data[256];
  size_t size;
} bytes;

static void add(bytes *b, const void *data, size_t size) {
  memcpy(b->data + b->size, data, size);
  b->size += size;
}

static void add_u32(bytes *b, uint32_t value) {
  for (int i = 0; i < 4; i++) b->data[b->size++] = (unsigned char)(value >> (8 * i));
}

/* How many notes there are when the file, besides a clip with one key a second, holds these bytes. */
static int notes_for(const bytes *b) {
  raw_model raw;
  double times[2] = {0, 1};
  float values[6] = {0, 0, 0, 1, 0, 0};
  raw_track track = {.kind = TRACK_TRANSLATION, .key_count = 2, .times = times, .values = values};
  raw_clip clip = {.name = "clip", .tracks = &track, .track_count = 1};
  unsigned char *data = calloc(b->size + 1, 1); /* to the byte, so that a sanitizer sees a step too far */
  memcpy(data, b->data, b->size);
  import_files files = {.path = "a.fbx", .data = data, .size = b->size};
  raw_init(&raw, "a.fbx", NULL);
  raw.format = RAW_FBX;
  raw.clips = &clip;
  raw.clip_count = 1;
  assert_true(note_lost(&raw, &files));
  int count = raw.note_count;
  raw_release(&raw);
  free(data);
  return count;
}

static bytes array_of(uint32_t count, uint32_t deflated, uint32_t size) {
  bytes b = {{0}, 0};
  add(&b, "\x0cKeyAttrFlagsi", 14);
  add_u32(&b, count);
  add_u32(&b, deflated);
  add_u32(&b, size);
  return b;
}

static void flags_are_read(void **state) {
  (void)state;
  for (uint32_t flag = 0x2; flag <= 0x8; flag *= 2) {
    bytes b = array_of(2, 0, 8);
    add_u32(&b, 0x6104);
    add_u32(&b, 0x6100 | flag);
    assert_int_equal(notes_for(&b), flag != 0x4);
  }
}

static void deflated_flags_are_read(void **state) {
  (void)state;
  for (uint32_t flag = 0x2; flag <= 0x8; flag *= 2) {
    bytes b = array_of(2, 1, 11 + 8);
    add(&b, "\x78\x01\x01\x08\x00\xf7\xff", 7); /* zlib: one stored block of 8 bytes */
    add_u32(&b, 0x6104);
    add_u32(&b, 0x6100 | flag);
    add_u32(&b, 0); /* a checksum that nobody looks at */
    assert_int_equal(notes_for(&b), flag != 0x4);
  }
}

static void arrays_that_lie_say_nothing(void **state) {
  (void)state;
  static const uint32_t lies[][3] = {{2, 0, 4},          {2, 0, 0xffffffff}, {0xffffffff, 0, 8}, {0x40000000, 1, 8},
                                     {2, 1, 0xffffffff}, {2, 1, 8},          {1000000, 1, 8},    {0, 0, 0}};
  for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
    bytes b = array_of(lies[i][0], lies[i][1], lies[i][2]);
    add(&b, "\x78\x01\x01\x08\x00\xf7\xff\x08", 8);
    assert_int_equal(notes_for(&b), 0);
  }
  bytes whole = array_of(2, 0, 8);
  for (whole.size = 0; whole.size < 26; whole.size++) assert_int_equal(notes_for(&whole), 0);
}

static void add_i64(bytes *b, int64_t value) {
  add_u32(b, (uint32_t)value);
  add_u32(b, (uint32_t)((uint64_t)value >> 32));
}

/* As a binary file has it: P: "LocalStop", "KTime", "Time", "", 46186158000 */
static void add_time(bytes *b, const char *name, int64_t value) {
  add(b, name, strlen(name));
  add(b, "S\x05\0\0\0KTimeS\x04\0\0\0TimeS\0\0\0\0L", 25);
  add_i64(b, value);
}

static bytes take_of(int64_t begin, int64_t end, int64_t first, int64_t second) {
  bytes b = {{0}, 0};
  add_time(&b, "LocalStart", 500000); /* of the definitions: says nothing */
  add(&b,
      "Objects\x0e"
      "AnimationStackL",
      23);
  if (begin) add_time(&b, "LocalStart", begin); /* else 0 */
  add_time(&b, "LocalStop", end);
  add(&b, "\x07KeyTimel", 9);
  add_u32(&b, 2);
  add_u32(&b, 0);
  add_u32(&b, 16);
  add_i64(&b, first);
  add_i64(&b, second);
  return b;
}

static void a_take_that_cuts_a_curve_is_told(void **state) {
  (void)state;
  static const int64_t long_ago = INT64_MIN, s = 46186158000;
  const struct {
    int64_t begin, end, first, second;
    int notes;
  } takes[] = {{0, s, 0, s, 0},
               {0, s, 0, s + 10000, 0},
               {0, s, 0, s + 10001, 1},
               {s, 2 * s, 0, 2 * s, 1},
               {s, 2 * s, s, 2 * s, 0},
               {-s, s, -2 * s, s, 1},
               {s, s, 0, s, 0},
               {0, 0, 0, s, 0},
               {s, 2 * s, 3 * s, 4 * s, 1},
               {long_ago, s, 0, 2 * s, 0},
               {0, INT64_MAX, 0, s, 0},
               {2 * s, s, 0, s, 0}};
  for (size_t i = 0; i < sizeof takes / sizeof *takes; i++) {
    bytes b = take_of(takes[i].begin, takes[i].end, takes[i].first, takes[i].second);
    if (notes_for(&b) != takes[i].notes) fail_msg("take %zu", i);
  }
  bytes whole = take_of(0, s, 0, 2 * s);
  assert_int_equal(notes_for(&whole), 1);
  for (size_t size = whole.size - 1; size > 0; size--) { /* a cut one holds no second key */
    whole.size = size;
    assert_int_equal(notes_for(&whole), 0);
  }
}

static void layers_are_counted(void **state) {
  (void)state;
  bytes b = {{0}, 0};
  add(&b,
      "\x0e"
      "AnimationStackL....\x0e"
      "AnimationLayerL....",
      39);
  assert_int_equal(notes_for(&b), 0);
  add(&b,
      "\x0e"
      "AnimationLayerL....",
      20);
  assert_int_equal(notes_for(&b), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flags_are_read),
      cmocka_unit_test(deflated_flags_are_read),
      cmocka_unit_test(arrays_that_lie_say_nothing),
      cmocka_unit_test(a_take_that_cuts_a_curve_is_told),
      cmocka_unit_test(layers_are_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
