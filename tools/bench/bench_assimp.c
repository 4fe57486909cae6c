#include "bench/bench_assimp.h"

#include "base/clock.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>

double assimp_seconds(const char *path) {
  double begin = clock_seconds();
  const struct aiScene *scene = aiImportFile(path, aiProcess_Triangulate | aiProcess_SortByPType |
                                                       aiProcess_GenSmoothNormals | aiProcess_PopulateArmatureData);
  double seconds = clock_seconds() - begin;
  aiReleaseImport(scene);
  return scene ? seconds : -1;
}
