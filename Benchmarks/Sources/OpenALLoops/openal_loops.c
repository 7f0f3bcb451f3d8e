/* For clock_gettime. */
#define _POSIX_C_SOURCE 200809L

#include "openal_loops.h"

#include <AL/al.h>
#include <AL/alc.h>
#include <AL/alext.h>
#include <stdlib.h>
#include <time.h>

struct openal_scene {
    ALCdevice *device;
    ALCcontext *context;
    ALuint buffer;
    ALuint *sources;
    int32_t source_count;
    LPALDEFERUPDATESSOFT defer_updates;
    LPALPROCESSUPDATESSOFT process_updates;
};

static void enter(const openal_scene *scene, bool is_deferred) {
    alcMakeContextCurrent(scene->context);
    if (is_deferred) scene->defer_updates();
}

static void leave(const openal_scene *scene, bool is_deferred) {
    if (is_deferred) scene->process_updates();
    alcMakeContextCurrent(NULL);
}

static bool open_output(openal_scene *scene, int32_t source_count) {
    const LPALCLOOPBACKOPENDEVICESOFT open_loopback =
        (LPALCLOOPBACKOPENDEVICESOFT)alcGetProcAddress(NULL, "alcLoopbackOpenDeviceSOFT");
    scene->defer_updates = (LPALDEFERUPDATESSOFT)alGetProcAddress("alDeferUpdatesSOFT");
    scene->process_updates = (LPALPROCESSUPDATESSOFT)alGetProcAddress("alProcessUpdatesSOFT");
    if (!open_loopback || !scene->defer_updates || !scene->process_updates) return false;
    const ALCint attributes[] = {
        ALC_FREQUENCY, 48000, ALC_FORMAT_CHANNELS_SOFT, ALC_STEREO_SOFT, ALC_FORMAT_TYPE_SOFT, ALC_FLOAT_SOFT,
        ALC_MONO_SOURCES, source_count, 0,
    };
    scene->device = open_loopback(NULL);
    scene->context = scene->device ? alcCreateContext(scene->device, attributes) : NULL;
    return scene->context != NULL;
}

openal_scene *openal_scene_create(int32_t source_count, const float *samples, int32_t frame_count) {
    openal_scene *scene = calloc(1, sizeof *scene);
    ALuint *sources = calloc((size_t)source_count, sizeof *sources);
    if (!scene || !sources || !open_output(scene, source_count)) {
        /* Nothing is created yet but the device, at most. */
        if (scene && scene->device) alcCloseDevice(scene->device);
        free(sources);
        free(scene);
        return NULL;
    }
    scene->sources = sources;
    scene->source_count = source_count;
    enter(scene, false);
    alGenBuffers(1, &scene->buffer);
    alBufferData(scene->buffer, AL_FORMAT_MONO_FLOAT32, samples, frame_count * (ALsizei)sizeof *samples, 48000);
    alGenSources(source_count, scene->sources);
    for (int32_t index = 0; index < source_count; index += 1) {
        alSourcei(scene->sources[index], AL_BUFFER, (ALint)scene->buffer);
        alSourcei(scene->sources[index], AL_LOOPING, AL_TRUE);
    }
    alSourcePlayv(source_count, scene->sources);
    leave(scene, false);
    return scene;
}

void openal_scene_destroy(openal_scene *scene) {
    enter(scene, false);
    alDeleteSources(scene->source_count, scene->sources);
    alDeleteBuffers(1, &scene->buffer);
    leave(scene, false);
    alcDestroyContext(scene->context);
    alcCloseDevice(scene->device);
    free(scene->sources);
    free(scene);
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

double thread_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
