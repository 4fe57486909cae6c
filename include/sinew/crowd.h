/* sinew/crowd.h – thousands of characters that share a model.
 *
 * A crowd is plain arrays, one value for each character: which clips it plays, at what time, with what weight, where it
 * stands. A program writes them in bulk, at any time between two updates. sinew_stage_update advances the times and
 * evaluates the characters on the stage's threads, straight into the stage's palettes. A character of a crowd
 * has no actions, layers or joint matrices: use an actor for those. A host draws the crowds of its stage.
 */
#ifndef SINEW_CROWD_H
#define SINEW_CROWD_H

#include <sinew/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SINEW_CROWD_SLOTS = 4 };

typedef struct sinew_crowd {
  uint64_t id; /* 0 is not a crowd */
} sinew_crowd;

typedef struct sinew_crowd_def {
  const char *name;             /* copied; NULL: "crowd" */
  sinew_model *model;           /* the stage keeps a reference */
  int count;                    /* of characters, 1 or more; it stays */
  int slot_count;               /* clips that a character plays at once, 1 .. 4 */
  int clips[SINEW_CROWD_SLOTS]; /* of each slot, for every character at first; −1: none */
  /* true: a character's clips share one phase, so that the feet of a walk and a run stay together. See `time`. Within
   * 15 m of the viewpoint (sinew_crowd_set_detail), in the model's unit and times the character's scale, feet of a
   * blend are where the clips have them, as an actor's. Farther away, and as long as there is no viewpoint, joints are
   * blended as they are, in a fourth of the time. */
  bool sync;
  /* true: the weights follow `blend`: slot i counts fully where `blend` is positions[i], and fades linearly towards its
   * neighbours. Ascending, finite, one for each slot. */
  bool has_positions;
  float positions[SINEW_CROWD_SLOTS];
  /* A graph (graph.h) that each character runs by itself, in place of the clips, `sync` and positions above; NULL:
   * none. It is copied. Conditions are text (`when`) or `before_end`; inertial transitions crossfade, and of more than
   * four fades the oldest ends. Without functions, events, `match` and names of sync groups; at most 64 nodes, and 64
   * clips that play at once. The update writes the slots, of which there are four: the clips with the most weight. */
  const sinew_graph_def *graph;
  const char *const *param_names; /* of the graph, at most 64 */
  int param_count;
  /* true: the program writes `legs`, as another crowd had them, and the update poses the feet with them: to show an
   * earlier moment again. Without `sync` and graph. */
  bool has_legs;
} sinew_crowd_def;

SINEW_API sinew_crowd_def sinew_crowd_def_default(void); /* no model, 1 character, 1 slot with clip 0, no sync */

/* All characters begin at time 0, speed 1, weight 1 in slot 0 and 0 in others, at the origin, visible. {0} and an
 * error message on misuse or when memory runs out. */
SINEW_API sinew_crowd sinew_crowd_create(sinew_stage *stage, const sinew_crowd_def *def, sinew_error *error);
SINEW_API void sinew_crowd_destroy(sinew_stage *stage, sinew_crowd crowd);
SINEW_API bool sinew_crowd_is_valid(const sinew_stage *stage, sinew_crowd crowd);
SINEW_API const char *sinew_crowd_name(const sinew_stage *stage, sinew_crowd crowd); /* NULL for a stale id */
/* Returns false, and keeps the old name, when memory runs out. */
SINEW_API bool sinew_crowd_set_name(sinew_stage *stage, sinew_crowd crowd, const char *name);
SINEW_API sinew_model *sinew_crowd_model(const sinew_stage *stage, sinew_crowd crowd);

/* A pointer for the program; NULL at first, and for a stale id. Sinew never follows it. */
SINEW_API void *sinew_crowd_user(const sinew_stage *stage, sinew_crowd crowd);
SINEW_API void sinew_crowd_set_user(sinew_stage *stage, sinew_crowd crowd, void *user);

/* The phase of a character's clip, 0 .. 1: of the clip that leads its stride, or of its first. 0 for a stale id or no
 * such character. */
SINEW_API double sinew_crowd_phase(const sinew_stage *stage, sinew_crowd crowd, int character);

/* Crowds in the order of creation. */
SINEW_API int sinew_stage_crowd_count(const sinew_stage *stage);
SINEW_API sinew_crowd sinew_stage_crowd(const sinew_stage *stage, int index);

/* One slot of every character: arrays of `count` values. */
typedef struct sinew_crowd_slot {
  int32_t *clip; /* index in the model; a number that is not a clip plays nothing */
  /* Seconds in the clip. An update adds dt × speed and wraps it to 0 .. duration; a non-finite time becomes 0. If
   * nothing is added, a time equal to the duration stays: it is the clip's end. With `sync` the clips that travel share
   * a phase, the time / duration of the first of them: an update moves it by dt × speed / (Σ weight × v × duration / Σ
   * weight × v), where a clip travels with v m/s (graph.h), and their times become phase × duration. A clip that does
   * not travel runs on its own clock. If no clip of a character travels, or the model's legs are not known, all share
   * the phase, and v is 1. */
  double *time;
  /* 0 .. 1e6, relative to the other slots: weights are normalised. A negative or non-finite value counts as 0. */
  float *weight;
} sinew_crowd_slot;

