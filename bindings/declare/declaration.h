/* declaration – what scripts declare about one thing, from load to load, for every kind of thing.
 *
 * A thing has the values that the running scripts declare and those that the current load declares. A commit walks the
 * tree of declarations once, compares the two, and has each kind carry out the difference: apply changed values to the
 * living thing, create, remove, or revive something removed less than DECLARED_HOLD seconds ago. Everything else about
 * the living thing stays as it is. Knows no Lua. */
#ifndef SINEW_BINDINGS_DECLARATION_H
#define SINEW_BINDINGS_DECLARATION_H

#include "declare/kinds/kinds.h"

#include <stdint.h>

enum { DECLARED_NAME = 96, DECLARED_LINE = 96 };

/* Seconds for which something removed is kept with its state, in case a later save declares it again. */
#define DECLARED_HOLD 10.0

typedef struct declarations declarations;
typedef struct actor_record actor_record;

/* The effect of the current commit on a thing. */
typedef enum declaration_fate {
  FATE_NONE,   /* declared neither before nor now */
  FATE_STAYS,  /* declared before and now, or made by a callback and declared now */
  FATE_GOES,   /* declared no more */
  FATE_COMES,  /* declared for the first time */
  FATE_RETURNS /* declared again while it is kept */
} declaration_fate;

/* The head of every record; its owner is an actor, or NULL for things of the scene itself. */
typedef struct declaration {
  int64_t id;
  char name[DECLARED_NAME];
  char line[DECLARED_LINE], next_line[DECLARED_LINE];
  bool declared;     /* by the running scripts */
  bool next_set;     /* by the current load */
  bool runtime;      /* made by a callback */
  int order;         /* the position of its declaration in the load */
  double removed_at; /* < 0: it is there */
  declaration_fate fate;
  struct declaration *then; /* during a commit: the next one to create */
} declaration;

typedef struct declaration_list {
  declaration **items;
  int count, capacity;
  declaration **sorted; /* by name; all of them, or none while names change */
  int sorted_count, sorted_capacity;
} declaration_list;

/* The operations of a kind, called while a commit walks it; NULL: nothing to do. When an operation is called, the old
 * and the new values are still side by side; the walk then copies the new ones over the old. */
typedef struct declaration_kind {
  size_t last, next, size;                       /* offsets of the two sets of values in the record, and their size */
  void (*drop)(declarations *all, void *values); /* frees what a set of values owns */
  void (*begin)(declarations *all, actor_record *owner); /* once all fates are known, before any is carried out */
  /* FATE_STAYS, COMES, RETURNS. False: what the load declares is impossible, and the thing stays as it was declared. */
  bool (*apply)(declarations *all, actor_record *owner, declaration *d);
  void (*remove)(declarations *all, actor_record *owner, declaration *d); /* FATE_GOES: keeps its current state */
  void (*found)(declarations *all, actor_record *owner, declaration *d);  /* FATE_NONE: a callback made it */
  /* Called after things that stay, before those that go: a new thing may continue one that goes, by changing both
   * fates. */
  void (*match)(declarations *all, actor_record *owner);
  void (*finish)(declarations *all, actor_record *owner);                          /* after all of the list */
  void (*fade)(declarations *all, actor_record *owner, declaration *d, double dt); /* each frame, while it is kept */
  void (*rollback)(declarations *all, declaration *d); /* the load has failed: drops what was prepared */
  void (*forget)(declarations *all, actor_record *owner, declaration *d); /* it was kept too long, or never committed */
  void (*end)(declarations *all, declaration *d);   /* the scene ends: removes what would outlive it */
  void (*clear)(declarations *all, declaration *d); /* frees everything else that the record owns */
  bool stays;                                       /* the record is never forgotten */
  bool ordered;                                     /* new things are created in the order of the file */
} declaration_kind;

/* ---- lists ---- */

/* A new record of `size` bytes, or NULL without memory. */
void *declaration_add(declarations *all, declaration_list *list, size_t size, const char *name);
declaration *declaration_named(const declaration_list *list, const char *name); /* the first, or NULL */
declaration *declaration_of(const declaration_list *list, int64_t id);          /* or NULL */
declaration *declaration_first(const declaration_list *list);                   /* or NULL */
/* The single item of a list, created if there is none; NULL without memory. */
void *declaration_need(declarations *all, declaration_list *list, size_t size);
/* Call these before and after names of records are written. */
void declaration_forget_names(declaration_list *list);
void declaration_find_by_new_names(declarations *all, declaration_list *list);
void declaration_cut(declarations *all, const declaration_kind *kind, declaration_list *list, declaration *d);
void declaration_free_all(declarations *all, const declaration_kind *kind, declaration_list *list);

/* The load declares it at `line`; this sets its order in the file. */
void declaration_set(declarations *all, declaration *d, const char *line);
/* Marks it as made by a callback. Without a line it keeps its own. */
void declaration_made(declaration *d, const char *line);
bool declaration_is_kept(const declaration *d);
/* Starts keeping it: for DECLARED_HOLD seconds it may return. */
void declaration_keep(declarations *all, declaration *d);

/* ---- the walk ---- */

void declaration_commit(declarations *all, actor_record *owner, const declaration_kind *kind, declaration_list *list);
void declaration_rollback(declarations *all, actor_record *owner, const declaration_kind *kind, declaration_list *list);
void declaration_update(declarations *all, actor_record *owner, const declaration_kind *kind, declaration_list *list,
                        double dt);

#endif
