/* For clock_gettime. */
#define _POSIX_C_SOURCE 200809L

#include "openal_loops.h"

#include <math.h>
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
