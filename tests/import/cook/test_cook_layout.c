#include "support/fixture.h"

#include "import/cook/cook_visit.h"

/* Where pointers have eight bytes, memory is what files are: so each field is in the table, and in its place. */
static void the_table_is_what_compilers_do(void **state) {
  (void)state;
  if (sizeof(void *) != sizeof(uint64_t)) skip();
  for (const cook_layout *const *l = cook_layouts; *l; l++) {
    for (int f = 0; f < (*l)->count; f++)
      if (layout_at(*l, f) != (*l)->fields[f].at)
        fail_msg("%s: field %d is at %zu in files and at %d in memory", (*l)->name, f, layout_at(*l, f),
                 (*l)->fields[f].at);
    if (layout_size(*l) != (*l)->size)
      fail_msg("%s has %zu bytes in files and %zu in memory", (*l)->name, layout_size(*l), (*l)->size);
  }
}

/* Padding is where no number needs another place: a field that the table forgets does not hide there. */
static void no_field_hides_in_padding(void **state) {
  (void)state;
  if (sizeof(void *) != sizeof(uint64_t)) skip();
  for (const cook_layout *const *l = cook_layouts; *l; l++)
    for (int f = 0; f < (*l)->count; f++) {
      const layout_field *field = (*l)->fields + f;
      size_t end = (size_t)field->at + field->size, next = f + 1 < (*l)->count ? field[1].at : (*l)->size;
      size_t alignment = f + 1 < (*l)->count && field[1].alignment ? field[1].alignment : 8;
      if (next - end >= alignment) fail_msg("%s: there are %zu bytes behind field %d", (*l)->name, next - end, f);
    }
}

/* ---- sizes and places in the file, on every machine ---- */

static void sizes_are_the_same_everywhere(void **state) {
  (void)state;
  static const struct {
    const cook_layout *layout;
    size_t size;
  } known[] = {{&layout_model, 280}, {&layout_text, 8},       {&layout_clip, 184}, {&layout_track_group, 88},
               {&layout_skin, 24},   {&layout_mesh, 128},     {&layout_morph, 32}, {&layout_material, 416},
               {&layout_image, 48},  {&layout_clip_file, 32}, {&layout_match, 16}, {&layout_curve, 24}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (layout_size(known[i].layout) != known[i].size)
      fail_msg("%s has %zu bytes in files, not %zu: the format is another one, count COOK_VERSION up",
               known[i].layout->name, layout_size(known[i].layout), known[i].size);
}

/* ---- conversion, as where pointers have four bytes ---- */

typedef struct small {
  uint32_t name;
  int32_t count;
  uint32_t items;
  uint8_t flag, hole[3];
  float number;
} small;

static const layout_field small_fields[] = {{offsetof(small, name), 4, 0},
                                            {offsetof(small, count), 4, 4},
                                            {offsetof(small, items), 4, 0},
                                            {offsetof(small, flag), 1, 1},
                                            {offsetof(small, number), 4, 4}};
static const cook_layout small_layout = {"small", small_fields, 5, sizeof(small)};

/* By hand: a pointer, a number and a gap, a pointer, a byte and a gap, a number. */
typedef struct large {
  uint64_t name;
  int32_t count, gap;
  uint64_t items;
  uint8_t flag, hole[3];
  float number;
} large;

static void structs_are_converted_there_and_back(void **state) {
  (void)state;
  const large file[3] = {{64, 7, 0, 128, 1, {0}, 0.5f}, {1, -3, 0, 0, 0, {0}, -2}, {0, 0, 0, 0xFFFFFFFF, 255, {0}, 3}};
  union {
    large file[3];
    small memory[3];
  } items;
  memcpy(items.file, file, sizeof file);
  assert_int_equal(layout_size(&small_layout), sizeof(large));
  layout_unpack(&small_layout, &items, 3);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(items.memory[i].name, file[i].name);
    assert_int_equal(items.memory[i].count, file[i].count);
    assert_int_equal(items.memory[i].items, file[i].items);
    assert_int_equal(items.memory[i].flag, file[i].flag);
    assert_true(items.memory[i].number == file[i].number);
  }
  layout_pack(&small_layout, &items, 3);
  assert_memory_equal(items.file, file, sizeof file);
}

/* Such a place is in no file: it must not become one that is. */
static void a_place_beyond_memory_is_refused(void **state) {
  (void)state;
  union {
    large file;
    small memory;
  } item = {.file = {.name = ((uint64_t)1 << 32) + 64}};
  layout_unpack(&small_layout, &item, 1);
  assert_int_equal(item.memory.name, UINT32_MAX);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table_is_what_compilers_do), cmocka_unit_test(no_field_hides_in_padding),
      cmocka_unit_test(sizes_are_the_same_everywhere), cmocka_unit_test(structs_are_converted_there_and_back),
      cmocka_unit_test(a_place_beyond_memory_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
