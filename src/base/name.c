#include <sinew/base.h>

#include <ctype.h>
#include <string.h>

enum { LONGEST = 64 };

static bool same_letter(char a, char b) { return tolower((unsigned char)a) == tolower((unsigned char)b); }

static int least(int a, int b) { return a < b ? a : b; }

/* Optimal string alignment: insert, delete, replace or swap two neighbours, each at a cost of one. */
static int edit_distance(const char *a, int a_length, const char *b, int b_length) {
  int rows[3][LONGEST + 1];
  for (int j = 0; j <= b_length; j++) rows[0][j] = j;
  for (int i = 1; i <= a_length; i++) {
    int *row = rows[i % 3], *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
    row[0] = i;
    for (int j = 1; j <= b_length; j++) {
      int replace = above[j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
      row[j] = least(replace, least(above[j], row[j - 1]) + 1);
      bool swapped = i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]);
      if (swapped) row[j] = least(row[j], second[j - 2] + 1);
    }
  }
  return rows[a_length % 3][b_length];
}

const char *sinew_nearest_name(const char *name, const char *const *candidates, int count) {
  const char *nearest = NULL;
  size_t length = name ? strlen(name) : 0;
  if (length == 0 || length > LONGEST) return NULL;
  int limit = length < 3 ? 1 : (int)(length + 2) / 3;
  for (int i = 0; i < count; i++) {
    size_t other = candidates[i] ? strlen(candidates[i]) : 0;
    if (other == 0 || other > LONGEST) continue;
    int distance = edit_distance(name, (int)length, candidates[i], (int)other);
    if (distance > limit) continue;
    nearest = candidates[i];
    limit = distance - 1;
  }
  return nearest;
}
