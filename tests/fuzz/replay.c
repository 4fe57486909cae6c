/* Runs a fuzz target without libFuzzer, in every build: on the files of its corpus, and on so many made-up inputs. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 1 << 20, MADE_UP = 300 };

static int run_file(const char *folder, const char *name, uint8_t *bytes) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file) return 0;
  size_t size = fread(bytes, 1, MOST_BYTES, file);
  fclose(file);
  LLVMFuzzerTestOneInput(bytes, size);
  return 1;
}

static int run_folder(const char *folder, uint8_t *bytes) {
  int count = 0;
  DIR *open = opendir(folder);
  for (const struct dirent *entry = open ? readdir(open) : NULL; entry; entry = readdir(open))
    if (entry->d_name[0] != '.') count += run_file(folder, entry->d_name, bytes);
  if (open) closedir(open);
  return count;
}

/* xorshift64 (Marsaglia 2003) */
static uint8_t next_byte(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (uint8_t)(*state >> 32);
}

int main(int argc, char **argv) {
  uint8_t *bytes = malloc(MOST_BYTES);
  uint64_t state = 88172645463325252u;
  int files = 0;
  if (!bytes) return 1;
  for (int i = 1; i < argc; i++) files += run_folder(argv[i], bytes);
  for (int i = 0; i < MADE_UP; i++) {
    size_t size = (size_t)next_byte(&state) * 8;
    for (size_t k = 0; k < size; k++) bytes[k] = next_byte(&state);
    LLVMFuzzerTestOneInput(bytes, size);
  }
  printf("%d files and %d made-up inputs\n", files, MADE_UP);
  free(bytes);
  return 0;
}
