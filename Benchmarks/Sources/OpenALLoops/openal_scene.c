#include "openal_scene.h"

#include <AL/efx-presets.h>
#include <AL/efx.h>
#include <stdlib.h>

static bool open_output(openal_scene *scene, const openal_options *options) {
    const LPALCLOOPBACKOPENDEVICESOFT open_loopback =
        (LPALCLOOPBACKOPENDEVICESOFT)alcGetProcAddress(NULL, "alcLoopbackOpenDeviceSOFT");
    scene->render_samples = (LPALCRENDERSAMPLESSOFT)alcGetProcAddress(NULL, "alcRenderSamplesSOFT");
    scene->defer_updates = (LPALDEFERUPDATESSOFT)alGetProcAddress("alDeferUpdatesSOFT");
    scene->process_updates = (LPALPROCESSUPDATESSOFT)alGetProcAddress("alProcessUpdatesSOFT");
    if (!open_loopback || !scene->render_samples || !scene->defer_updates || !scene->process_updates) return false;
    const ALCint loopback[] = {
        ALC_MONO_SOURCES, options->source_count, ALC_HRTF_SOFT, options->has_hrtf ? ALC_TRUE : ALC_FALSE,
        ALC_FREQUENCY, 48000, ALC_FORMAT_CHANNELS_SOFT, ALC_STEREO_SOFT, ALC_FORMAT_TYPE_SOFT, ALC_FLOAT_SOFT, 0,
    };
    const ALCint live[] = { ALC_MONO_SOURCES, options->source_count, 0 };
    scene->device = options->is_live ? alcOpenDevice(NULL) : open_loopback(NULL);
    scene->context = scene->device ? alcCreateContext(scene->device, options->is_live ? live : loopback) : NULL;
    return scene->context != NULL;
}

/* The preset in a slot of its own. The slot and what the context has of effects go with it. */
static ALuint make_reverb(void) {
    const LPALGENEFFECTS gen_effects = (LPALGENEFFECTS)alGetProcAddress("alGenEffects");
    const LPALEFFECTI effect_i = (LPALEFFECTI)alGetProcAddress("alEffecti");
    const LPALEFFECTF effect_f = (LPALEFFECTF)alGetProcAddress("alEffectf");
    const LPALEFFECTFV effect_fv = (LPALEFFECTFV)alGetProcAddress("alEffectfv");
    const LPALGENAUXILIARYEFFECTSLOTS gen_slots =
        (LPALGENAUXILIARYEFFECTSLOTS)alGetProcAddress("alGenAuxiliaryEffectSlots");
    const LPALAUXILIARYEFFECTSLOTI slot_i = (LPALAUXILIARYEFFECTSLOTI)alGetProcAddress("alAuxiliaryEffectSloti");
    const EFXEAXREVERBPROPERTIES preset = EFX_REVERB_PRESET_GENERIC;
    ALuint effect = 0, slot = 0;
    gen_effects(1, &effect);
    effect_i(effect, AL_EFFECT_TYPE, AL_EFFECT_EAXREVERB);
    effect_f(effect, AL_EAXREVERB_DENSITY, preset.flDensity);
    effect_f(effect, AL_EAXREVERB_DIFFUSION, preset.flDiffusion);
    effect_f(effect, AL_EAXREVERB_GAIN, preset.flGain);
    effect_f(effect, AL_EAXREVERB_GAINHF, preset.flGainHF);
    effect_f(effect, AL_EAXREVERB_GAINLF, preset.flGainLF);
    effect_f(effect, AL_EAXREVERB_DECAY_TIME, preset.flDecayTime);
    effect_f(effect, AL_EAXREVERB_DECAY_HFRATIO, preset.flDecayHFRatio);
    effect_f(effect, AL_EAXREVERB_DECAY_LFRATIO, preset.flDecayLFRatio);
    effect_f(effect, AL_EAXREVERB_REFLECTIONS_GAIN, preset.flReflectionsGain);
    effect_f(effect, AL_EAXREVERB_REFLECTIONS_DELAY, preset.flReflectionsDelay);
    effect_fv(effect, AL_EAXREVERB_REFLECTIONS_PAN, preset.flReflectionsPan);
    effect_f(effect, AL_EAXREVERB_LATE_REVERB_GAIN, preset.flLateReverbGain);
    effect_f(effect, AL_EAXREVERB_LATE_REVERB_DELAY, preset.flLateReverbDelay);
    effect_fv(effect, AL_EAXREVERB_LATE_REVERB_PAN, preset.flLateReverbPan);
    effect_f(effect, AL_EAXREVERB_ECHO_TIME, preset.flEchoTime);
    effect_f(effect, AL_EAXREVERB_ECHO_DEPTH, preset.flEchoDepth);
    effect_f(effect, AL_EAXREVERB_MODULATION_TIME, preset.flModulationTime);
    effect_f(effect, AL_EAXREVERB_MODULATION_DEPTH, preset.flModulationDepth);
    effect_f(effect, AL_EAXREVERB_AIR_ABSORPTION_GAINHF, preset.flAirAbsorptionGainHF);
    effect_f(effect, AL_EAXREVERB_HFREFERENCE, preset.flHFReference);
    effect_f(effect, AL_EAXREVERB_LFREFERENCE, preset.flLFReference);
    effect_f(effect, AL_EAXREVERB_ROOM_ROLLOFF_FACTOR, preset.flRoomRolloffFactor);
    effect_i(effect, AL_EAXREVERB_DECAY_HFLIMIT, preset.iDecayHFLimit);
    gen_slots(1, &slot);
    slot_i(slot, AL_EFFECTSLOT_EFFECT, (ALint)effect);
    return slot;
}

