#include "support/failing_heap.h"
#include "support/fixture.h"

#include "import/fixtures/use_model.h"
#include "import/fixtures/whole_model.h"

#include "base/file.h"
#include "base/memory/memory.h"
#include "import/cook/cook.h"
#include "import/cook/cook_visit.h"
#include "import/cook/model_check.h"

#include <glob.h>
#include <unistd.h>

static unsigned char *cook_whole(size_t *size) {
  sinew_error error = {""};
  sinew_model *model = whole_model(&error);
  if (!model) fail_msg("%s", error.message);
  unsigned char *bytes = cook_bytes(model, size, &error);
  assert_non_null(bytes);
  sinew_model_release(model);
  return bytes;
}

/* ---- the hash ---- */

/* The values are those that the specification's own program prints (xxhsum -H1). */
static void the_hash_is_xxh64(void **state) {
  (void)state;
  assert_true(hash_bytes("", 0, 0) == 0xEF46DB3751D8E999u);
  assert_true(hash_bytes("a", 1, 0) == 0xD24EC4F1A98C6E5Bu);
  assert_true(hash_bytes("abc", 3, 0) == 0x44BC2CF5AD770999u);
  assert_true(hash_bytes("Nobody inspects the spammish repetition", 39, 0) == 0xFBCEA83C8A378BF1u);
}

/* ---- there and back ---- */

typedef struct piece_list {
  model_visitor visitor;
  visit_piece pieces[4096];
  int count;
} piece_list;

static void *list_piece(model_visitor *visitor, const visit_piece *piece) {
  piece_list *list = (piece_list *)visitor;
  if (list->count < 4096) list->pieces[list->count++] = *piece;
  return piece_pointer(piece);
}

static size_t bytes_of(const visit_piece *piece) {
  if (!piece_pointer(piece)) return 0;
  return piece->text ? strlen(piece_pointer(piece)) + 1 : (size_t)piece->count * piece->size;
}

/* Structs hold pointers, which differ; what they hold besides is compared by cooking both. */
static bool holds_pointers(const visit_piece *piece) {
  static const char *const structs[] = {"the joint names", "the clips",  "the skins", "the meshes",
                                        "the materials",   "the images", "the notes", "a mesh's morph targets",
                                        "a clip's curves"};
  for (size_t i = 0; i < sizeof structs / sizeof *structs; i++)
    if (strcmp(structs[i], piece->what) == 0) return true;
  return strstr(piece->what, "track groups") != NULL;
}

static void assert_same_pieces(sinew_model *a, sinew_model *b) {
  static piece_list first, second;
  first = second = (piece_list){.visitor = {.visit = list_piece}};
  model_visit(a, &first.visitor);
  model_visit(b, &second.visitor);
  assert_int_equal(first.count, second.count);
  assert_true(first.count > 3);
  for (int i = 0; i < first.count; i++) {
    const visit_piece *p = first.pieces + i, *q = second.pieces + i;
    assert_string_equal(p->what, q->what);
    if (bytes_of(p) != bytes_of(q)) fail_msg("%s: %zu bytes became %zu", p->what, bytes_of(p), bytes_of(q));
    if (!holds_pointers(p) && bytes_of(p) && memcmp(piece_pointer(p), piece_pointer(q), bytes_of(p)) != 0)
      fail_msg("%s differ", p->what);
  }
}

static void assert_round_trip(sinew_model *model) {
  sinew_error error = {""};
  size_t size, again_size;
  void *bytes = cook_bytes(model, &size, &error);
  assert_non_null(bytes);
  sinew_model *read = cook_read(bytes, size, "elsewhere.sinew", &error);
  if (!read) fail_msg("%s: %s", sinew_model_path(model), error.message);
  assert_string_equal(sinew_model_path(read), "elsewhere.sinew");
  assert_same_pieces(model, read);
  assert_true(use_model(model) == use_model(read));
  void *again = cook_bytes(read, &again_size, &error);
  assert_int_equal(size, again_size);
  assert_memory_equal(bytes, again, size); /* every field of every struct, too */
  mem_free(bytes);
  mem_free(again);
  sinew_model_release(read);
}

