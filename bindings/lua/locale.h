/* locale – Lua prints and reads numbers, compares text and knows letters as the locale of the program says. In a scene
 * they are C's, whatever program it runs in. */
#ifndef SINEW_BINDINGS_LOCALE_H
#define SINEW_BINDINGS_LOCALE_H

/* C's locale for the calling thread; gives what locale_leave restores. */
void *locale_enter(void);
void locale_leave(void *before);

#endif
