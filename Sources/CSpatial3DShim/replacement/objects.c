#include <stdlib.h>

#include "replacement.h"

/*
 * Generates the names that a list has. The library generates the lowest free name, so this generates all names up to
 * the largest and deletes those in between that the list lacks.
 */
typedef void (AL_APIENTRY *generate_fn)(ALsizei, ALuint *);
typedef void (AL_APIENTRY *delete_fn)(ALsizei, const ALuint *);
typedef bool (*is_wanted_fn)(const void *objects, uint32_t id);

static bool
make_names(const void *objects, uint32_t capacity, is_wanted_fn is_wanted, generate_fn make, delete_fn unmake) {
    uint32_t last = 0;
    for (uint32_t id = 1; id < capacity; id += 1)
        if (is_wanted(objects, id)) last = id;
    if (last == 0) return true;
    ALuint *ids = calloc(last, sizeof *ids);
    if (!ids) return false;
    make((ALsizei)last, ids);
    bool is_complete = true;
    uint32_t others = 0;
    for (uint32_t index = 0; index < last; index += 1) {
        /* A library that generates names in another order cannot be used. */
        if (ids[index] != index + 1) is_complete = false;
        else if (!is_wanted(objects, index + 1)) ids[others++] = index + 1;
    }
    if (is_complete && others > 0) unmake((ALsizei)others, ids);
    free(ids);
    return is_complete;
}

static bool wants_buffer(const void *objects, uint32_t id) {
    return ((const s3d_buffer_record *)objects)[id].is_present;
}

static bool wants_source(const void *objects, uint32_t id) {
    return ((const s3d_source_record *)objects)[id].is_present;
}

static bool wants_slot(const void *objects, uint32_t id) {
    return ((const s3d_slot_record *)objects)[id].is_present;
}

/* Makes another context current inside a scope. */
static void switch_to(const s3d_api *api, ALCcontext *alc) {
    if (api->set_thread_context) api->set_thread_context(alc);
    else alcMakeContextCurrent(alc);
}

/* Fills a buffer of the new context, which is current, from the buffer of the same name in the old context. */
static bool
copy_buffer(const s3d_api *api, ALCcontext *old, ALCcontext *new, ALuint id, const s3d_buffer_record *record) {
    if (record->borrowed || record->copy || record->sound.byte_count == 0) return s3d_refill_buffer(api, id, record, NULL);
    switch_to(api, old);
    const ALuint access = S3D_MAP_READ_BIT | S3D_MAP_PERSISTENT_BIT;
    const void *samples = api->map_buffer(id, 0, record->sound.byte_count, access);
    switch_to(api, new);
    if (!samples) return false;
    const bool is_filled = s3d_refill_buffer(api, id, record, samples);
    switch_to(api, old);
    api->unmap_buffer(id);
    switch_to(api, new);
    return is_filled;
}

/* The new context is current. */
static bool copy_buffers(const s3d_device *device, ALCcontext *old, ALCcontext *new) {
    if (!make_names(device->buffers, device->buffer_capacity, wants_buffer, alGenBuffers, alDeleteBuffers)) return false;
    for (uint32_t id = 1; id < device->buffer_capacity; id += 1) {
        const s3d_buffer_record *record = &device->buffers[id];
        if (record->is_present && !copy_buffer(&device->api, old, new, id, record)) return false;
    }
    return true;
}

static bool make_sources(const s3d_context *context) {
    if (!make_names(context->sources, context->source_capacity, wants_source, alGenSources, alDeleteSources)) return false;
    for (uint32_t id = 1; id < context->source_capacity; id += 1) {
        const s3d_source_record *record = &context->sources[id];
        if (!record->is_present || record->count == 0) continue;
        if (record->has_queue) alSourceQueueBuffers(id, (ALsizei)record->count, record->buffers);
        else alSourcei(id, AL_BUFFER, (ALint)record->buffers[0]);
        ALint queued = 0;
        alGetSourcei(id, AL_BUFFERS_QUEUED, &queued);
        if (record->has_queue && (uint32_t)queued != record->count) return false;
    }
    return true;
}

/*
 * An effect whose values are limited for another rate stays out of its slot, and the caller loads all effects of the
 * replacement.
 */
static bool make_slots(const s3d_context *context, bool has_same_rate) {
    const s3d_api *api = context->api;
    if (!api->gen_effect_slots || context->slot_capacity == 0) return true;
    if (!make_names(
            context->slots,
            context->slot_capacity,
            wants_slot,
            api->gen_effect_slots,
            api->delete_effect_slots
        ))
        return false;
    ALuint effect = 0;
    api->gen_effects(1, &effect);
    for (uint32_t id = 1; id < context->slot_capacity; id += 1) {
        const s3d_slot_record *record = &context->slots[id];
        if (!record->is_present) continue;
        if (record->has_effect && has_same_rate) s3d_load_effect(api, effect, id, record->kind, record->values);
        api->effect_slot_f(id, AL_EFFECTSLOT_GAIN, record->gain);
        if (record->target) s3d_set_effect_target(api, id, record->target);
    }
    api->delete_effects(1, &effect);
    return true;
}

static ALCint rate_of(ALCdevice *alc) {
    ALCint rate = 0;
    alcGetIntegerv(alc, ALC_FREQUENCY, 1, &rate);
    return rate;
}

bool s3d_copy_objects(const s3d_device *device, const s3d_replacement *replacement) {
    const bool has_same_rate = rate_of(device->alc) == rate_of(replacement->alc);
    bool is_done = true;
    for (uint32_t index = 0; index < replacement->count && is_done; index += 1) {
        const s3d_context *context = replacement->contexts[index].of;
        S3D_ENTER_LIBRARY(&device->api, replacement->contexts[index].alc);
        /* All contexts of a device share its buffers. */
        if (index == 0) is_done = copy_buffers(device, context->alc, replacement->contexts[index].alc);
        is_done = is_done && make_sources(context) && make_slots(context, has_same_rate);
    }
    return is_done;
}
