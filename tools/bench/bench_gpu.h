/* bench_gpu – the part of `sinew-dev bench` that draws. */
#ifndef SINEW_BENCH_GPU_H
#define SINEW_BENCH_GPU_H

#include <sinew/host.h>
#include <sinew/sinew.h>

/* Draws 1, 10, … up to `most` characters of the model at 1280 × 720 and prints a line for each; the exit status. */
int bench_gpu(sinew_model *model, int most);

#endif
