#include <stdlib.h>

#include "scope.h"

struct s3d_next {
    ALCdevice *alc;
    bool is_stand_in;
    s3d_settings settings;
    uint32_t count;
    struct s3d_next_context *contexts;
};

struct s3d_next_context {
    ALCcontext *alc;
    s3d_context *of; /* whose it is; not to be followed before it is known to be there still */
    uint64_t number;
};

static void give_back(s3d_next *next) {
    for (uint32_t index = 0; index < next->count; index += 1)
        if (next->contexts[index].alc) alcDestroyContext(next->contexts[index].alc);
    alcCloseDevice(next->alc);
    free(next->contexts);
    free(next);
}

void s3d_next_close(s3d_next *next) {
    s3d_begin_call();
    give_back(next);
    s3d_end_call();
}

static bool list_contexts(s3d_device *device, s3d_next *next) {
    pthread_mutex_lock(&device->objects_lock);
    uint32_t count = 0;
    for (s3d_context *context = device->contexts; context; context = context->next) count += 1;
    next->contexts = calloc(count + 1, sizeof *next->contexts);
    next->count = next->contexts ? count : 0;
    next->settings = device->settings;
    count = 0;
    for (s3d_context *context = device->contexts; context && count < next->count; context = context->next)
        next->contexts[count++] = (struct s3d_next_context) { .of = context, .number = context->number };
    pthread_mutex_unlock(&device->objects_lock);
    return next->contexts;
}

s3d_settings s3d_repeat_settings(s3d_settings settings, const s3d_output *granted, bool is_stand_in) {
    settings.sample_rate = granted->sample_rate;
    settings.least_send_limit = granted->send_limit;
    if (is_stand_in) {
        settings.has_layout = true;
        settings.layout = S3D_MONO;
        settings.hrtf = S3D_OFF;
        settings.limiter = S3D_OFF;
    }
    return settings;
}

static s3d_error create_contexts(s3d_device *device, s3d_next *next) {
    const bool is_loopback = device->is_loopback || next->is_stand_in;
    s3d_output granted;
    s3d_device_read_output(device, &granted);
    const s3d_settings settings = s3d_repeat_settings(next->settings, &granted, next->is_stand_in);
    ALCint attributes[S3D_MAX_ATTRIBUTES];
    s3d_write_attributes(device, is_loopback, &settings, attributes);
    for (uint32_t index = 0; index < next->count; index += 1) {
        next->contexts[index].alc = alcCreateContext(next->alc, attributes);
        if (!next->contexts[index].alc) return S3D_REFUSED;
    }
    return S3D_OK;
}

static s3d_error prepare(s3d_device *device, ALCdevice *alc, bool is_stand_in, s3d_next **out) {
    if (!alc) {
        const ALCenum error = alcGetError(NULL);
        return error == ALC_NO_ERROR ? S3D_REFUSED : error;
    }
    s3d_next *next = calloc(1, sizeof *next);
    if (!next) {
        alcCloseDevice(alc);
        return ALC_OUT_OF_MEMORY;
    }
    next->alc = alc;
    next->is_stand_in = is_stand_in;
    s3d_error error = list_contexts(device, next) ? S3D_OK : ALC_OUT_OF_MEMORY;
    if (error == S3D_OK) error = create_contexts(device, next);
    if (error == S3D_OK) *out = next;
    else give_back(next);
    return error;
}

s3d_error s3d_next_open(s3d_device *device, const char *name, s3d_next **out) {
    if (atomic_load(&device->is_unplugged)) return S3D_REFUSED;
    ALCdevice *alc = s3d_open_output(name);
    if (!alc && name) {
        /* The library knows an output by the list that it made last, which may be one of when it was gone. */
        free(s3d_copy_output_names());
        alc = s3d_open_output(name);
    }
    s3d_begin_call();
    const s3d_error error = prepare(device, alc, false, out);
    s3d_end_call();
    return error;
}

char *s3d_next_copy_name(const s3d_next *next) {
    s3d_begin_call();
    char *copy = s3d_copy_name_of(next->alc);
    s3d_end_call();
    return copy;
}

bool s3d_device_can_stand_in(s3d_device *device) {
    return device->api.loopback_open_device && device->api.render_samples;
}

s3d_error s3d_next_open_loopback(s3d_device *device, s3d_next **out) {
    if (!s3d_device_can_stand_in(device)) return S3D_NOT_IN_LIBRARY;
    s3d_begin_call();
    const s3d_error error = prepare(device, device->api.loopback_open_device(NULL), !device->is_loopback, out);
    s3d_end_call();
    return error;
}

/* Names are given lowest first: generates all up to the last that is wanted, and gives the others back. */
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
        /* One by one in order; anything else is a library of another mind. */
        if (ids[index] != index + 1) is_complete = false;
        else if (!is_wanted(objects, index + 1)) ids[others++] = index + 1;
    }
    if (is_complete && others > 0) unmake((ALsizei)others, ids);
    free(ids);
    return is_complete;
}

