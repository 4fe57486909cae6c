/* bench_assimp – reads a file with Assimp alone, as a baseline for measurements. */
#ifndef SINEW_BENCH_ASSIMP_H
#define SINEW_BENCH_ASSIMP_H

/* Seconds from a file to Assimp's scene, with the post-processing that a program with skinned meshes needs; the scene
 * is discarded. Negative if Assimp does not read the file. */
double assimp_seconds(const char *path);

#endif
