#include "ghost.h" /* breach: not there */