static bool wants_buffer(const void *objects, uint32_t id) {
    return ((const s3d_kept_buffer *)objects)[id].is_present;
}

static bool wants_source(const void *objects, uint32_t id) {
    return ((const s3d_kept_source *)objects)[id].is_present;
}

static bool wants_slot(const void *objects, uint32_t id) {
    return ((const s3d_kept_slot *)objects)[id].is_present;
}

/* Makes another context current in the scope of one. */
static void switch_to(const s3d_api *api, ALCcontext *alc) {
    if (api->set_thread_context) api->set_thread_context(alc);
    else alcMakeContextCurrent(alc);
}

/* Fills a buffer of the new context, which is current, from that of the same name in the old. */
static bool
carry_buffer(const s3d_api *api, ALCcontext *old, ALCcontext *new, ALuint id, const s3d_kept_buffer *kept) {
    if (kept->borrowed || kept->copy || kept->sound.byte_count == 0) return s3d_refill_buffer(api, id, kept, NULL);
    switch_to(api, old);
    const ALuint access = S3D_MAP_READ_BIT | S3D_MAP_PERSISTENT_BIT;
    const void *samples = api->map_buffer(id, 0, kept->sound.byte_count, access);
    switch_to(api, new);
    if (!samples) return false;
    const bool is_filled = s3d_refill_buffer(api, id, kept, samples);
    switch_to(api, old);
    api->unmap_buffer(id);
    switch_to(api, new);
    return is_filled;
}

/* The new context is current. */
static bool carry_buffers(const s3d_device *device, ALCcontext *old, ALCcontext *new) {
    if (!make_names(device->buffers, device->buffer_capacity, wants_buffer, alGenBuffers, alDeleteBuffers)) return false;
    for (uint32_t id = 1; id < device->buffer_capacity; id += 1) {
        const s3d_kept_buffer *kept = &device->buffers[id];
        if (kept->is_present && !carry_buffer(&device->api, old, new, id, kept)) return false;
    }
    return true;
}

static bool make_sources(const s3d_context *context) {
    if (!make_names(context->sources, context->source_capacity, wants_source, alGenSources, alDeleteSources)) return false;
    for (uint32_t id = 1; id < context->source_capacity; id += 1) {
        const s3d_kept_source *kept = &context->sources[id];
        if (!kept->is_present || kept->count == 0) continue;
        if (kept->has_queue) alSourceQueueBuffers(id, (ALsizei)kept->count, kept->buffers);
        else alSourcei(id, AL_BUFFER, (ALint)kept->buffers[0]);
        ALint queued = 0;
        alGetSourcei(id, AL_BUFFERS_QUEUED, &queued);
        if (kept->has_queue && (uint32_t)queued != kept->count) return false;
    }
    return true;
}

static bool make_slots(const s3d_context *context) {
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
        const s3d_kept_slot *kept = &context->slots[id];
        if (!kept->is_present) continue;
        if (kept->has_effect) s3d_load_effect(api, effect, id, kept->kind, kept->values);
        api->effect_slot_f(id, AL_EFFECTSLOT_GAIN, kept->gain);
        if (kept->target) s3d_set_effect_target(api, id, kept->target);
    }
    api->delete_effects(1, &effect);
    return true;
}

/* Whether the device's contexts are still those that the next one has contexts for. */
static bool is_current(const s3d_device *device, const s3d_next *next) {
    uint32_t count = 0;
    for (const s3d_context *context = device->contexts; context; context = context->next) count += 1;
    if (count != next->count) return false;
    for (uint32_t index = 0; index < count; index += 1) {
        const s3d_context *context = device->contexts;
        while (context && context->number != next->contexts[index].number) context = context->next;
        if (!context) return false;
    }
    return true;
}

static bool make_objects(const s3d_device *device, const s3d_next *next) {
    bool is_done = true;
    for (uint32_t index = 0; index < next->count && is_done; index += 1) {
        const s3d_context *context = next->contexts[index].of;
        const s3d_scope scope = s3d_enter_library(&device->api, next->contexts[index].alc);
        /* All contexts of a device have its buffers. */
        if (index == 0) is_done = carry_buffers(device, context->alc, next->contexts[index].alc);
        is_done = is_done && make_sources(context) && make_slots(context);
        s3d_leave_library(scope);
    }
    return is_done;
}

static int64_t clock_of(const s3d_device *device, ALCdevice *alc) {
    ALCint64SOFT nanoseconds = 0;
    if (device->api.get_integer64) device->api.get_integer64(alc, ALC_DEVICE_CLOCK_SOFT, 1, &nanoseconds);
    return nanoseconds;
}

