#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <time.h>

#include "scope.h"

/* AL_SOFT_events and AL_SOFTX_events: the same calls, other numbers. Public headers of 1.19.1 lack both. */
enum {
    BUFFER_COMPLETED = 0x19A4,
    SOURCE_STATE = 0x19A5,
    DISCONNECTED = 0x19A6,
    BUFFER_COMPLETED_X = 0x1222,
    SOURCE_STATE_X = 0x1223,
    DISCONNECTED_X = 0x1227,
};

/* AL_SOFTX_hold_on_disconnect, which old headers lack. */
enum { STOP_SOURCES_ON_DISCONNECT = 0x19AB };

bool s3d_keep_sources_on_disconnect(const s3d_device *device) {
    if (device->disabled.hold_on_disconnect || !alIsExtensionPresent("AL_SOFTX_hold_on_disconnect")) return false;
    alDisable(STOP_SOURCES_ON_DISCONNECT);
    return true;
}

/* A ring buffer of source names: the library's event thread writes, one other thread reads. */
enum { HINT_CAPACITY = 4096 };

struct s3d_hints {
    s3d_semaphore *semaphore;
    atomic_bool wanted;
    atomic_bool lost;
    atomic_bool disconnected;
    atomic_uint written;
    atomic_uint taken;
    uint32_t ids[HINT_CAPACITY];
};

/*
 * OpenAL Soft 1.25 wakes its event thread with the news of a disconnection, and then writes the events of all changes
 * that no mix has applied: thousands, after a server has hung. A thread that has read all events by then sleeps with a
 * full queue, and alcDestroyContext waits for room in the queue without an end. The pause lets the thread read those
 * events: 40 ms are far more than the writing takes.
 */
static void await_events_of_disconnection(void) {
    const struct timespec pause = { .tv_nsec = 40000000 };
    nanosleep(&pause, NULL);
}

/*
 * Runs on the library's event thread, which may hold the library's locks: it must not call the library, and takes no
 * lock.
 */
static void AL_APIENTRY
note_event(ALenum type, ALuint object, ALuint param, ALsizei length, const ALchar *message, void *user) {
    (void)length;
    (void)message;
    struct s3d_hints *hints = user;
    switch (type) {
    case DISCONNECTED:
    case DISCONNECTED_X:
        /* Before the signal: a migration, with the locks of all contexts, would wait for this function. */
        await_events_of_disconnection();
        atomic_store(&hints->disconnected, true);
        s3d_semaphore_signal(hints->semaphore);
        return;
    case SOURCE_STATE:
    case SOURCE_STATE_X:
        if (param != AL_STOPPED) return;
        break;
    case BUFFER_COMPLETED:
    case BUFFER_COMPLETED_X:
        break;
    default:
        return;
    }
    if (!atomic_load(&hints->wanted)) return;
    const unsigned written = atomic_load_explicit(&hints->written, memory_order_relaxed);
    const unsigned taken = atomic_load_explicit(&hints->taken, memory_order_acquire);
    if (written - taken == HINT_CAPACITY) {
        atomic_store(&hints->lost, true);
    } else {
        hints->ids[written % HINT_CAPACITY] = object;
        atomic_store(&hints->written, written + 1);
        /*
         * The first of several unread names signals. This thread stores `written` and then loads `taken`; the reader
         * stores `taken` and then loads `written`. At least one of them sees the other's store, so no name stays
         * without a signal.
         */
        if (atomic_load(&hints->taken) == written) s3d_semaphore_signal(hints->semaphore);
    }
}

enum { EVENT_TYPES = 3 };

/* The types of events that the loaded library has; NULL for none. */
static const ALenum *event_types(void) {
    static const ALenum released[EVENT_TYPES] = { BUFFER_COMPLETED, SOURCE_STATE, DISCONNECTED };
    static const ALenum experimental[EVENT_TYPES] = { BUFFER_COMPLETED_X, SOURCE_STATE_X, DISCONNECTED_X };
    if (alIsExtensionPresent("AL_SOFT_events") == AL_TRUE) return released;
    return alIsExtensionPresent("AL_SOFTX_events") == AL_TRUE ? experimental : NULL;
}

