/* bench – the command: measures how fast this machine animates, or compares two builds. */
#ifndef SINEW_BENCH_H
#define SINEW_BENCH_H

/* Returns the exit status. */
int bench_command(int argc, char **argv);

#endif
