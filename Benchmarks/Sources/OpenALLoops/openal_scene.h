/* The scene of a C program. */
#ifndef OPENAL_SCENE_H
#define OPENAL_SCENE_H

#include <AL/al.h>
#include <AL/alc.h>
#include <AL/alext.h>

#include "openal_loops.h"

struct openal_scene {
    ALCdevice *device;
    ALCcontext *context;
    ALuint buffer;
    ALuint *sources;
    int32_t source_count;
    LPALDEFERUPDATESSOFT defer_updates;
    LPALPROCESSUPDATESSOFT process_updates;
    LPALCRENDERSAMPLESSOFT render_samples;
};

#endif
