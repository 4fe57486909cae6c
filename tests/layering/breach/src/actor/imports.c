#include <assimp/scene.h> /* breach: outside the importer */
