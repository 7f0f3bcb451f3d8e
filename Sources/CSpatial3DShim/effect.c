#include <AL/efx.h>
#include <string.h>

#include "scope.h"

/* AL_SOFT_effect_target, which old headers lack. */
enum { EFFECT_SLOT_TARGET = 0x199C };

/* The type of a parameter: a number, an integer, or a vector of three numbers. */
typedef enum parameter_kind { NUMBER, WHOLE, VECTOR } parameter_kind;

typedef struct parameter {
    ALenum name;
    parameter_kind kind;
} parameter;

typedef struct effect_kind {
    ALenum type;
    parameter parameters[24];
} effect_kind;

static const effect_kind kinds[] = {
    [S3D_EFFECT_REVERB] = { AL_EFFECT_EAXREVERB, {
        { AL_EAXREVERB_DENSITY, NUMBER },
        { AL_EAXREVERB_DIFFUSION, NUMBER },
        { AL_EAXREVERB_GAIN, NUMBER },
        { AL_EAXREVERB_GAINHF, NUMBER },
        { AL_EAXREVERB_GAINLF, NUMBER },
        { AL_EAXREVERB_DECAY_TIME, NUMBER },
        { AL_EAXREVERB_DECAY_HFRATIO, NUMBER },
        { AL_EAXREVERB_DECAY_LFRATIO, NUMBER },
        { AL_EAXREVERB_REFLECTIONS_GAIN, NUMBER },
        { AL_EAXREVERB_REFLECTIONS_DELAY, NUMBER },
        { AL_EAXREVERB_REFLECTIONS_PAN, VECTOR },
        { AL_EAXREVERB_LATE_REVERB_GAIN, NUMBER },
        { AL_EAXREVERB_LATE_REVERB_DELAY, NUMBER },
        { AL_EAXREVERB_LATE_REVERB_PAN, VECTOR },
        { AL_EAXREVERB_ECHO_TIME, NUMBER },
        { AL_EAXREVERB_ECHO_DEPTH, NUMBER },
        { AL_EAXREVERB_MODULATION_TIME, NUMBER },
        { AL_EAXREVERB_MODULATION_DEPTH, NUMBER },
        { AL_EAXREVERB_AIR_ABSORPTION_GAINHF, NUMBER },
        { AL_EAXREVERB_HFREFERENCE, NUMBER },
        { AL_EAXREVERB_LFREFERENCE, NUMBER },
        { AL_EAXREVERB_ROOM_ROLLOFF_FACTOR, NUMBER },
        { AL_EAXREVERB_DECAY_HFLIMIT, WHOLE },
    } },
    [S3D_EFFECT_ECHO] = { AL_EFFECT_ECHO, {
        { AL_ECHO_DELAY, NUMBER },
        { AL_ECHO_LRDELAY, NUMBER },
        { AL_ECHO_DAMPING, NUMBER },
        { AL_ECHO_FEEDBACK, NUMBER },
        { AL_ECHO_SPREAD, NUMBER },
    } },
    [S3D_EFFECT_CHORUS] = { AL_EFFECT_CHORUS, {
        { AL_CHORUS_WAVEFORM, WHOLE },
        { AL_CHORUS_PHASE, WHOLE },
        { AL_CHORUS_RATE, NUMBER },
        { AL_CHORUS_DEPTH, NUMBER },
        { AL_CHORUS_FEEDBACK, NUMBER },
        { AL_CHORUS_DELAY, NUMBER },
    } },
    [S3D_EFFECT_FLANGER] = { AL_EFFECT_FLANGER, {
        { AL_FLANGER_WAVEFORM, WHOLE },
        { AL_FLANGER_PHASE, WHOLE },
        { AL_FLANGER_RATE, NUMBER },
        { AL_FLANGER_DEPTH, NUMBER },
        { AL_FLANGER_FEEDBACK, NUMBER },
        { AL_FLANGER_DELAY, NUMBER },
    } },
    [S3D_EFFECT_DISTORTION] = { AL_EFFECT_DISTORTION, {
        { AL_DISTORTION_EDGE, NUMBER },
        { AL_DISTORTION_GAIN, NUMBER },
        { AL_DISTORTION_LOWPASS_CUTOFF, NUMBER },
        { AL_DISTORTION_EQCENTER, NUMBER },
        { AL_DISTORTION_EQBANDWIDTH, NUMBER },
    } },
    [S3D_EFFECT_COMPRESSOR] = { AL_EFFECT_COMPRESSOR, {
        { AL_COMPRESSOR_ONOFF, WHOLE },
    } },
    [S3D_EFFECT_EQUALIZER] = { AL_EFFECT_EQUALIZER, {
        { AL_EQUALIZER_LOW_GAIN, NUMBER },
        { AL_EQUALIZER_LOW_CUTOFF, NUMBER },
        { AL_EQUALIZER_MID1_GAIN, NUMBER },
        { AL_EQUALIZER_MID1_CENTER, NUMBER },
        { AL_EQUALIZER_MID1_WIDTH, NUMBER },
        { AL_EQUALIZER_MID2_GAIN, NUMBER },
        { AL_EQUALIZER_MID2_CENTER, NUMBER },
        { AL_EQUALIZER_MID2_WIDTH, NUMBER },
        { AL_EQUALIZER_HIGH_GAIN, NUMBER },
        { AL_EQUALIZER_HIGH_CUTOFF, NUMBER },
    } },
    [S3D_EFFECT_PITCH_SHIFTER] = { AL_EFFECT_PITCH_SHIFTER, {
        { AL_PITCH_SHIFTER_COARSE_TUNE, WHOLE },
        { AL_PITCH_SHIFTER_FINE_TUNE, WHOLE },
    } },
    [S3D_EFFECT_FREQUENCY_SHIFTER] = { AL_EFFECT_FREQUENCY_SHIFTER, {
        { AL_FREQUENCY_SHIFTER_FREQUENCY, NUMBER },
        { AL_FREQUENCY_SHIFTER_LEFT_DIRECTION, WHOLE },
        { AL_FREQUENCY_SHIFTER_RIGHT_DIRECTION, WHOLE },
    } },
    [S3D_EFFECT_RING_MODULATOR] = { AL_EFFECT_RING_MODULATOR, {
        { AL_RING_MODULATOR_FREQUENCY, NUMBER },
        { AL_RING_MODULATOR_HIGHPASS_CUTOFF, NUMBER },
        { AL_RING_MODULATOR_WAVEFORM, WHOLE },
    } },
};

