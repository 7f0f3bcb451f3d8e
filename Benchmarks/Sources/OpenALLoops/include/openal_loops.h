/*
 * What a careful C program does with OpenAL, to measure the library against: the bare calls, in a loop, on a context of its
 * own that is current all the while.
 */
#ifndef OPENAL_LOOPS_H
#define OPENAL_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct openal_scene openal_scene;

/* Looping sources around the listener, playing, on a loopback device of 48 kHz stereo floats; NULL where that fails. */
openal_scene *openal_scene_create(int32_t source_count, const float *samples, int32_t frame_count);
void openal_scene_destroy(openal_scene *scene);

/*
 * Each sets the same properties of every source, with or without deferral around the loop. The scene's context is current
 * meanwhile, and none is before and after.
 */
void openal_set_gains(openal_scene *scene, float gain, bool is_deferred);
void openal_set_positions(openal_scene *scene, float x, bool is_deferred);
void openal_set_motion(openal_scene *scene, float x, float gain, bool is_deferred);

/* How many sources play, asked of each. */
int32_t openal_count_playing(openal_scene *scene);

/* Seconds of processor time that this thread has used. */
double thread_seconds(void);

#endif