static void a_model_comes_back_as_it_was(void **state) {
  (void)state;
  sinew_error error = {""};
  sinew_model *model = whole_model(&error);
  if (!model) fail_msg("%s", error.message);
  assert_int_equal(sinew_model_clip_count(model), 1);
  assert_int_equal(sinew_model_mesh_count(model), 2);
  assert_int_equal(sinew_model_mesh(model, 0).morph_count, 2);
  assert_non_null(sinew_model_mesh(model, 0).tangents);
  assert_non_null(sinew_model_mesh(model, 0).colors);
  assert_round_trip(model);
  sinew_model_release(model);
}

static void models_of_all_shapes_come_back(void **state) {
  (void)state;
  static const int counts[] = {1, 7, 8, 60, 1000};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    sinew_model *model = random_model(counts[i], SHAPE_FOREST, i == 1 ? 0 : 20, true);
    assert_round_trip(model);
    sinew_model_release(model);
  }
}

static void our_own_characters_come_back(void **state) {
  (void)state;
  glob_t found;
  assert_int_equal(glob(SINEW_SOURCE "/assets/hero*", 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    const char *extension = strrchr(found.gl_pathv[i], '.');
    if (extension && (strcmp(extension, ".bin") == 0 || strcmp(extension, ".png") == 0)) continue; /* parts of models */
    sinew_error error = {""};
    sinew_load_options options = sinew_load_options_default();
    options.max_influences = 8;
    options.no_cache = true;
    sinew_model *model = sinew_model_load(found.gl_pathv[i], &options, &error);
    if (!model) fail_msg("%s", error.message);
    assert_round_trip(model);
    sinew_model_release(model);
  }
  globfree(&found);
}

/* ---- what is wrong with a file ---- */

static void assert_refused(const void *bytes, size_t size, const char *part) {
  sinew_error error = {""};
  assert_null(cook_read(bytes, size, "bad.sinew", &error));
  if (strncmp(error.message, "bad.sinew: ", 11) != 0 || !strstr(error.message, part))
    fail_msg("'%s' does not say '%s'", error.message, part);
}

static void a_foreign_header_is_named(void **state) {
  (void)state;
  size_t size;
  unsigned char *bytes = cook_whole(&size);
  cook_header good, *header = (cook_header *)(void *)bytes;
  good = *header;
  header->magic[0] = 'X', assert_refused(bytes, size, "SINEWCK"), *header = good;
  header->byte_order = 0x04030201, assert_refused(bytes, size, "byte order"), *header = good;
  header->version++, assert_refused(bytes, size, "version"), *header = good;
  header->layout++, assert_refused(bytes, size, "structures"), *header = good;
  header->zero = 1, assert_refused(bytes, size, "header"), *header = good;
  header->zeros[0] = 1, assert_refused(bytes, size, "header"), *header = good;
  header->pixels = UINT64_MAX - 63, assert_refused(bytes, size, "header"), *header = good;
  header->pixels -= 1, assert_refused(bytes, size, "header"), *header = good;
  header->pixels = 0, assert_refused(bytes, size, "header"), *header = good;
  header->pixel_checksum++, assert_refused(bytes, size, "checksum"), *header = good;
  header->payload_size = UINT64_MAX, assert_refused(bytes, size, "bytes"), *header = good;
  header->checksum++, assert_refused(bytes, size, "checksum"), *header = good;
  assert_null(cook_read(bytes, size - 64, "bad.sinew", NULL)); /* nobody asks why */
  mem_free(bytes);
}

/* Pixels stand last and have a checksum of their own; only the cache does without it. */
static void damaged_pixels_are_refused(void **state) {
  (void)state;
  size_t size;
  unsigned char *bytes = cook_whole(&size);
  const cook_header *header = (const cook_header *)(void *)bytes;
  assert_true(header->pixels < header->payload_size);
  bytes[sizeof *header + header->pixels] ^= 1;
  assert_refused(bytes, size, "checksum");
  FILE *file = tmpfile();
  assert_true(file && fwrite(bytes, size, 1, file) == 1 && fflush(file) == 0);
  rewind(file);
  sinew_model *model = cook_read_cached(fileno(file), size, "cached", NULL);
  assert_non_null(model);
  sinew_model_release(model);
  bytes[sizeof *header + 8] ^= 1; /* not a pixel */
  rewind(file);
  assert_true(fwrite(bytes, size, 1, file) == 1 && fflush(file) == 0);
  rewind(file);
  assert_null(cook_read_cached(fileno(file), size, "cached", NULL));
  fclose(file);
  mem_free(bytes);
}

static void every_cut_is_refused(void **state) {
  (void)state;
  size_t size;
  unsigned char *bytes = cook_whole(&size);
  for (size_t cut = 0; cut < size; cut++) {
    unsigned char *part = malloc(cut + 1); /* of its own size: a sanitizer sees a step too far */
    memcpy(part, bytes, cut);
    assert_refused(part, cut, "bad.sinew");
    free(part);
  }
  mem_free(bytes);
}

/* A cut whose header has been made to fit gets as far as the pieces. */
static void every_cut_with_a_right_header_is_refused(void **state) {
  (void)state;
  size_t size;
  unsigned char *bytes = cook_whole(&size);
  for (size_t cut = size - COOK_ALIGNMENT; cut > sizeof(cook_header); cut -= COOK_ALIGNMENT) {
    cook_header header = cook_header_make(bytes + sizeof header, cut - sizeof header, cut - sizeof header);
    memcpy(bytes, &header, sizeof header);
    assert_refused(bytes, cut, "cook the source again");
  }
  mem_free(bytes);
}

static void a_longer_payload_is_refused(void **state) {
  (void)state;
  size_t size;
  unsigned char *bytes = cook_whole(&size), *longer = calloc(1, size + COOK_ALIGNMENT);
  memcpy(longer, bytes, size);
  cook_header header =
      cook_header_make(longer + sizeof header, size + COOK_ALIGNMENT - sizeof header, size - sizeof header);
  memcpy(longer, &header, sizeof header);
  assert_refused(longer, size + COOK_ALIGNMENT, "more bytes");
  free(longer);
  mem_free(bytes);
}

/* ---- hostile bytes under a right checksum ---- */

static void spoil(unsigned char *payload, size_t size) {
  static const uint32_t words[] = {0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0x7FC00000, 0x7F800000, 0x7F7FFFFF, 64};
  size_t at = random_bits() % size;
  if (random_bits() % 2 && size > 512) at %= 512; /* counts and pointers stand at the front */
  switch (random_bits() % 4) {
  case 0: payload[at] ^= (unsigned char)(1u << random_bits() % 8); break;
  case 1: payload[at] = (unsigned char)random_bits(); break;
  case 2: memcpy(payload + at / 4 * 4, words + random_bits() % 9, 4); break;
  default: memcpy(payload + at / 8 * 8, payload + random_bits() % (size / 8) * 8, 8); break;
  }
}

static void spoiled_models_are_refused_or_right(void **state) {
  (void)state;
  size_t size;
  unsigned char *bytes = cook_whole(&size), *payload;
  unsigned char *spoiled = malloc(size);
  int refused = 0, taken = 0;
  random_seed(3);
  for (int i = 0; i < 20000; i++) {
    sinew_error error = {""};
    memcpy(spoiled, bytes, size);
    payload = spoiled + sizeof(cook_header);
    for (uint32_t n = random_bits() % 3 + 1; n > 0; n--) spoil(payload, size - sizeof(cook_header));
    cook_header header = cook_header_make(payload, size - sizeof header, size - sizeof header);
    memcpy(spoiled, &header, sizeof header);
    sinew_model *model = cook_read(spoiled, size, "bad.sinew", &error);
    if (model) use_model(model);
    else if (!strstr(error.message, "cook the source again")) fail_msg("'%s'", error.message);
    model ? taken++ : refused++;
    sinew_model_release(model);
  }
  assert_true(refused > 5000 && taken > 1000); /* padding, colours, names and some numbers may be anything */
  free(spoiled);
  mem_free(bytes);
}

/* ---- the rules, one by one ---- */

/* Changes something of a model in memory; the check must say `part`. */
#define assert_breaks(change, part)                                                                                    \
  do {                                                                                                                 \
    sinew_error broken_error = {""};                                                                                   \
    sinew_model *m = whole_model(&broken_error);                                                                       \
    assert_non_null(m);                                                                                                \
    if (!check_model(m, &broken_error)) fail_msg("%s", broken_error.message);                                          \
    change;                                                                                                            \
    assert_false(check_model(m, &broken_error));                                                                       \
    if (!strstr(broken_error.message, part)) fail_msg("'%s' does not say '%s'", broken_error.message, part);           \
    sinew_model_release(m);                                                                                            \
  } while (0)

static void skeletons_are_checked(void **state) {
  (void)state;
  assert_breaks(m->parents[0] = 0, "virtual root");
  assert_breaks(m->parents[3] = 3, "parent of joint 3");
  assert_breaks(m->parents[1] = -1, "parent of joint 1");
  assert_breaks(m->parents[5] = 1, "breadth first");
  assert_breaks(m->parts[2] = 200, "part 200 of a body");
  assert_breaks(m->above[0] = 12, "virtual root");
  assert_breaks(m->above[3]++, "matrix above joint 3");
  assert_breaks(m->pairs[0] ^= 1, "which of them make pairs");
  assert_breaks(m->file_indices[2] = 5, "file index of joint 2");
  assert_breaks(m->file_indices[2] = -2, "file index of joint 2");
  assert_breaks(m->rest[0].rotation[3][1] = 2, "rest pose");
  assert_breaks(m->rest[0].scale[0][1] = NAN, "rest pose");
  assert_breaks(m->rest[0].translation[0][7] = 1, "rest pose");
  assert_breaks(m->bounds_min.x = INFINITY, "bounds");
  assert_breaks(m->bounds_min.y = m->bounds_max.y + 1, "bounds");
}

static void skins_are_checked(void **state) {
  (void)state;
  assert_breaks(*(int32_t *)(uintptr_t)m->skins[0].joints = 6, "skin 0 has joint 6");
  assert_breaks(*(int32_t *)(uintptr_t)m->skins[0].joints = -1, "skin 0 has joint -1");
  assert_breaks(((sinew_mat3x4 *)(uintptr_t)m->skins[1].inverse_binds)->m[5] = NAN, "inverse bind of skin 1");
  assert_breaks(m->skins[1].first = 0, "must begin at 2");
  assert_breaks(m->palette_count++, "palette");
}

#define WRITABLE(type, pointer) ((type *)(uintptr_t)(pointer))

static void meshes_are_checked(void **state) {
  (void)state;
  assert_breaks(m->meshes[0].joint = 6, "hangs from joint 6");
  assert_breaks(m->meshes[0].skin = 2, "has skin 2");
  assert_breaks(m->meshes[0].skin = -1, "has skin -1");
  assert_breaks(m->meshes[0].material = 1, "has material 1");
  assert_breaks(m->meshes[0].index_count = 5, "do not make triangles");
  assert_breaks(m->meshes[0].influences = 2, "must have 4 or 8");
  assert_breaks(WRITABLE(uint32_t, m->meshes[0].indices)[3] = WHOLE_VERTICES, "triangle of mesh 0");
  assert_breaks(WRITABLE(uint16_t, m->meshes[0].joints)[7] = 2, "names a joint");
  assert_breaks(WRITABLE(float, m->meshes[0].weights)[4] = 0.01f, "weights of a vertex");
  assert_breaks(WRITABLE(float, m->meshes[0].positions)[17] = INFINITY, "mesh 0 has a number");
  assert_breaks(WRITABLE(float, m->meshes[0].uvs)[11] = NAN, "mesh 0 has a number");
  assert_breaks(WRITABLE(float, m->meshes[0].morphs[1].normals)[17] = NAN, "mesh 0 has a number");
  assert_breaks(WRITABLE(sinew_morph_view, m->meshes[0].morphs)[0].rest_weight = NAN, "mesh 0 has a number");
  assert_breaks(m->meshes[0].same_as = 0, "which is not like it");
  assert_breaks(m->meshes[0].same_as = -2, "which is not like it");
}

#define TABLE(m) WRITABLE(track_group, (m)->clips[0].track_groups)[0]
#define PACK(m) WRITABLE(clip_pack, (m)->clips[0].packs)[0]
#define SEGMENT(m) WRITABLE(clip_segment, TABLE(m).segments)[0]
#define BLOCK(m) WRITABLE(clip_block, (m)->clips[0].blocks)[0]
#define CURVE(m) WRITABLE(sinew_curve_view, (m)->clips[0].curves)[0]
#define CURVE_KEY(m, i) WRITABLE(sinew_curve_key, CURVE(m).keys)[i]
#define GROUP(m) WRITABLE(clip_group, (m)->clips[0].groups)[0]
/* The first pack of integers, and of floats. */
#define NARROW(m) (*first_pack(m, false))
#define WIDE(m) (*first_pack(m, true))

static clip_pack *first_pack(const sinew_model *m, bool wide) {
  clip_pack *pack = &PACK(m);
  while ((pack->form == CLIP_WIDE) != wide) pack++;
  return pack;
}

static bool has_pack(const sinew_clip *clip, int joint) {
  for (int i = 0; i < clip->pack_count; i++)
    if (clip->packs[i].group == joint / SINEW_LANES && clip->packs[i].source[joint % SINEW_LANES] >= 0) return true;
  return false;
}

/* The clip is said not to carry the first joint that packs move, or that none does and that does not rest. */
static void leave_out(sinew_clip *clip, bool moves) {
  int joint = 1;
  while (has_pack(clip, joint) != moves) joint++;
  WRITABLE(float, clip->animated)[joint] = 0;
  WRITABLE(clip_group, clip->groups)
  [joint / SINEW_LANES].flags &= ~(1 << (CLIP_GROUP_ANIMATES + joint % SINEW_LANES));
  clip->animates_all = false;
}

static void clips_are_checked(void **state) {
  (void)state;
  assert_breaks(m->clips[0].joint_count--, "another skeleton");
  assert_breaks(m->clips[0].duration = -1, "clip 0 has an invalid start");
  assert_breaks(m->clips[0].error = NAN, "clip 0 has an invalid start");
  assert_breaks(CURVE(m).count = 65537, "clip 0 has an invalid curve");
  assert_breaks(CURVE(m).name = "", "clip 0 has an invalid curve");
  assert_breaks(CURVE(m).name = m->clips[0].curves[1].name, "clip 0 has an invalid curve");
  assert_breaks(CURVE_KEY(m, 0).time = -1e-9, "clip 0 has an invalid curve");
  assert_breaks(CURVE_KEY(m, 3).time = 1e9, "clip 0 has an invalid curve");
  assert_breaks(CURVE_KEY(m, 2).time = 0, "clip 0 has an invalid curve");
  assert_breaks(CURVE_KEY(m, 2).value = (double)NAN, "clip 0 has an invalid curve");
  assert_breaks(m->clips[0].animates_all = !m->clips[0].animates_all, "animates");
  assert_breaks(WRITABLE(float, TABLE(m).times)[1] = -1, "times of clip 0");
  assert_breaks(WRITABLE(float, TABLE(m).times)[1] = NAN, "times of clip 0");
  assert_breaks(TABLE(m).shift = -1, "segments of clip 0");
  assert_breaks(TABLE(m).shift = 31, "segments of clip 0");
  assert_breaks(SEGMENT(m).at = -4, "segments of clip 0");
  assert_breaks(SEGMENT(m).stride += 4096, "segments of clip 0");
  assert_breaks(SEGMENT(m).stride = -4, "segments of clip 0");
  assert_breaks(SEGMENT(m).used = SEGMENT(m).stride + 1, "segments of clip 0");
  assert_breaks(PACK(m).group = 1000, "pack 0 of clip 0");
  assert_breaks(PACK(m).kind = 3, "pack 0 of clip 0");
  assert_breaks(PACK(m).at = -8, "pack 0 of clip 0");
  assert_breaks(NARROW(m).at = m->clips[0].block_count, "of clip 0 moves");
  assert_breaks(NARROW(m).step = true, "of clip 0 moves");
  assert_breaks(WIDE(m).at = SEGMENT(m).stride, "of clip 0 moves");
  assert_breaks(WIDE(m).at += 2, "of clip 0 ");
  assert_breaks(PACK(m).track_count = 9, "pack 0 of clip 0");
  assert_breaks(PACK(m).source[0] = 8, "pack 0 of clip 0");
  assert_breaks(PACK(m).source[3] = -2, "pack 0 of clip 0");
  assert_breaks(PACK(m).lanes ^= 1, "pack 0 of clip 0");
  assert_breaks(PACK(m).track_group = 4, "pack 0 of clip 0");
  assert_breaks(PACK(m).last = !PACK(m).last, "pack 0 of clip 0 misstates whether it is the last");
  assert_breaks(((&PACK(m))[1] = PACK(m), PACK(m).last = false), "pack 1 of clip 0 is not in the order");
  assert_breaks(GROUP(m).flags ^= 1, "what moves in group 0");
  assert_breaks(GROUP(m).flags ^= 2 << CLIP_GROUP_ANIMATES, "what moves in group 0");
  assert_breaks(GROUP(m).held[0] = -2, "in group 0");
  assert_breaks(GROUP(m).held[1] = m->clips[0].constant_count, "in group 0");
  assert_breaks(leave_out(&m->clips[0], true), "or is not animated");
  assert_breaks(leave_out(&m->clips[0], false), "of clip 0");
  assert_breaks(BLOCK(m).middle[1][2] = NAN, "of clip 0 has a number");
  assert_breaks(BLOCK(m).scale[1][2] = 0x7F80, "of clip 0 has a number"); /* infinity */
  assert_breaks(BLOCK(m).spread[0][2] = 16, "of clip 0 has a number");
  assert_breaks(NARROW(m).form = CLIP_FORMS, "of clip 0 moves");
  assert_breaks(BLOCK(m).offset[2] = -1, "of clip 0 has a number");
  assert_breaks(BLOCK(m).offset[2] = SEGMENT(m).stride + 1, "of clip 0 has a number");
}

/* The whole model rotates in floats. */
static void the_middles_of_rotations_are_checked(void **state) {
  (void)state;
  sinew_error error = {""};
  sinew_load_options options = sinew_load_options_default();
  options.no_cache = true;
  sinew_model *m = sinew_model_load(SINEW_SOURCE "/assets/hero.glb", &options, &error);
  if (!m) fail_msg("%s", error.message);
  assert_true(check_model(m, &error));
  const clip_pack *pack = first_pack(m, false);
  while (pack->kind != TRACK_ROTATION || !clip_form_is_narrow(pack->form)) pack++;
  int lane = 0;
  while (pack->source[lane] < 0) lane++;
  WRITABLE(clip_block, m->clips[0].blocks)[pack->at].middle[3][lane] = 3;
  assert_false(check_model(m, &error));
  assert_non_null(strstr(error.message, "rotations not of unit"));
  sinew_model_release(m);
}

/* The whole model's clip has a STEP curve, so its track group has cells. */
static void rows_are_found_where_they_are(void **state) {
  (void)state;
  assert_breaks(TABLE(m).cell_count = -1, "times of clip 0");
  assert_breaks(TABLE(m).cell_count = 0, "times of clip 0"); /* even, and yet not */
  assert_breaks(TABLE(m).rate = 0, "times of clip 0");
  assert_breaks(TABLE(m).rate = NAN, "times of clip 0");
  assert_breaks(TABLE(m).rate *= 2, "times of clip 0");
  assert_breaks(TABLE(m).end = 1e9, "times of clip 0");
  assert_breaks(TABLE(m).end *= 0.5, "times of clip 0");
  assert_breaks(WRITABLE(int32_t, TABLE(m).cells)[1] = -1, "times of clip 0");
  assert_breaks(WRITABLE(int32_t, TABLE(m).cells)[1] = 1000, "times of clip 0");
  assert_breaks(WRITABLE(int32_t, TABLE(m).cells)[TABLE(m).cell_count]--, "times of clip 0");
  for (int rows = 1; rows <= 3; rows++) { /* an even track group of the same rows */
#define EVEN(r, e) (TABLE(m).cell_count = 0, TABLE(m).frame_count = rows, TABLE(m).rate = (r), TABLE(m).end = (e))
    assert_breaks(EVEN(1, 0.01 + (rows - 1)), "times of clip 0");
    assert_breaks(EVEN(1, rows - 2), "times of clip 0");
    assert_breaks(EVEN(INFINITY, rows - 1), "times of clip 0");
    if (rows > 1) assert_breaks((EVEN(1, rows - 1), TABLE(m).last_scale = 0), "times of clip 0");
    if (rows > 1) assert_breaks((EVEN(1, rows - 1), TABLE(m).last_scale = INFINITY), "times of clip 0");
  }
}

static void materials_are_checked(void **state) {
  (void)state;
  assert_breaks(m->materials[0].textures[SINEW_TEXTURE_NORMAL].image = 1, "uses image 1");
  assert_breaks(m->materials[0].textures[SINEW_TEXTURE_SHEEN_ROUGHNESS].uv_set = 2, "texture coordinates");
  assert_breaks(m->materials[0].textures[SINEW_TEXTURE_OCCLUSION].transform[5] = INFINITY, "texture coordinates");
  assert_breaks(m->materials[0].alpha_mode = (sinew_alpha_mode)3, "alpha mode");
  assert_breaks(*(unsigned char *)&m->materials[0].unlit = 2, "flag");
  assert_breaks(m->materials[0].clearcoat = NAN, "material 0");
  assert_breaks(m->materials[0].sheen_color[1] = NAN, "material 0");
  assert_breaks(*(unsigned char *)&m->materials[0].double_sided = 2, "flag");
  assert_breaks(m->materials[0].emissive[2] = NAN, "material 0");
  assert_breaks(m->images[0].width = 0, "image 0");
  assert_breaks(m->images[0].wrap_u = (sinew_wrap)3, "wrap mode");
  assert_breaks(m->images[0].wrap_v = (sinew_wrap)-1, "wrap mode");
  assert_breaks(m->images[0].height = 1 << 20, "image 0");
}

/* ---- memory ---- */

static void running_out_of_memory_is_an_error(void **state) {
  (void)state;
  size_t size;
  unsigned char *bytes = cook_whole(&size);
  sinew_error error = {""};
  sinew_model *whole = whole_model(&error);
  failing_heap heap = {.left = -1};
  failing_heap_install(&heap);
  int failed = 0;
  for (heap.left = 0;; heap.left = ++failed) {
    sinew_model *model = cook_read(bytes, size, "whole.sinew", &error);
    size_t again_size;
    void *again = model ? cook_bytes(whole, &again_size, &error) : NULL;
    heap.left = -1;
    bool complete = model && again;
    if (!complete) assert_non_null(strstr(error.message, "out of memory"));
    sinew_model_release(model);
    mem_free(again);
    assert_int_equal(heap.living, 0);
    if (complete) break;
  }
  sinew_set_allocator(NULL);
  assert_true(failed >= 2);
  sinew_model_release(whole);
  mem_free(bytes);
}

/* ---- files ---- */

static void files_are_read_by_their_extension(void **state) {
  (void)state;
  char folder[] = "/tmp/sinew-cook-XXXXXX", path[64];
  sinew_error error = {""};
  size_t size;
  unsigned char *bytes = cook_whole(&size);
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/whole.sinew", folder);
  assert_true(cook_is_path(path) && cook_is_path("A.SINEW") && !cook_is_path("sinew") && !cook_is_path("a.glb"));
  assert_true(file_write(path, bytes, size, NULL));
  sinew_model *model = cook_load(path, &error);
  if (!model) fail_msg("%s", error.message);
  assert_string_equal(sinew_model_path(model), path);
  sinew_model_release(model);
  assert_true(file_write(path, bytes, size / 2, NULL));
  assert_null(cook_load(path, &error));
  assert_non_null(strstr(error.message, path));
  remove(path);
  assert_null(cook_load(path, &error));
  assert_non_null(strstr(error.message, "no such file"));
  assert_null(cook_load(folder, &error));
  assert_non_null(strstr(error.message, "not a regular file"));
  rmdir(folder);
  mem_free(bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_hash_is_xxh64),
      cmocka_unit_test(a_model_comes_back_as_it_was),
      cmocka_unit_test(models_of_all_shapes_come_back),
      cmocka_unit_test(our_own_characters_come_back),
      cmocka_unit_test(a_foreign_header_is_named),
      cmocka_unit_test(damaged_pixels_are_refused),
      cmocka_unit_test(every_cut_is_refused),
      cmocka_unit_test(every_cut_with_a_right_header_is_refused),
      cmocka_unit_test(a_longer_payload_is_refused),
      cmocka_unit_test(spoiled_models_are_refused_or_right),
      cmocka_unit_test(skeletons_are_checked),
      cmocka_unit_test(skins_are_checked),
      cmocka_unit_test(meshes_are_checked),
      cmocka_unit_test(clips_are_checked),
      cmocka_unit_test(the_middles_of_rotations_are_checked),
      cmocka_unit_test(rows_are_found_where_they_are),
      cmocka_unit_test(materials_are_checked),
      cmocka_unit_test(running_out_of_memory_is_an_error),
      cmocka_unit_test(files_are_read_by_their_extension),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
