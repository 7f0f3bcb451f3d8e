/*
 * The current context, for the length of one call.
 *
 * OpenAL has one current context a process, and one more a thread where ALC_EXT_thread_local_context is present. A
 * scope makes a context current on its own thread and puts back what was there, so that several contexts work side by
 * side and none is left behind. Without the extension scopes take turns.
 */
#ifndef SPATIAL3D_SHIM_SCOPE_H
#define SPATIAL3D_SHIM_SCOPE_H

#include <pthread.h>

#include "reader_lock.h"

typedef struct s3d_scope {
    const s3d_api *api;
    ALCcontext *previous;
} s3d_scope;

/* Taken by every scope of a process without thread-local contexts. */
extern pthread_mutex_t s3d_process_context_lock;

/* Makes a context of the library current, which must be valid. */
static inline s3d_scope s3d_enter_library(const s3d_api *api, ALCcontext *alc) {
    s3d_scope scope = { .api = api };
    if (api->set_thread_context) {
        scope.previous = api->get_thread_context();
        api->set_thread_context(alc);
    } else {
        pthread_mutex_lock(&s3d_process_context_lock);
        scope.previous = alcGetCurrentContext();
        alcMakeContextCurrent(alc);
    }
    return scope;
}

static inline void s3d_leave_library(const s3d_scope *scope) {
    if (scope->api->set_thread_context) {
        scope->api->set_thread_context(scope->previous);
    } else {
        alcMakeContextCurrent(scope->previous);
        pthread_mutex_unlock(&s3d_process_context_lock);
    }
}
#define S3D_ENTER_LIBRARY(api, alc) S3D_GUARD(s3d_leave_library) const s3d_scope s3d_entered = s3d_enter_library(api, alc)

/* Makes a context current, and takes the shared lock of its device. */
static inline s3d_scope s3d_enter(const s3d_context *context) {
    s3d_lock_shared(context->device);
    return s3d_enter_library(context->api, atomic_load_explicit(&context->alc, memory_order_relaxed));
}

static inline void s3d_leave(const s3d_scope *scope) {
    s3d_leave_library(scope);
    s3d_unlock_shared();
}
#define S3D_ENTER(context) S3D_GUARD(s3d_leave) const s3d_scope s3d_entered = s3d_enter(context)

/*
 * The error of a creation that failed, read on the thread that tried.
 *
 * The created object shows whether a creation succeeded, and never this error: OpenAL Soft 1.19.1 keeps one error a
 * context, which another thread may have set or read.
 */
static inline s3d_error s3d_reason(void) {
    const ALenum error = alGetError();
    return error == AL_NO_ERROR ? S3D_REFUSED : error;
}

#endif
