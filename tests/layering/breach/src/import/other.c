#include <stb_image.h> /* breach: only src/import/source/image.c */
