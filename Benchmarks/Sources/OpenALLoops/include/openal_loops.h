/*
 * A careful C program's use of OpenAL, as a measure for the library: the bare calls, in a loop, on a context of its own
 * that is current all the while.
 */
#ifndef OPENAL_LOOPS_H
#define OPENAL_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct openal_scene openal_scene;

/* The settings of a scene. */
typedef struct openal_options {
    int32_t source_count;
    /* On the default device, whose mixer runs by itself, and not on a loopback device of 48 kHz stereo floats. */
    bool is_live;
    bool has_hrtf;
    /* Whether the sources start at positions that are spread over their sound, and not all at its beginning. */
    bool is_spread;
    /* A reverb by the preset "generic", and how much of it each source gets: 0 for none. */
    float wet;
    /* The filter of each source's direct path, and the filter of its send; 1 for none. */
    float direct_gain;
    float direct_high_gain;
} openal_options;

/* Looping sources around the listener, playing the same samples of one channel; NULL where that fails. */
openal_scene *openal_scene_create(openal_options options, const float *samples, int32_t frame_count, int32_t rate);
void openal_scene_destroy(openal_scene *scene);

/*
 * Each sets the same properties of every source, with or without deferral around the loop. The scene's context is
 * current meanwhile, and none is before and after.
 */
void openal_set_gains(openal_scene *scene, float gain, bool is_deferred);
void openal_set_positions(openal_scene *scene, float x, bool is_deferred);
void openal_set_motion(openal_scene *scene, float x, float gain, bool is_deferred);

/* How many sources play, asked of each. */
int32_t openal_count_playing(openal_scene *scene);

/* The sum of where all sources are in their sounds, in frames, asked of each. */
int64_t openal_sum_frames(openal_scene *scene);

/* Moves every source a little from its position, with deferral, and mixes the next frames of a loopback device. */
void openal_move_and_mix(openal_scene *scene, float x, float *samples, int32_t frame_count);

/* The gains of sounds at their positions, by OpenAL's inverse distance law: the least that a choice has to compute. */
void distance_gains(const float *x, const float *y, const float *z, float *gains, int32_t count);

/*
 * The emitters of a C program as rows of 256 bytes, and the scores of all rows by OpenAL's inverse distance law: the
 * least that a tool reads which looks at each emitter. NULL where there is no memory.
 */
typedef struct emitter_rows emitter_rows;
emitter_rows *emitter_rows_create(int32_t count, const float *x, const float *y, const float *z);
void emitter_rows_destroy(emitter_rows *table);
void emitter_rows_score(const emitter_rows *table, float *scores);

/* Seconds of processor time that this thread, or the whole process, has used. */
double thread_seconds(void);
double process_seconds(void);

/*
 * A program with many emitters, of which the 64 loudest have a source: what a careful programmer writes on OpenAL.
 *
 * The scene has 64 sources, which do not play, and outlives the program. A position has four numbers, of which three
 * count. A second has 60 frames, each with a choice and a mix of its own; the positions are `even` and `odd` in turns.
 */
typedef struct openal_emitters openal_emitters;
openal_emitters *openal_emitters_create(openal_scene *scene, int32_t count, int32_t sound_frames);
void openal_emitters_destroy(openal_emitters *program);
void openal_emitters_second(
    openal_emitters *program, const float *even, const float *odd, float *samples, int32_t frame_count
);

/*
 * A table of the values of emitters behind a mutex: what a careful programmer writes for a game whose mixer has a
 * thread of its own. A row has 36 bytes.
 */
typedef struct locked_table locked_table;

locked_table *locked_table_create(int32_t count);
void locked_table_destroy(locked_table *table);
void locked_table_set_position(locked_table *table, int32_t row, float x, float y, float z);
void locked_table_set_velocity(locked_table *table, int32_t row, float x, float y, float z);
void locked_table_set_gain(locked_table *table, int32_t row, float gain);
void locked_table_set_pitch(locked_table *table, int32_t row, float pitch);
void locked_table_set_occlusion(locked_table *table, int32_t row, float occlusion);

#endif
