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

int64_t sound_file_seek(const char *path) {
  SF_INFO info = {0};
  SNDFILE *file = sf_open(path, SFM_READ, &info);
  if (file == NULL) return -1;
  const sf_count_t count = 1024;
  float *block = malloc((size_t)(count * info.channels) * sizeof *block);
  sf_count_t read = -1;
  if (block != NULL && sf_seek(file, info.frames / 2, SF_SEEK_SET) >= 0) read = sf_readf_float(file, block, count);
  free(block);
  sf_close(file);
  return read;
}

int sound_file_to_ima(const char *from, const char *to) {
  SF_INFO info = {0};
  SNDFILE *source = sf_open(from, SFM_READ, &info);
  if (source == NULL) return -1;
  info.format = SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM;
  SNDFILE *target = sf_open(to, SFM_WRITE, &info);
  const sf_count_t size = 4096;
  float *block = malloc((size_t)(size * info.channels) * sizeof *block);
  int result = target != NULL && block != NULL ? 0 : -1;
  sf_count_t count;
  while (result == 0 && (count = sf_readf_float(source, block, size)) > 0)
    if (sf_writef_float(target, block, count) != count) result = -1;
  free(block);
  if (target != NULL) sf_close(target);
  sf_close(source);
  return result;
}
