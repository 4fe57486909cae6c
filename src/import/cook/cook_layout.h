/* cook_layout – the layout of structs in a cooked file: every pointer takes eight bytes, and every number is aligned to
 * its size. Compilers with eight-byte pointers use the same layout; on other machines the structs are converted in
 * place. */
#ifndef SINEW_IMPORT_COOK_LAYOUT_H
#define SINEW_IMPORT_COOK_LAYOUT_H

#include <sinew/base.h>

/* `alignment` 0: a pointer or a size_t. */
typedef struct layout_field {
  uint16_t at, size, alignment; /* in memory; in the file */
} layout_field;

typedef struct cook_layout {
  const char *name;
  const layout_field *fields; /* all of them, in order */
  int count;
  size_t size; /* in memory; at most that in the file */
} cook_layout;

extern const cook_layout layout_model, layout_text, layout_clip, layout_track_group, layout_skin, layout_mesh,
    layout_morph, layout_material, layout_image, layout_clip_file, layout_match, layout_curve;

/* All layouts; ends with NULL. */
extern const cook_layout *const cook_layouts[];

/* The size of one item in the file. */
size_t layout_size(const cook_layout *layout);
/* The offset of a field in the file. */
size_t layout_at(const cook_layout *layout, int field);

/* Converts from the file's layout to memory's, and back; `items` has room for the larger. A pointer too large for
 * memory becomes the largest one. */
void layout_unpack(const cook_layout *layout, void *items, size_t count);
void layout_pack(const cook_layout *layout, void *items, size_t count);

/* A number that changes whenever a struct of a cooked file changes; the same on every machine. */
uint32_t cook_layout_stamp(void);

#endif
