/* kept_crowds – the crowds in the ring, stored not as poses but as the inputs of palettes. For each member, a moment
 * stores only the words that differ from the moment before. */
#ifndef SINEW_HOST_KEPT_CROWDS_H
#define SINEW_HOST_KEPT_CROWDS_H

#include <sinew/crowd.h>

enum {
  RING_RATE = 30,         /* moments in a second */
  RING_BLOCK = RING_RATE, /* moments in a block */
  RING_BLOCKS = 61,       /* the one being filled, and a minute */
  KEPT_NAME = 64,
  KEPT_LIMIT = 16 << 20,        /* bytes of all crowds: their oldest moments are dropped first */
  KEPT_SECOND = KEPT_LIMIT / 2, /* for a block of one crowd: a crowd that needs more is left out */
  KEPT_LEFT_OUT = 8
};

/* The inputs of a member's palette, and its appearance. Its legs and its morph weights follow. */
typedef struct kept_member {
  double time[SINEW_CROWD_SLOTS];
  int32_t clip[SINEW_CROWD_SLOTS];
  float weight[SINEW_CROWD_SLOTS];
  sinew_transform transform;
  float tint[4];
  uint32_t visible, none; /* none: 0 */
} kept_member;

enum {
  KEPT_WORDS = sizeof(kept_member) / sizeof(uint32_t),
  KEPT_LEGS = sizeof(sinew_crowd_legs) / sizeof(uint32_t),
  KEPT_ALL = KEPT_WORDS + KEPT_LEGS /* and the morph weights */
};

/* One moment of all members. For each: a mask of the words that changed, and these words. If the mask has KEPT_MORE, a
 * second mask for the words of the legs follows, with those; then its morph weights, if that mask has KEPT_MORPHS. */
typedef struct kept_row {
  uint32_t *words;
  int count;
} kept_row;

#define KEPT_MORE (1u << (KEPT_WORDS - 1))
#define KEPT_MORPHS (1u << 31)

/* A crowd with one model, in one block. */
typedef struct kept_crowd {
  sinew_crowd crowd;
  sinew_model *model;
  char name[KEPT_NAME];
  int first, count; /* of the block's moments */
  int members, morph_count, material_count;
  uint8_t *tinted; /* one for each material */
  kept_row rows[RING_BLOCK];
  uint32_t *last; /* for all members, as of the last row; NULL once the block is full */
  size_t bytes;
} kept_crowd;

typedef struct kept_block {
  kept_crowd **crowds;
  int count;
} kept_block;

typedef struct left_out {
  sinew_crowd crowd;
  char name[KEPT_NAME];
  int64_t from, to; /* moments */
} left_out;

typedef struct kept_crowds {
  kept_block blocks[RING_BLOCKS]; /* by block number, modulo */
  int64_t first;                  /* crowds of earlier moments were dropped */
  size_t bytes;
  left_out left_out[KEPT_LEFT_OUT];
  int left_out_count;
} kept_crowds;

void kept_crowds_release(kept_crowds *k);
/* Starts a moment; if it is the first of its block, drops the block's old content. */
void kept_crowds_begin(kept_crowds *k, int64_t moment);
/* Keeps each crowd of the stage. When memory runs out, crowds are missing. */
void kept_crowds_keep(kept_crowds *k, const sinew_stage *stage, int64_t moment);
void kept_crowds_end(kept_crowds *k, int64_t moment);
void kept_crowds_free_block(kept_crowds *k, int64_t moment);
/* Drops the crowds of the oldest block; false if there are none before the last two seconds. */
bool kept_crowds_forget_first(kept_crowds *k, int64_t moment);

/* Adds a row from a file: of a new crowd with the properties of `as`, or of one with its name and size that was there a
 * moment before; else it is left out. False for words that are no valid row of such a crowd. */
bool kept_crowds_add(kept_crowds *k, int64_t moment, const kept_crowd *as, const kept_row *row, bool begins);

/* ---- reading ---- */

int kept_crowds_count(const kept_crowds *k, int64_t moment);
const kept_crowd *kept_crowds_at(const kept_crowds *k, int64_t moment, int index);
/* The name of the index-th crowd that was too large to be kept at that moment; or NULL. */
const char *kept_crowds_left_out(const kept_crowds *k, int64_t moment, int index);
/* Words of one member, with its morph weights. */
int kept_crowd_stride(const kept_crowd *c);
/* For each member a kept_member and its morph weights; for hidden members, those of an earlier moment. `room`: members
 * × stride words. */
void kept_crowd_read(const kept_crowd *c, int64_t moment, uint32_t *room);
/* Fills the arrays of a crowd with as many members and four slots; `room` as above. */
void kept_crowd_open(const kept_crowd *c, int64_t moment, uint32_t *room, const sinew_crowd_characters *out);

#endif
