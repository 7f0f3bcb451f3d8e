#include <stdlib.h>

#include "internal.h"

/* How much time goes on at once. */
enum { STEPS_PER_SECOND = 100, MAX_FRAMES = 192000 / STEPS_PER_SECOND, SECOND = 1000000000 };

/* Mixes for nobody, as fast as time goes. */
struct s3d_pump {
    s3d_device *device;
    s3d_bell *end;
    s3d_bell *ended;
    float mix[MAX_FRAMES]; /* one channel */
};

static void pump(void *argument) {
    struct s3d_pump *pump = argument;
    s3d_device *device = pump->device;
    int64_t next = s3d_monotonic_time();
    for (;;) {
        const int64_t now = s3d_monotonic_time();
        if (now < next) {
            if (s3d_bell_wait(pump->end, next - now)) break;
            continue;
        }
        /* A machine that slept goes on where it was. */
        if (now - next > SECOND) next = now;
        int64_t step = SECOND / STEPS_PER_SECOND;
        /* No hold: who swaps waits for the pump. */
        if (atomic_load(&device->can_render) && !atomic_load(&device->is_suspended) && s3d_try_begin_call()) {
            /* A context that comes to a stand-in starts it anew, the first at a rate of its own. */
            pthread_mutex_lock(&device->settings_lock);
            ALCint rate = 0;
            alcGetIntegerv(device->alc, ALC_FREQUENCY, 1, &rate);
            const ALCsizei frames = rate < MAX_FRAMES * STEPS_PER_SECOND ? rate / STEPS_PER_SECOND : MAX_FRAMES;
            if (frames > 0) {
                s3d_mix(device, pump->mix, 0, (size_t)frames);
                step = (int64_t)frames * SECOND / rate;
            }
            pthread_mutex_unlock(&device->settings_lock);
            s3d_end_call();
        }
        next += step;
    }
    s3d_bell_ring(pump->ended);
}

static void destroy(struct s3d_pump *pump) {
    if (pump->end) s3d_bell_destroy(pump->end);
    if (pump->ended) s3d_bell_destroy(pump->ended);
    free(pump);
}

bool s3d_pump_start(s3d_device *device) {
    struct s3d_pump *made = calloc(1, sizeof *made);
    if (!made) return false;
    *made = (struct s3d_pump) { .device = device, .end = s3d_bell_create(), .ended = s3d_bell_create() };
    device->pump = made;
    if (made->end && made->ended && s3d_thread_start(pump, made)) return true;
    device->pump = NULL;
    destroy(made);
    return false;
}

void s3d_pump_stop(s3d_device *device) {
    struct s3d_pump *pump = device->pump;
    if (!pump) return;
    device->pump = NULL;
    s3d_bell_ring(pump->end);
    s3d_bell_wait(pump->ended, -1);
    destroy(pump);
}