/* How sync places the legs of a character, beyond what its slots say. */
typedef struct sinew_crowd_legs {
  uint32_t synced; /* a bit for each slot whose clip shares the phase; 0: feet are blended like other joints */
  float time[SINEW_CROWD_SLOTS][2]; /* where in the slot's clip each leg is; NaN: where the clip itself is */
  float rate[SINEW_CROWD_SLOTS][2]; /* seconds of the clip in a second, while that leg stands */
  float speed[SINEW_CROWD_SLOTS];   /* of the clip, without the others */
} sinew_crowd_legs;

/* The arrays of all characters: written by the program, except where a comment says otherwise. They stay where they are
 * for as long as the crowd lives. */
typedef struct sinew_crowd_characters {
  int count, slot_count;
  sinew_crowd_slot slots[SINEW_CROWD_SLOTS]; /* with positions the update writes `weight`, with a graph all */
  /* Parameters of the graph: parameter p of character i is params[p × count + i]. 0 by default; not finite is 0. NULL
   * without a graph. */
  float *params;
  int param_count;
  float *speed;               /* 1 is the clips' own; negative runs backwards; not finite is 0 */
  float *blend;               /* NULL without positions; not finite keeps the weights as they are */
  sinew_transform *transform; /* where it stands; unit rotation, finite: not checked */
  uint8_t *visible;           /* 0: only the time moves, and the palette stays as it was */
  /* The model's morph targets, those of one mesh after those of the other; 0: it has none, and the arrays are NULL.
   * Character i's are from i × morph_count on. */
  int morph_count;
  float *morph_added;  /* joins what the clips give, as by sinew_actor_set_morph; 0 at first; not finite is 0 */
  const float *morphs; /* written by the update where the palette is: what the clips blend to, by the rules of actors */
  /* Written by the update; with has_legs, by the program. NULL if characters do not share phases. */
  sinew_crowd_legs *legs;
  float (*tint)[4]; /* as a sinew_draw_item's, for the renderer; {1, 1, 1, 1} at first */
  uint8_t *tinted;  /* of the crowd: one for each material of the model, as a sinew_draw_item's; 1 at first */
} sinew_crowd_characters;

/* Zeros and NULLs for a stale id. */
SINEW_API sinew_crowd_characters sinew_crowd_view(const sinew_stage *stage, sinew_crowd crowd);

/* Characters farther than `half_from` metres from a viewpoint are evaluated in every second update, those farther than
 * `quarter_from` in every fourth, in turns. In between they keep their palettes, and their times advance. */
typedef struct sinew_crowd_detail {
  float half_from, quarter_from;
} sinew_crowd_detail;

SINEW_API sinew_crowd_detail sinew_crowd_detail_default(void); /* INFINITY: none */
/* By default there is no viewpoint, so no feet are treated as near (sinew_crowd_def.sync). Set it again when it moves.
 * Returns false, and changes nothing, for a stale id or a NaN. */
SINEW_API bool sinew_crowd_set_detail(sinew_stage *stage, sinew_crowd crowd, sinew_vec3 viewpoint,
                                      const sinew_crowd_detail *detail);

/* Moves a character to a phase, 0 .. 1, of all clips that it plays; with a graph in the next update. False for a stale
 * id, no such character, and a phase that is not finite. */
SINEW_API bool sinew_crowd_seek(sinew_stage *stage, sinew_crowd crowd, int character, double phase);

/* The state of a machine or switch of a character's graph (sinew_actor_machine). False if it is not active, before the
 * character's first update, and without a graph. */
SINEW_API bool sinew_crowd_machine(const sinew_stage *stage, sinew_crowd crowd, int character, int node,
                                   sinew_machine_state *state);

/* The characters of `crowd` continue from the state of those of `from`, as with sinew_actor_set_graph; clips of another
 * model are found by their names. Clips that did not play begin at the phase of the others. False for a stale id,
 * without memory, and while the stage is locked. */
SINEW_API bool sinew_crowd_continue(sinew_stage *stage, sinew_crowd crowd, sinew_crowd from);

/* A character's joints in its own space, as the update poses it with what its slots say now; sinew_model_joint_count of
 * them. False for a stale id, no such character, or without memory. */
SINEW_API bool sinew_crowd_joints(const sinew_stage *stage, sinew_crowd crowd, int character, sinew_mat3x4 *joints);

/* The crowd's first matrix in sinew_stage_palettes: character i has sinew_model_palette_count matrices from offset + i
 * × sinew_model_palette_count on. −1 for a stale id or a model without a skin. */
SINEW_API int sinew_crowd_palette_offset(const sinew_stage *stage, sinew_crowd crowd);

#ifdef __cplusplus
}
#endif
#endif
