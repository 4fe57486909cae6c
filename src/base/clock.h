#ifndef SINEW_BASE_CLOCK_H
#define SINEW_BASE_CLOCK_H

/* Seconds on a clock that only goes forward; its zero is arbitrary. */
double clock_seconds(void);

#endif
