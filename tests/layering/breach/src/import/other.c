#include <stb_image.h> /* breach: only src/import/image.c */
