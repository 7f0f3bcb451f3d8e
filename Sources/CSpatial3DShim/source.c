/* Playback, positions and queues of sources; scene.c sets their values, such as positions and gains. */

#include "scope.h"

s3d_error s3d_source_create(s3d_context *context, s3d_buffer buffer, s3d_source *out) {
    if (s3d_creation_fails(context)) return AL_OUT_OF_MEMORY;
    S3D_ENTER(context);
    ALuint id = 0;
    alGetError();
    alGenSources(1, &id);
    if (!id) return s3d_reason();
    alSourcei(id, AL_BUFFER, (ALint)buffer.id);
    ALint taken = 0;
    alGetSourcei(id, AL_BUFFER, &taken);
    s3d_error error = S3D_OK;
    if ((ALuint)taken != buffer.id) error = s3d_reason();
    else if (!s3d_register_source(context, id, buffer.id)) error = AL_OUT_OF_MEMORY;
    if (error == S3D_OK) out->id = id;
    else alDeleteSources(1, &id);
    return error;
}

void s3d_source_destroy(s3d_context *context, s3d_source source) {
    if (s3d_device_is_inherited(context->device)) return;
    S3D_ENTER(context);
    s3d_unregister_source(context, source.id);
    alSourceStop(source.id);
    alSourcei(source.id, AL_BUFFER, 0);
    alDeleteSources(1, &source.id);
}

void s3d_sources_perform(s3d_context *context, s3d_verb verb, const uint32_t *ids, int32_t count) {
    S3D_ENTER(context);
    switch (verb) {
    case S3D_PLAY: alSourcePlayv(count, ids); break;
    case S3D_PAUSE: alSourcePausev(count, ids); break;
    case S3D_STOP: alSourceStopv(count, ids); break;
    case S3D_REWIND: alSourceRewindv(count, ids); break;
    }
}

bool s3d_context_can_delay(s3d_context *context) {
    /* The library starts sources by its clock. */
    return context->api->play_at_time && context->api->get_integer64;
}

void s3d_sources_play_at(s3d_context *context, const uint32_t *ids, int32_t count, int64_t nanoseconds) {
    S3D_ENTER(context);
    /* A time that passed during a replacement may precede the clock of the new device, which refuses a negative
       time. */
    const int64_t time = nanoseconds - atomic_load(&context->device->clock_base);
    context->api->play_at_time(count, ids, time > 0 ? time : 0);
}

static s3d_state state_of(ALint state) {
    switch (state) {
    case AL_PLAYING: return S3D_PLAYING;
    case AL_PAUSED: return S3D_PAUSED;
    case AL_STOPPED: return S3D_STOPPED;
    default: return S3D_INITIAL;
    }
}

/* Reads a number of a source, or returns the default where the library does not write one. */
static ALint read_number(s3d_context *context, s3d_source source, ALenum name, ALint number) {
    if (context->api->source_f_direct) {
        S3D_LOCK_SHARED(context->device);
        context->api->get_source_i_direct(context->alc, source.id, name, &number);
    } else {
        S3D_ENTER(context);
        alGetSourcei(source.id, name, &number);
    }
    return number;
}

s3d_state s3d_source_state(s3d_context *context, s3d_source source) {
    return state_of(read_number(context, source, AL_SOURCE_STATE, AL_INITIAL));
}

void s3d_sources_read_states(s3d_context *context, const uint32_t *ids, int32_t count, uint8_t *states) {
    S3D_ENTER(context);
    for (int32_t index = 0; index < count; index += 1) {
        ALint state = AL_INITIAL;
        alGetSourcei(ids[index], AL_SOURCE_STATE, &state);
        states[index] = (uint8_t)state_of(state);
    }
}

int32_t s3d_source_frame(s3d_context *context, s3d_source source) {
    return read_number(context, source, AL_SAMPLE_OFFSET, 0);
}

void s3d_source_seek(s3d_context *context, s3d_source source, double frame) {
    /* The library converts a double to a single-precision number, which holds 24 bits: only whole frames are exact
       beyond. */
    ALint whole = (ALint)frame;
    bool has_part = frame != whole && frame < 1 << 24;
    S3D_ENTER(context);
    if (has_part && context->api->set_source_double) context->api->set_source_double(source.id, AL_SAMPLE_OFFSET, frame);
    else alSourcei(source.id, AL_SAMPLE_OFFSET, whole);
}

s3d_error s3d_source_queue(s3d_context *context, s3d_source source, const uint32_t *buffers, int32_t count) {
    ALint before = 0, after = 0;
    if (!s3d_reserve_queue(context, source.id, count)) return AL_OUT_OF_MEMORY;
    S3D_ENTER(context);
    alGetError();
    alGetSourcei(source.id, AL_BUFFERS_QUEUED, &before);
    alSourceQueueBuffers(source.id, count, buffers);
    alGetSourcei(source.id, AL_BUFFERS_QUEUED, &after);
    if (after != before + count) return s3d_reason();
    s3d_register_queued(context, source.id, buffers, count);
    return S3D_OK;
}

void s3d_source_unqueue(s3d_context *context, s3d_source source, int32_t count) {
    S3D_ENTER(context);
    for (int32_t index = 0; index < count; index += 1) {
        ALuint id = 0;
        alSourceUnqueueBuffers(source.id, 1, &id);
        if (id) s3d_unregister_queued(context, source.id, 1);
    }
}

void s3d_source_clear_queue(s3d_context *context, s3d_source source) {
    S3D_ENTER(context);
    alSourceRewind(source.id);
    alSourcei(source.id, AL_BUFFER, 0);
    s3d_unregister_queued(context, source.id, UINT32_MAX);
}

void s3d_source_set_buffers(s3d_context *context, s3d_source source, const uint32_t *buffers, int32_t count, bool is_queue) {
    s3d_unregister_queued(context, source.id, UINT32_MAX);
    context->sources[source.id].has_queue = is_queue;
    if (s3d_reserve_queue(context, source.id, count)) s3d_register_queued(context, source.id, buffers, count);
    S3D_ENTER(context);
    alSourcei(source.id, AL_BUFFER, 0);
    if (is_queue) alSourceQueueBuffers(source.id, count, buffers);
    else alSourcei(source.id, AL_BUFFER, (ALint)buffers[0]);
}

void s3d_source_copy_buffers(s3d_context *context, s3d_source from, s3d_source to) {
    const s3d_source_record record = context->sources[from.id];
    if (record.has_queue || record.count > 0)
        s3d_source_set_buffers(context, to, record.buffers, (int32_t)record.count, record.has_queue);
}

void s3d_source_restart(s3d_context *context, s3d_source source, float frame) {
    S3D_ENTER(context);
    alSourceRewind(source.id);
    alSourcef(source.id, AL_SAMPLE_OFFSET, frame);
    alSourcePlay(source.id);
}

int32_t s3d_source_processed(s3d_context *context, s3d_source source) {
    return read_number(context, source, AL_BUFFERS_PROCESSED, 0);
}