static ALuint make_filter(float gain, float high_gain) {
    const LPALGENFILTERS gen_filters = (LPALGENFILTERS)alGetProcAddress("alGenFilters");
    const LPALFILTERI filter_i = (LPALFILTERI)alGetProcAddress("alFilteri");
    const LPALFILTERF filter_f = (LPALFILTERF)alGetProcAddress("alFilterf");
    ALuint filter = 0;
    gen_filters(1, &filter);
    filter_i(filter, AL_FILTER_TYPE, AL_FILTER_LOWPASS);
    filter_f(filter, AL_LOWPASS_GAIN, gain);
    filter_f(filter, AL_LOWPASS_GAINHF, high_gain);
    return filter;
}

static void add_paths(openal_scene *scene, const openal_options *options) {
    if (options->direct_gain < 1 || options->direct_high_gain < 1) {
        const ALuint filter = make_filter(options->direct_gain, options->direct_high_gain);
        for (int32_t index = 0; index < scene->source_count; index += 1)
            alSourcei(scene->sources[index], AL_DIRECT_FILTER, (ALint)filter);
    }
    if (options->wet > 0) {
        const ALint slot = (ALint)make_reverb();
        const ALint filter = (ALint)make_filter(options->wet, 1);
        for (int32_t index = 0; index < scene->source_count; index += 1)
            alSource3i(scene->sources[index], AL_AUXILIARY_SEND_FILTER, slot, 0, filter);
    }
}

openal_scene *openal_scene_create(openal_options options, const float *samples, int32_t frame_count, int32_t rate) {
    openal_scene *scene = calloc(1, sizeof *scene);
    ALuint *sources = calloc((size_t)options.source_count, sizeof *sources);
    if (!scene || !sources || !open_output(scene, &options)) {
        /* Nothing is created yet but the device, at most. */
        if (scene && scene->device) alcCloseDevice(scene->device);
        free(sources);
        free(scene);
        return NULL;
    }
    scene->sources = sources;
    scene->source_count = options.source_count;
    alcMakeContextCurrent(scene->context);
    alGenBuffers(1, &scene->buffer);
    alBufferData(scene->buffer, AL_FORMAT_MONO_FLOAT32, samples, frame_count * (ALsizei)sizeof *samples, rate);
    alGenSources(scene->source_count, scene->sources);
    for (int32_t index = 0; index < scene->source_count; index += 1) {
        alSourcei(scene->sources[index], AL_BUFFER, (ALint)scene->buffer);
        alSourcei(scene->sources[index], AL_LOOPING, AL_TRUE);
        if (options.is_spread)
            alSourcei(scene->sources[index], AL_SAMPLE_OFFSET, (ALint)((int64_t)index * frame_count / scene->source_count));
    }
    add_paths(scene, &options);
    alSourcePlayv(scene->source_count, scene->sources);
    alcMakeContextCurrent(NULL);
    return scene;
}

void openal_scene_destroy(openal_scene *scene) {
    alcMakeContextCurrent(scene->context);
    alDeleteSources(scene->source_count, scene->sources);
    alDeleteBuffers(1, &scene->buffer);
    alcMakeContextCurrent(NULL);
    alcDestroyContext(scene->context);
    alcCloseDevice(scene->device);
    free(scene->sources);
    free(scene);
}
