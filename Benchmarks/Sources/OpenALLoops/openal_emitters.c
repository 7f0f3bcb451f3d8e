#include "openal_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The sources, and the frames of a game in a second. */
enum { source_count = 64, frames_per_second = 60 };

/* The loudness of an emitter at the listener. */
typedef struct { float gain; int32_t emitter; } candidate;

struct openal_emitters {
    openal_scene *scene;
    int32_t count, sound_frames;
    /* Four numbers each, of which three count. */
    float *places;
    int32_t *source_of, *emitter_of;
    candidate *candidates;
    bool *is_chosen;
    int64_t frame;
};

openal_emitters *openal_emitters_create(openal_scene *scene, int32_t count, int32_t sound_frames) {
    openal_emitters *program = calloc(1, sizeof *program);
    if (!program) return NULL;
    *program = (openal_emitters){
        .scene = scene, .count = count, .sound_frames = sound_frames,
        .places = calloc((size_t)count * 4, sizeof(float)), .source_of = calloc((size_t)count, sizeof(int32_t)),
        .emitter_of = calloc(source_count, sizeof(int32_t)), .candidates = calloc((size_t)count, sizeof(candidate)),
        .is_chosen = calloc((size_t)count, sizeof(bool)),
    };
    if (!program->places || !program->source_of || !program->emitter_of || !program->candidates
        || !program->is_chosen) {
        openal_emitters_destroy(program);
        return NULL;
    }
    for (int32_t emitter = 0; emitter < count; emitter += 1) program->source_of[emitter] = -1;
    for (int32_t source = 0; source < source_count; source += 1) program->emitter_of[source] = -1;
    return program;
}

void openal_emitters_destroy(openal_emitters *program) {
    free(program->places);
    free(program->source_of);
    free(program->emitter_of);
    free(program->candidates);
    free(program->is_chosen);
    free(program);
}

/* Moves the loudest candidates to the front, in linear time. */
static void select_loudest(candidate *values, int32_t count, int32_t wanted) {
    int32_t first = 0, last = count - 1;
    while (first < last) {
        const float pivot = values[first + (last - first) / 2].gain;
        int32_t low = first, high = last;
        while (low <= high) {
            while (values[low].gain > pivot) low += 1;
            while (values[high].gain < pivot) high -= 1;
            if (low > high) break;
            const candidate other = values[low];
            values[low] = values[high];
            values[high] = other;
            low += 1;
            high -= 1;
        }
        if (wanted <= high) last = high;
        else if (wanted >= low) first = low;
        else return;
    }
}

static void update(openal_emitters *program, float listener) {
    openal_scene *scene = program->scene;
    const int32_t chosen_count = program->count < source_count ? program->count : source_count;
    for (int32_t emitter = 0; emitter < program->count; emitter += 1) {
        const float *place = program->places + 4 * (size_t)emitter;
        const float x = place[0] - listener, y = place[1], z = place[2];
        const float distance = sqrtf(x * x + y * y + z * z);
        float gain = 1 / (distance < 1 ? 1 : distance);
        if (program->source_of[emitter] >= 0) gain *= 1.19f;
        program->candidates[emitter] = (candidate){ gain, emitter };
    }
    if (program->count > source_count) select_loudest(program->candidates, program->count, source_count);
    for (int32_t index = 0; index < chosen_count; index += 1)
        program->is_chosen[program->candidates[index].emitter] = true;
    scene->defer_updates();
    alListener3f(AL_POSITION, listener, 0, 0);
    for (int32_t source = 0; source < source_count; source += 1) {
        const int32_t emitter = program->emitter_of[source];
        if (emitter < 0 || program->is_chosen[emitter]) continue;
        alSourceStop(scene->sources[source]);
        program->source_of[emitter] = program->emitter_of[source] = -1;
    }
    for (int32_t index = 0, source = 0; index < chosen_count; index += 1) {
        const int32_t emitter = program->candidates[index].emitter;
        const float *place = program->places + 4 * (size_t)emitter;
        program->is_chosen[emitter] = false;
        const bool begins = program->source_of[emitter] < 0;
        if (begins) {
            while (program->emitter_of[source] >= 0) source += 1;
            program->emitter_of[source] = emitter;
            program->source_of[emitter] = source;
        }
        const ALuint name = scene->sources[program->source_of[emitter]];
        alSource3f(name, AL_POSITION, place[0], place[1], place[2]);
        if (!begins) continue;
        alSourcei(name, AL_SAMPLE_OFFSET, (ALint)(program->frame % program->sound_frames));
        alSourcePlay(name);
    }
    scene->process_updates();
}

void openal_emitters_second(
    openal_emitters *program, const float *even, const float *odd, float *samples, int32_t frame_count
) {
    ALCcontext *before = alcGetCurrentContext();
    alcMakeContextCurrent(program->scene->context);
    for (int32_t frame = 0; frame < frames_per_second; frame += 1) {
        memcpy(program->places, frame % 2 ? odd : even, (size_t)program->count * 4 * sizeof(float));
        update(program, (float)(frame % 2) * 0.02f);
        program->scene->render_samples(program->scene->device, samples, frame_count);
        program->frame += frame_count;
    }
    alcMakeContextCurrent(before);
}
