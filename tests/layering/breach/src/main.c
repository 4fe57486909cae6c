#include "host/display/window.h" /* breach: main knows the commands only */
