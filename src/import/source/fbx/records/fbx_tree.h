/* fbx_tree – the records of an FBX file as a tree: names, values and children, whatever the container (binary of either
 * byte order with 32- or 64-bit offsets, or text). Values point into the file's bytes; arrays are unpacked on demand.
 */
#ifndef SINEW_IMPORT_FBX_TREE_H
#define SINEW_IMPORT_FBX_TREE_H

#include "import/raw/raw.h"
#include "import/source/files.h"

typedef enum fbx_value_kind {
  FBX_INTEGER,
  FBX_NUMBER,
  FBX_STRING, /* in text files, with escapes not yet resolved */
  FBX_WORD,   /* in text files, without quotes: a letter that binary files store as a byte */
  FBX_ARRAY,  /* in binary files: `bytes` is its header, `type` that of its elements */
  FBX_LIST    /* in text files: `bytes` are numbers separated by commas */
} fbx_value_kind;

typedef struct fbx_value {
  union {
    int64_t integer;
    double number;
    const unsigned char *bytes;
  };
  uint32_t size; /* of `bytes` */
  uint8_t kind;  /* fbx_value_kind */
  char type;     /* as in the file; for FBX_ARRAY */
} fbx_value;

typedef struct fbx_record {
  const char *name; /* not terminated */
  uint32_t name_size;
  uint32_t value_count;
  fbx_value *values;
  struct fbx_record *child, *next;
} fbx_record;

typedef struct fbx_file {
  raw_model *raw;   /* for notes and errors, and for data that outlives the import */
  raw_model memory; /* for what does not */
  unsigned char *pool;
  size_t pool_left;
  const unsigned char *data;
  size_t size;
  unsigned version; /* 7400, … */
  bool text, big_endian;
  fbx_record root;
  void *inflater; /* of fbx_array.c, or NULL */
} fbx_file;

/* Zeroed memory that lives as long as the file is open; when memory runs out, returns NULL and sets the error. */
void *fbx_take(fbx_file *file, size_t count, size_t size);
bool fbx_open(fbx_file *file, raw_model *raw, const import_files *files);
void fbx_close(fbx_file *file);
void fbx_close_inflater(fbx_file *file);

/* The first child of that name, or NULL; `record` may be NULL. */
const fbx_record *fbx_child(const fbx_record *record, const char *name);
/* The next record after it with the same name, or NULL. */
const fbx_record *fbx_again(const fbx_record *record);
bool fbx_is_named(const fbx_record *record, const char *name);

/* The value at an index as a number; `otherwise` if it is missing, not a number, or not finite. */
double fbx_number(const fbx_record *record, uint32_t index, double otherwise);
int64_t fbx_integer(const fbx_record *record, uint32_t index, int64_t otherwise);
/* A word's or a byte's first letter; 0 if there is none. */
char fbx_letter(const fbx_record *record, uint32_t index);

/* The value is a string, and this one. */
bool fbx_says(const fbx_record *record, uint32_t index, const char *text);
/* A zero-terminated copy with escapes resolved, in the file's memory; "" if there is none, NULL when memory runs out.
 */
char *fbx_text(fbx_file *file, const fbx_record *record, uint32_t index);
/* The same of an object's name, which is stored with its class: "Name\0\1Class", "Class::Name". */
char *fbx_name(fbx_file *file, const fbx_record *record, uint32_t index);
/* A hash of a string. */
int64_t fbx_hash(const fbx_record *record, uint32_t index);

/* fbx_array.c: all numbers of a record, stored as one array or as many values; NULL and 0 for a record that is NULL or
 * has none. Free them with mem_free. False and an error message for a broken array, or when memory runs out. */
bool fbx_doubles(fbx_file *file, const fbx_record *record, double **numbers, size_t *count);
bool fbx_floats(fbx_file *file, const fbx_record *record, float **numbers, size_t *count);
bool fbx_int32s(fbx_file *file, const fbx_record *record, int32_t **numbers, size_t *count);
bool fbx_int64s(fbx_file *file, const fbx_record *record, int64_t **numbers, size_t *count);

/* fbx_tree.c: reads a number at the beginning of a text, and moves past it. False if there is none. *is_integer: it
 * has neither point nor exponent, and fits. */
bool fbx_scan_number(const char **at, const char *end, double *number, int64_t *integer, bool *is_integer);

#endif
