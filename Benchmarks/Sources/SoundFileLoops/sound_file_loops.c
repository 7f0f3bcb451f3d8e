#include "sound_file_loops.h"

#include <sndfile.h>
#include <stdlib.h>

int64_t sound_file_floats(const char *path, int64_t block_size) {
  SF_INFO info = {0};
  SNDFILE *file = sf_open(path, SFM_READ, &info);
  if (file == NULL) return -1;
  float *block = malloc((size_t)(block_size * info.channels) * sizeof *block);
  int64_t total = 0;
  if (block != NULL) {
    sf_count_t count;
    while ((count = sf_readf_float(file, block, block_size)) > 0) total += count;
  }
  free(block);
  sf_close(file);
  return total;
}

int64_t sound_file_shorts(const char *path) {
  SF_INFO info = {0};
  SNDFILE *file = sf_open(path, SFM_READ, &info);
  if (file == NULL) return -1;
  short *samples = malloc((size_t)(info.frames * info.channels) * sizeof *samples);
  int64_t total = samples != NULL ? sf_readf_short(file, samples, info.frames) : -1;
  free(samples);
  sf_close(file);
  return total;
}
