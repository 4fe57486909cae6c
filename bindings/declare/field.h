/* field – everything that a scene can declare about a thing, one line for each option or property.
 *
 * A kind is a struct of values and the table of its fields. Reading options, comparing declarations, merging changes
 * into the living thing, messages, stubs and reference all walk that table. So a new option is one line in it, plus the
 * code that gives it its effect. Knows no Lua. */
#ifndef SINEW_BINDINGS_FIELD_H
#define SINEW_BINDINGS_FIELD_H

#include <sinew/pose.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum field_type {
  FIELD_NUMBER,    /* double; NAN: not said */
  FIELD_FLOAT,     /* float */
  FIELD_COUNT,     /* int */
  FIELD_FLAG,      /* bool; messages call false and true by `words`, if there are any */
  FIELD_WORD,      /* an enum, in the order of `words` */
  FIELD_TEXT,      /* char[]; "": not said */
  FIELD_NAME,      /* const char *; NULL: not set */
  FIELD_CONDITION, /* the same, an expression: spaces that separate nothing are ignored */
  FIELD_VECTOR,    /* floats */
  FIELD_ROTATION,  /* sinew_quat */
  FIELD_SIZE,      /* sinew_vec3; may be given as one number */
  FIELD_TRANSFORM, /* sinew_transform */
  FIELD_LOOP,      /* sinew_loop_mode, followed by an int: how many times */
  FIELD_JOINT,     /* int; −1: none */
  FIELD_JOINTS,    /* const int *, with an int at `count`: how many */
  FIELD_NUMBERS,   /* const float * or NULL, with a count in the same way */
  FIELD_POSE,      /* sinew_pose */
  FIELD_CLIP,      /* int, index in the model */
  FIELD_INDEX,     /* int without meaning to a person: an index in a list of the same declaration; −1: none */
  FIELD_PARAM,     /* int, index of a parameter of the owner, whose name messages use; −1: none */
  FIELD_FUNCTION,  /* int64_t that finds it; negative: none. Messages leave it out, because a save makes all functions
                      anew */
  FIELD_BITS,      /* uint32_t, in the order of `words` */
  FIELD_KIND,      /* the values of another kind, compared by its fields; messages leave out the values */
  FIELD_OPAQUE,    /* compared as memory; messages leave out the values */
  FIELD_LUA        /* held by Lua (lua/plain_change.h) */
} field_type;

/* The effect of a save that changes the field. */
typedef enum field_effect {
  FIELD_LIVE,   /* set on what lives */
  FIELD_REJOIN, /* the living thing continues as near to its old state as the new value allows, and blends by inertia */
  FIELD_START   /* takes effect only at the next start, and the message says so */
} field_effect;

typedef struct store_field {
  const char *name;
  field_type type;
  size_t offset;
  int size; /* bytes of the member */
  field_effect effect;
  const char *const *words;    /* ends with NULL */
  const char *sets;            /* of options that it belongs to, "ik_modifier plant_modifier"; NULL: the kind's own */
  const char *spec, *doc;      /* as an option (api.h); NULL: it is not an option */
  bool custom;                 /* an option that is read together with the list of its values */
  size_t count;                /* of a list: the offset of its length */
  const struct store_kind *of; /* of FIELD_KIND */
  float low, high;             /* the range of its slider; both 0: none */
  bool is_length;              /* the slider grows with the value, whose unit the scene chooses */
  bool color;                  /* a vector is one */
  bool tilts;                  /* a rotation has a control about all axes, not about y alone */
  const char
      *uncontrolled; /* why it has no control in the inspector; NULL: it has one, or takes effect at the next start */
} store_field;

typedef struct store_kind {
  const char *name;
  const char *options;       /* the set of options in the reference; NULL: none */
  const store_field *fields; /* ends with a NULL name */
  const char *uncontrolled;  /* why none of its fields has a control; NULL: they have controls */
} store_kind;

/* Makes one use skip one field. NULL except in the test that proves it would notice a missing field. */
typedef enum field_use { FIELD_COMPARE, FIELD_APPLY, FIELD_READ, FIELD_SHOW, FIELD_COPY, FIELD_USES } field_use;
extern const store_field *field_blind[FIELD_USES];

/* All kinds; ends with NULL (kinds.c). */
extern const store_kind *const store_kinds[];

/* Whether it belongs to that set of options. */
bool field_is_option(const store_kind *k, const store_field *f, const char *set);
const store_field *kind_field(const store_kind *k, const char *name); /* or NULL */

int field_word(const store_field *f, const char *word); /* or -1 */
bool kind_has(const store_kind *k, const store_field *field);

/* Whether the inspector has a control for it. */
bool field_has_control(const store_kind *k, const store_field *f);

static inline void *field_at(const store_field *f, const void *values) { return (char *)(size_t)values + f->offset; }
bool field_same(const store_field *f, const void *a, const void *b);
void field_copy(const store_field *f, void *to, const void *from);
void field_set(const store_field *f, void *to, const void *from); /* copies one field; a part of applying */
/* Prints the value as a scene would write it. The model names joints and clips; NULL: their numbers. */
void field_print(const store_field *f, const void *values, const sinew_model *model, char *out, size_t size);

bool kind_same(const store_kind *k, const void *a, const void *b);
/* Copies each field in which `next` differs from `last` to `living`. Returns the effects of these fields as bits (1 <<
 * effect). */
unsigned kind_merge(const store_kind *k, const void *last, const void *next, void *living);
/* Sets each FIELD_LIVE field of `next` to its living value if its declaration has not changed. */
void kind_keep(const store_kind *k, const void *last, const void *living, void *next);
/* "to 0.8 → 0.4, ease linear → in (when it starts next)"; "" if nothing differs. The models name clips and joints.
 * Returns the number of fields that differ. */
int kind_tell(const store_kind *k, const void *last, const sinew_model *last_model, const void *next,
              const sinew_model *next_model, char *out, size_t size);

#endif