/* Makes a context current for a change of an effect slot. */
#define ENTER_FOR_CHANGE(context) \
    S3D_ENTER(context); \
    S3D_LOCK(s3d_lock_for_slots((context)->device)); \
    s3d_note_reverb_change((context)->device)

/* OpenAL Soft 1.19 crashes where a context is created on a device of which another context has deleted an effect
   slot. */
static bool keeps_slots(const s3d_context *context) {
    const int version = atomic_load(&context->device->version);
    return version > 0 && version < 120;
}

/* Returns a slot that was destroyed before, or 0. */
static ALuint take_unused_slot(s3d_context *context) {
    for (uint32_t id = 1; id < context->slot_capacity; id += 1)
        if (context->slots[id].is_unused) return id;
    return 0;
}

/* Makes room in the list for the next slot: the library generates the lowest free name. */
static bool reserve_slot(s3d_context *context) {
    uint32_t count = 0;
    for (uint32_t id = 1; id < context->slot_capacity; id += 1)
        if (context->slots[id].is_present) count += 1;
    return s3d_reserve_slot(context, count + 1);
}

s3d_error s3d_effect_slot_create(s3d_context *context, s3d_effect_slot *out) {
    const s3d_api *api = context->api;
    if (!api->gen_effect_slots) return S3D_NOT_IN_LIBRARY;
    if (s3d_creation_fails(context) || !reserve_slot(context)) return AL_OUT_OF_MEMORY;
    ENTER_FOR_CHANGE(context);
    ALuint id = take_unused_slot(context);
    if (id) {
        api->effect_slot_f(id, AL_EFFECTSLOT_GAIN, 1);
    } else {
        alGetError();
        api->gen_effect_slots(1, &id);
    }
    if (!id) return s3d_reason();
    /* A library that generates other names than the lowest free one. */
    if (!s3d_reserve_slot(context, id)) {
        api->delete_effect_slots(1, &id);
        return AL_OUT_OF_MEMORY;
    }
    out->id = id;
    context->slots[id] = (s3d_slot_record) { .is_present = true, .gain = 1 };
    return S3D_OK;
}

void s3d_effect_slot_destroy(s3d_context *context, s3d_effect_slot slot) {
    if (s3d_device_is_inherited(context->device)) return;
    ENTER_FOR_CHANGE(context);
    s3d_slot_record *record = &context->slots[slot.id];
    if (keeps_slots(context)) {
        context->api->effect_slot_i(slot.id, AL_EFFECTSLOT_EFFECT, AL_EFFECT_NULL);
        *record = (s3d_slot_record) { .is_present = true, .is_unused = true };
    } else {
        context->api->delete_effect_slots(1, &slot.id);
        record->is_present = false;
    }
}

