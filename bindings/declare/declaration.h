/* declaration – what scripts declare about one thing, from load to load, whatever its kind.
 *
 * A thing has the values of the running scripts and those of the load that goes on. A commit walks the tree of
 * declarations once, compares the two and has each kind do what follows: apply what differs to what lives, create,
 * remove, or bring back what was removed less than DECLARED_HOLD seconds ago. Whatever a scene has become since it was
 * declared stays as it is. Knows no Lua. */
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

/* The head of every record; its owner is an actor, or NULL for what belongs to the scene. */
typedef struct declaration {
  int64_t id;
  char name[DECLARED_NAME];
  char line[DECLARED_LINE], next_line[DECLARED_LINE];
  bool declared;     /* by the running scripts */
  bool next_set;     /* by the load that goes on */
  bool runtime;      /* made by a callback */
  int order;         /* of its declaration in the load */
  double removed_at; /* < 0: it is there */
  declaration_fate fate;
  struct declaration *then; /* during a commit: the next that comes */
} declaration;

typedef struct declaration_list {
  declaration **items;
  int count, capacity;
  declaration **sorted; /* by name; all of them, or none while names change */
  int sorted_count, sorted_capacity;
} declaration_list;

/* The operations of a kind, called when a commit walks it. NULL: nothing. The values of before and of the load are
 * still side by side when an operation is called; the walk makes the second the first after it. */
typedef struct declaration_kind {
  size_t last, next, size; /* where the two sets of values lie in the record, and how large they are */
  void (*drop)(declarations *all, void *values);         /* frees what a set of values owns */
  void (*begin)(declarations *all, actor_record *owner); /* when all fates are known, before any is carried out */
  /* FATE_STAYS, COMES, RETURNS. False: what the load says cannot be, and the thing stays as it was declared. */
  bool (*apply)(declarations *all, actor_record *owner, declaration *d);
  void (*remove)(declarations *all, actor_record *owner, declaration *d); /* FATE_GOES: keeps what it had become */
  void (*found)(declarations *all, actor_record *owner, declaration *d);  /* FATE_NONE, but made by a callback */
  /* After what stays and before what goes: what comes may take the place of what goes, by changing their fates. */
  void (*match)(declarations *all, actor_record *owner);
  void (*finish)(declarations *all, actor_record *owner);                          /* after all of the list */
  void (*fade)(declarations *all, actor_record *owner, declaration *d, double dt); /* each frame, where it is kept */
  void (*rollback)(declarations *all, declaration *d); /* the load has failed: drops what it made ahead */
  void (*forget)(declarations *all, actor_record *owner, declaration *d); /* kept too long, or never committed */
  void (*end)(declarations *all, declaration *d);   /* the scene ends: takes away what outlives it */
  void (*clear)(declarations *all, declaration *d); /* frees what the record owns besides */
  bool stays;                                       /* the record is never forgotten */
  bool ordered;                                     /* what comes is created in the order of the file */
} declaration_kind;

/* ---- lists ---- */

/* A new record of `size` bytes, or NULL without memory. */
void *declaration_add(declarations *all, declaration_list *list, size_t size, const char *name);
declaration *declaration_named(const declaration_list *list, const char *name); /* the first, or NULL */
declaration *declaration_of(const declaration_list *list, int64_t id);          /* or NULL */
declaration *declaration_first(const declaration_list *list);                   /* or NULL */
/* The only one of a list, made where there is none; NULL without memory. */
void *declaration_need(declarations *all, declaration_list *list, size_t size);
/* Before names of records are written, and after. */
void declaration_forget_names(declaration_list *list);
void declaration_find_by_new_names(declarations *all, declaration_list *list);
void declaration_cut(declarations *all, const declaration_kind *kind, declaration_list *list, declaration *d);
void declaration_free_all(declarations *all, const declaration_kind *kind, declaration_list *list);

/* The load says it: at `line`, in the order of the file. */
void declaration_set(declarations *all, declaration *d, const char *line);
/* It is there, but what is declared next finds it made by a callback. Without a line it keeps its own. */
void declaration_made(declaration *d, const char *line);
bool declaration_is_kept(const declaration *d);
/* From now on; for DECLARED_HOLD seconds it may come back. */
void declaration_keep(declarations *all, declaration *d);

/* ---- the walk ---- */

void declaration_commit(declarations *all, actor_record *owner, const declaration_kind *kind, declaration_list *list);
void declaration_rollback(declarations *all, actor_record *owner, const declaration_kind *kind, declaration_list *list);
void declaration_update(declarations *all, actor_record *owner, const declaration_kind *kind, declaration_list *list,
                        double dt);

#endif
