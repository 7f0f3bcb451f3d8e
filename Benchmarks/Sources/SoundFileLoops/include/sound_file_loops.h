// A C program's use of libsndfile, which is measured beside FileDecode.
#ifndef SOUND_FILE_LOOPS_H
#define SOUND_FILE_LOOPS_H

#include <stdint.h>

// Decodes a file to floats, a block of frames at a time into the same memory; returns how many frames came, -1 on
// failure.
int64_t sound_file_floats(const char *path, int64_t block_size);

// Decodes a file to 16-bit integers in memory of its own, in one call; returns how many frames came, -1 on failure.
int64_t sound_file_shorts(const char *path);

// Opens a file, seeks to its middle, and decodes up to 1,024 frames; returns how many frames came, -1 on failure.
int64_t sound_file_seek(const char *path);

// Writes a file as WAV with IMA ADPCM; returns 0, or -1 on failure.
int sound_file_to_ima(const char *from, const char *to);

#endif
