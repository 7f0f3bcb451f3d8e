/* For clock_gettime. */
#define _POSIX_C_SOURCE 200809L

#include "openal_loops.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "openal_scene.h"

static void enter(const openal_scene *scene, bool is_deferred) {
    alcMakeContextCurrent(scene->context);
    if (is_deferred) scene->defer_updates();
}

static void leave(const openal_scene *scene, bool is_deferred) {
    if (is_deferred) scene->process_updates();
    alcMakeContextCurrent(NULL);
}

void openal_set_gains(openal_scene *scene, float gain, bool is_deferred) {
    enter(scene, is_deferred);
    for (int32_t index = 0; index < scene->source_count; index += 1)
        alSourcef(scene->sources[index], AL_GAIN, gain);
    leave(scene, is_deferred);
}

void openal_set_positions(openal_scene *scene, float x, bool is_deferred) {
    enter(scene, is_deferred);
    for (int32_t index = 0; index < scene->source_count; index += 1)
        alSource3f(scene->sources[index], AL_POSITION, x, 0, -1);
    leave(scene, is_deferred);
}

void openal_set_motion(openal_scene *scene, float x, float gain, bool is_deferred) {
    enter(scene, is_deferred);
    for (int32_t index = 0; index < scene->source_count; index += 1) {
        alSource3f(scene->sources[index], AL_POSITION, x, 0, -1);
        alSource3f(scene->sources[index], AL_VELOCITY, x, 0, 0);
        alSourcef(scene->sources[index], AL_GAIN, gain);
    }
    leave(scene, is_deferred);
}

int32_t openal_count_playing(openal_scene *scene) {
    int32_t count = 0;
    enter(scene, false);
    for (int32_t index = 0; index < scene->source_count; index += 1) {
        ALint state = AL_INITIAL;
        alGetSourcei(scene->sources[index], AL_SOURCE_STATE, &state);
        if (state == AL_PLAYING) count += 1;
    }
    leave(scene, false);
    return count;
}

int64_t openal_sum_frames(openal_scene *scene) {
    int64_t sum = 0;
    enter(scene, false);
    for (int32_t index = 0; index < scene->source_count; index += 1) {
        ALint frame = 0;
        alGetSourcei(scene->sources[index], AL_SAMPLE_OFFSET, &frame);
        sum += frame;
    }
    leave(scene, false);
    return sum;
}

void openal_move_and_mix(openal_scene *scene, float x, float *samples, int32_t frame_count) {
    enter(scene, true);
    for (int32_t index = 0; index < scene->source_count; index += 1)
        alSource3f(
            scene->sources[index], AL_POSITION, (float)(index % 8) - 3.5f + x, 0, (float)(index / 8) - 3.5f
        );
    leave(scene, true);
    scene->render_samples(scene->device, samples, frame_count);
}

void distance_gains(const float *x, const float *y, const float *z, float *gains, int32_t count) {
    for (int32_t index = 0; index < count; index += 1) {
        float distance = sqrtf(x[index] * x[index] + y[index] * y[index] + z[index] * z[index]);
        gains[index] = 1 / (distance < 1 ? 1 : distance);
    }
}

typedef struct {
    float position[3], weight, reference, maximum, rolloff, reach;
    uint8_t rest[224];
} emitter_row;

struct emitter_rows {
    int32_t count;
    emitter_row rows[];
};

emitter_rows *emitter_rows_create(int32_t count, const float *x, const float *y, const float *z) {
    emitter_rows *table = calloc(1, sizeof *table + (size_t)count * sizeof(emitter_row));
    if (!table) return NULL;
    table->count = count;
    for (int32_t index = 0; index < count; index += 1) {
        table->rows[index] = (emitter_row){{x[index], y[index], z[index]}, 1, 1, FLT_MAX, 1, INFINITY, {0}};
    }
    return table;
}

void emitter_rows_destroy(emitter_rows *table) { free(table); }

void emitter_rows_score(const emitter_rows *table, float *scores) {
    for (int32_t index = 0; index < table->count; index += 1) {
        const emitter_row *row = &table->rows[index];
        const float *at = row->position;
        float distance = sqrtf(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
        float place = fminf(fmaxf(distance, row->reference), row->maximum);
        float gain = row->reference / (row->reference + row->rolloff * (place - row->reference));
        scores[index] = distance > row->reach ? 0 : row->weight * gain;
    }
}

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double thread_seconds(void) {
    return seconds(CLOCK_THREAD_CPUTIME_ID);
}

double process_seconds(void) {
    return seconds(CLOCK_PROCESS_CPUTIME_ID);
}
