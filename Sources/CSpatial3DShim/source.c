#include "scope.h"

s3d_error s3d_source_create(s3d_context *context, s3d_buffer buffer, s3d_source *out) {
    if (s3d_creation_fails(context)) return AL_OUT_OF_MEMORY;
    s3d_error error = S3D_OK;
    const s3d_scope scope = s3d_enter(context);
    ALuint id = 0;
    alGetError();
    alGenSources(1, &id);
    if (!id) {
        error = s3d_reason();
    } else {
        alSourcei(id, AL_BUFFER, (ALint)buffer.id);
        ALint taken = 0;
        alGetSourcei(id, AL_BUFFER, &taken);
        if ((ALuint)taken == buffer.id) {
            out->id = id;
        } else {
            error = s3d_reason();
            alDeleteSources(1, &id);
        }
    }
    s3d_leave(scope);
    return error;
}

void s3d_source_destroy(s3d_context *context, s3d_source source) {
    const s3d_scope scope = s3d_enter(context);
    alSourceStop(source.id);
    alSourcei(source.id, AL_BUFFER, 0);
    alDeleteSources(1, &source.id);
    s3d_leave(scope);
}

void s3d_source_play(s3d_context *context, s3d_source source) {
    const s3d_scope scope = s3d_enter(context);
    alSourcePlay(source.id);
    s3d_leave(scope);
}

void s3d_source_pause(s3d_context *context, s3d_source source) {
    const s3d_scope scope = s3d_enter(context);
    alSourcePause(source.id);
    s3d_leave(scope);
}

void s3d_source_stop(s3d_context *context, s3d_source source) {
    const s3d_scope scope = s3d_enter(context);
    alSourceStop(source.id);
    s3d_leave(scope);
}

void s3d_source_rewind(s3d_context *context, s3d_source source) {
    const s3d_scope scope = s3d_enter(context);
    alSourceRewind(source.id);
    s3d_leave(scope);
}

s3d_state s3d_source_state(s3d_context *context, s3d_source source) {
    ALint state = AL_INITIAL;
    const s3d_scope scope = s3d_enter(context);
    alGetSourcei(source.id, AL_SOURCE_STATE, &state);
    s3d_leave(scope);
    switch (state) {
    case AL_PLAYING: return S3D_PLAYING;
    case AL_PAUSED: return S3D_PAUSED;
    case AL_STOPPED: return S3D_STOPPED;
    default: return S3D_INITIAL;
    }
}
