#include "host/window.h" /* breach: main knows the commands only */
