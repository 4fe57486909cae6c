/* joint_index – finds joints by name in a list sorted once. */
#ifndef SINEW_MODEL_JOINT_INDEX_H
#define SINEW_MODEL_JOINT_INDEX_H

typedef struct joint_entry {
  const char *name;
  int joint, rank;
} joint_entry;

/* Sorts by name; of equal names, the one with the lowest rank comes first, then the lowest joint. */
void joint_index_sort(joint_entry *entries, int count);

/* The first entry with that name, or `count`. Others with the same name follow it. */
int joint_index_find(const joint_entry *entries, int count, const char *name);

/* The part after the last ':' or '|'. */
const char *joint_name_bare(const char *name);

#endif
