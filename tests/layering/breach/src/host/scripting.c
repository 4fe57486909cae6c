#include <lua.h> /* breach: only the bindings */