s3d_error s3d_device_swap(s3d_device *device, s3d_next *next, uint32_t context_count) {
    pthread_mutex_lock(&device->objects_lock);
    s3d_error error = next->count == context_count && is_current(device, next) ? S3D_OK : S3D_CHANGED;
    if (error == S3D_OK && !make_objects(device, next)) error = S3D_REFUSED;
    pthread_mutex_unlock(&device->objects_lock);
    if (error != S3D_OK) return error;
    /* Before anything plays there. */
    const bool is_silenced = device->is_loopback || next->is_stand_in || !device->api.pause_device;
    if (!is_silenced && atomic_load(&device->is_suspended)) device->api.pause_device(next->alc);

    for (uint32_t index = 0; index < next->count; index += 1) {
        s3d_context *context = next->contexts[index].of;
        ALCcontext *old = context->alc;
        if (context->hints) {
            const s3d_scope scope = s3d_enter(context);
            /* Does not return while a call back runs. */
            context->api->event_callback(NULL, NULL);
            s3d_leave(scope);
        }
        /* They go with the old context. */
        context->filter = 0;
        context->effect = 0;
        atomic_store(&context->alc, next->contexts[index].alc);
        const s3d_scope scope = s3d_enter(context);
        s3d_let_sources_stay(device);
        if (context->hints) s3d_hear_events(context, context->hints);
        s3d_leave(scope);
        next->contexts[index].alc = old;
    }
    ALCdevice *old = device->alc;
    const bool was_stand_in = atomic_load(&device->is_stand_in);
    const int64_t passed = atomic_load(&device->clock_base) + clock_of(device, old);
    atomic_store(&device->clock_base, passed - clock_of(device, next->alc));
    atomic_store(&device->alc, next->alc);
    atomic_store(&device->can_render, next->count > 0);
    s3d_begin_reverb_change(device);
    s3d_end_reverb_change(device);
    atomic_store(&device->is_stand_in, next->is_stand_in);
    next->alc = old;
    next->is_stand_in = was_stand_in;
    return S3D_OK;
}

void s3d_device_resume_after_swap(s3d_device *device, bool keeps_time) {
    s3d_device_keep_time(device, keeps_time);
    if (atomic_load(&device->is_stand_in) || device->is_loopback || !device->api.pause_device) return;
    /* A device that is gone is let be. */
    if (!s3d_device_mixes(device)) return;
    if (atomic_load(&device->is_suspended)) device->api.pause_device(device->alc);
    else device->api.resume_device(device->alc);
}

void s3d_device_keep_time(s3d_device *device, bool keeps_time) {
    if (!atomic_load(&device->is_stand_in)) return;
    if (!keeps_time) s3d_pump_stop(device);
    else if (!device->pump) s3d_pump_start(device);
}

bool s3d_device_is_stand_in(s3d_device *device) {
    return atomic_load(&device->is_stand_in);
}

s3d_error s3d_device_reopen(s3d_device *device, const char *name) {
    if (!device->has_reopening || atomic_load(&device->is_stand_in)) return S3D_NOT_IN_LIBRARY;
    /* OpenAL Soft 1.25 crashes where one that is gone is reset. */
    if (!s3d_device_is_connected(device)) return S3D_NOT_IN_LIBRARY;
    s3d_output granted;
    s3d_device_read_output(device, &granted);
    pthread_mutex_lock(&device->objects_lock);
    s3d_settings settings = device->settings;
    if (device->contexts) settings = s3d_repeat_settings(settings, &granted, false);
    pthread_mutex_unlock(&device->objects_lock);
    ALCint attributes[S3D_MAX_ATTRIBUTES];
    s3d_write_attributes(device, false, &settings, attributes);
    s3d_hold(device);
    pthread_mutex_lock(&device->settings_lock);
    const bool is_done = device->api.reopen_device(device->alc, name, attributes);
    const ALCenum error = is_done ? ALC_NO_ERROR : alcGetError(device->alc);
    pthread_mutex_unlock(&device->settings_lock);
    s3d_release();
    return is_done ? S3D_OK : error == ALC_NO_ERROR ? S3D_REFUSED : error;
}

void s3d_source_seek_exactly(s3d_context *context, s3d_source source, int64_t fixed_frame) {
    const s3d_scope scope = s3d_enter(context);
    if (context->api->set_source_double)
        context->api->set_source_double(source.id, AL_SAMPLE_OFFSET, (double)fixed_frame / 4294967296.0);
    else alSourcei(source.id, AL_SAMPLE_OFFSET, (ALint)(fixed_frame >> 32));
    s3d_leave(scope);
}

void s3d_source_set_gain(s3d_context *context, s3d_source source, float gain) {
    const s3d_scope scope = s3d_enter(context);
    alSourcef(source.id, AL_GAIN, gain);
    s3d_leave(scope);
}