/* The library copies an effect into a slot, so that one effect object serves all slots of a context. */
static ALuint scratch_effect(s3d_context *context) {
    if (!context->effect) context->api->gen_effects(1, &context->effect);
    return context->effect;
}

static size_t value_count(s3d_effect_kind kind) {
    size_t count = 0;
    for (const parameter *next = kinds[kind].parameters; next->name; next += 1) count += next->kind == VECTOR ? 3 : 1;
    return count;
}

void s3d_load_effect(const s3d_api *api, ALuint effect, ALuint slot, s3d_effect_kind kind, const float *values) {
    api->effect_i(effect, AL_EFFECT_TYPE, kinds[kind].type);
    for (const parameter *next = kinds[kind].parameters; next->name; next += 1) {
        switch (next->kind) {
        case NUMBER: api->effect_f(effect, next->name, *values++); break;
        case WHOLE: api->effect_i(effect, next->name, (ALint)*values++); break;
        case VECTOR: api->effect_fv(effect, next->name, values); values += 3; break;
        }
    }
    api->effect_slot_i(slot, AL_EFFECTSLOT_EFFECT, (ALint)effect);
}

void s3d_effect_slot_load(s3d_context *context, s3d_effect_slot slot, s3d_effect_kind kind, const float *values) {
    s3d_slot_record *record = &context->slots[slot.id];
    record->has_effect = true;
    record->kind = kind;
    memcpy(record->values, values, value_count(kind) * sizeof *values);
    ENTER_FOR_CHANGE(context);
    s3d_load_effect(context->api, scratch_effect(context), slot.id, kind, values);
}

void s3d_effect_slot_clear(s3d_context *context, s3d_effect_slot slot) {
    context->slots[slot.id].has_effect = false;
    ENTER_FOR_CHANGE(context);
    context->api->effect_slot_i(slot.id, AL_EFFECTSLOT_EFFECT, AL_EFFECT_NULL);
}

void s3d_effect_slot_set_gain(s3d_context *context, s3d_effect_slot slot, float gain) {
    context->slots[slot.id].gain = gain;
    ENTER_FOR_CHANGE(context);
    context->api->effect_slot_f(slot.id, AL_EFFECTSLOT_GAIN, gain);
}

void s3d_set_effect_target(const s3d_api *api, ALuint slot, ALuint target) {
    api->effect_slot_i(slot, EFFECT_SLOT_TARGET, (ALint)target);
}

void s3d_effect_slot_set_target(s3d_context *context, s3d_effect_slot slot, s3d_effect_slot target) {
    context->slots[slot.id].target = target.id;
    ENTER_FOR_CHANGE(context);
    s3d_set_effect_target(context->api, slot.id, target.id);
}

/* The library copies a filter that is attached, so that one filter object serves all sources of a context. Returns
   AL_FILTER_NULL for a filter that changes nothing, because a filter makes a voice six times as expensive. */
static ALuint scratch_filter(s3d_context *context, s3d_filter filter) {
    const s3d_api *api = context->api;
    if (filter.gain == 1.0f && filter.gain_lf == 1.0f && filter.gain_hf == 1.0f) return AL_FILTER_NULL;
    if (!context->filter) {
        api->gen_filters(1, &context->filter);
        api->filter_i(context->filter, AL_FILTER_TYPE, AL_FILTER_BANDPASS);
    }
    /* A gain of 1 at one end costs nothing: the library then runs the filter of the other end alone. */
    api->filter_f(context->filter, AL_BANDPASS_GAIN, filter.gain);
    api->filter_f(context->filter, AL_BANDPASS_GAINLF, filter.gain_lf);
    api->filter_f(context->filter, AL_BANDPASS_GAINHF, filter.gain_hf);
    return context->filter;
}

void s3d_transaction_direct(s3d_context *context, s3d_source source, s3d_filter filter) {
    if (!context->api->gen_effect_slots) return;
    alSourcei(source.id, AL_DIRECT_FILTER, (ALint)scratch_filter(context, filter));
}

void s3d_transaction_send(
    s3d_context *context,
    s3d_source source,
    int32_t index,
    s3d_effect_slot slot,
    s3d_filter filter
) {
    const ALint attached = (ALint)scratch_filter(context, filter);
    alSource3i(source.id, AL_AUXILIARY_SEND_FILTER, (ALint)slot.id, index, attached);
}

void s3d_effects_release(s3d_context *context) {
    if (!context->filter && !context->effect) return;
    S3D_ENTER(context);
    if (context->filter) context->api->delete_filters(1, &context->filter);
    if (context->effect) context->api->delete_effects(1, &context->effect);
}
