// A C program's use of libsndfile, which is measured beside FileDecode.
#ifndef SOUND_FILE_LOOPS_H
#define SOUND_FILE_LOOPS_H

#include <stdint.h>

// Decodes a file to floats, a block of frames at a time into the same memory; returns how many frames came, -1 on
// failure.
int64_t sound_file_floats(const char *path, int64_t block_size);

// Decodes a file to 16-bit integers in memory of its own, in one call; returns how many frames came, -1 on failure.
int64_t sound_file_shorts(const char *path);

#endif
