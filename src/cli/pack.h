/* pack – a folder of clips on one model: a row for each clip, with the figures that distinguish it. */
#ifndef SINEW_CLI_PACK_H
#define SINEW_CLI_PACK_H

#include <sinew/motion.h>
#include <sinew/sinew.h>

typedef enum pack_column {
  PACK_NAME,
  PACK_FILE,
  PACK_LENGTH,
  PACK_SPEED,
  PACK_TURN,
  PACK_SEAM,
  PACK_SLIDE,
  PACK_VERDICT,
  PACK_COLUMNS
} pack_column;

enum { PACK_CELL = 128 };

typedef struct pack_row {
  int clip;              /* of the model */
  const char *file;      /* that the clip comes from */
  double seconds, speed; /* NAN: unknown */
  sinew_clip_survey survey;
  sinew_fit fit;
  char cells[PACK_COLUMNS][PACK_CELL]; /* as people read them */
} pack_row;

typedef struct pack {
  sinew_model *model;
  char model_path[4096];
  pack_row *rows;
  int row_count;
  char **refused; /* an error message for each file that could not be read */
  int refused_count, refused_capacity;
} pack;

extern const char *const pack_titles[PACK_COLUMNS];

/* Loads the clips in the folder and below onto `model_path` or, if that is NULL, onto the first file with a skin (else
 * the first with clips). Files that cannot be read are reported one by one. False and an error message if there is
 * nothing to show; call pack_close in any case. NULL options mean the defaults. */
bool pack_open(pack *p, const char *folder, const char *model_path, const sinew_load_options *options,
               sinew_error *error);
void pack_close(pack *p);

/* Equal rows keep their order. */
void pack_sort(pack *p, pack_column column, bool descending);
/* "speed", or "-speed" for the largest first. */
bool pack_read_order(const char *word, pack_column *column, bool *descending);

/* ---- pack print ---- */

void pack_print(const pack *p, const char *folder, bool json);

#endif