bool s3d_enable_events(const s3d_context *context, struct s3d_hints *hints) {
    const ALenum *types = event_types();
    if (!types) return false;
    context->api->event_callback(note_event, hints);
    /* A test may drop all hints, as the library does when its queue overflows. */
    if (!context->device->disabled.hints) context->api->event_control(EVENT_TYPES, types, AL_TRUE);
    return true;
}

void s3d_disable_events(const s3d_context *context) {
    /* The library would write the events of a disconnection without the callback, which has the pause. */
    context->api->event_control(EVENT_TYPES, event_types(), AL_FALSE);
    /* Waits for a callback in progress. */
    context->api->event_callback(NULL, NULL);
}

bool s3d_context_subscribe(s3d_context *context, s3d_semaphore *semaphore) {
    if (!context->api->event_control || !context->api->event_callback) return false;
    struct s3d_hints *hints = calloc(1, sizeof *hints);
    if (!hints) return false;
    hints->semaphore = semaphore;
    S3D_ENTER(context);
    const bool is_present = s3d_enable_events(context, hints);
    if (is_present) context->hints = hints;
    else free(hints);
    return is_present;
}

void s3d_context_unsubscribe(s3d_context *context) {
    if (!context->hints) return;
    S3D_ENTER(context);
    s3d_disable_events(context);
    free(context->hints);
    context->hints = NULL;
}

void s3d_context_enable_hints(s3d_context *context, bool wanted) {
    if (context->hints) atomic_store(&context->hints->wanted, wanted);
}

int32_t s3d_context_take_hints(s3d_context *context, uint32_t *ids, int32_t capacity, bool *lost) {
    struct s3d_hints *hints = context->hints;
    *lost = false;
    if (!hints) return 0;
    *lost = atomic_exchange(&hints->lost, false);
    unsigned taken = atomic_load_explicit(&hints->taken, memory_order_relaxed);
    const unsigned written = atomic_load_explicit(&hints->written, memory_order_acquire);
    int32_t count = 0;
    while (taken != written && count < capacity) {
        ids[count++] = hints->ids[taken % HINT_CAPACITY];
        taken += 1;
    }
    if (taken != written) *lost = true;
    atomic_store(&hints->taken, written);
    /* The event thread did not signal a name that it wrote before `taken` changed. */
    if (atomic_load(&hints->written) != written) s3d_semaphore_signal(hints->semaphore);
    return count;
}

bool s3d_context_take_disconnection(s3d_context *context) {
    return context->hints && atomic_exchange(&context->hints->disconnected, false);
}

void s3d_device_force_unplugged(s3d_device *device, bool is_unplugged) {
    atomic_store(&device->is_unplugged, is_unplugged);
    if (!is_unplugged) return;
    S3D_LOCK(&device->objects_lock);
    for (s3d_context *context = device->contexts; context; context = context->next) {
        if (!context->hints) continue;
        atomic_store(&context->hints->disconnected, true);
        s3d_semaphore_signal(context->hints->semaphore);
    }
}

/*
 * Not AL_SAMPLE_OFFSET_LATENCY_SOFT: the library locks the context and then the device for it, and a context that is
 * created or a device that is reopened locks the device and then all its contexts, so that both would wait for each
 * other. The position comes with the clock of its mix instead, and s3d_context_read_latency with a clock of its own,
 * each under one lock.
 */
s3d_position s3d_source_read_position(s3d_context *context, s3d_source source) {
    s3d_position position = { .fixed_frame = 0, .clock = -1 };
    S3D_ENTER(context);
    const s3d_api *api = context->api;
    if (api->get_source_integer64 && api->get_integer64) {
        ALint64SOFT values[2] = { 0, -1 };
        api->get_source_integer64(source.id, S3D_SAMPLE_OFFSET_CLOCK, values);
        position.fixed_frame = values[0];
        if (values[1] >= 0) position.clock = values[1] + atomic_load(&context->device->clock_base);
    } else if (api->get_source_integer64 && api->get_source_double) {
        ALdouble frame = 0;
        api->get_source_double(source.id, AL_SAMPLE_OFFSET, &frame);
        position.fixed_frame = (int64_t)(frame * 4294967296.0);
    } else {
        ALint frame = 0;
        alGetSourcei(source.id, AL_SAMPLE_OFFSET, &frame);
        position.fixed_frame = (int64_t)frame << 32;
    }
    if (position.clock < 0) position.clock = s3d_device_time(context->device);
    return position;
}
