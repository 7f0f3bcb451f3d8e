#include <stdlib.h>

#include "../internal.h"

/* How much time the thread mixes at once. */
enum { STEPS_PER_SECOND = 100, MAX_FRAMES = 192000 / STEPS_PER_SECOND, SECOND = 1000000000 };

/* A thread that mixes a placeholder at the pace of the system's clock, and discards the mix. */
struct s3d_placeholder_clock {
    s3d_device *device;
    s3d_semaphore *end;
    s3d_semaphore *ended;
    float mix[MAX_FRAMES]; /* one channel */
};

/* Mixes one step, unless the device is suspended; returns how many nanoseconds the step takes. */
static int64_t mix_step(struct s3d_placeholder_clock *clock) {
    s3d_device *device = clock->device;
    const int64_t step = SECOND / STEPS_PER_SECOND;
    if (!atomic_load(&device->can_render) || atomic_load(&device->is_suspended)) return step;
    /* No shared lock: the thread that replaces the device waits for this thread to end. */
    S3D_GUARD(s3d_end_guarded_call) const bool is_calling = s3d_try_begin_call();
    if (!is_calling) return step;
    /* A new context restarts a placeholder, the first one at a rate of its own. */
    S3D_LOCK(&device->settings_lock);
    const int32_t rate = atomic_load(&device->sample_rate);
    const ALCsizei frames = rate < MAX_FRAMES * STEPS_PER_SECOND ? rate / STEPS_PER_SECOND : MAX_FRAMES;
    if (frames <= 0) return step;
    s3d_mix(device, clock->mix, 0, (size_t)frames);
    return (int64_t)frames * SECOND / rate;
}

static void run(void *argument) {
    struct s3d_placeholder_clock *clock = argument;
    int64_t next = s3d_monotonic_time();
    for (;;) {
        const int64_t now = s3d_monotonic_time();
        if (now < next) {
            if (s3d_semaphore_wait(clock->end, next - now)) break;
            continue;
        }
        /* After the machine slept, the mix goes on from where it was. */
        if (now - next > SECOND) next = now;
        next += mix_step(clock);
    }
    s3d_semaphore_signal(clock->ended);
}

static void destroy(struct s3d_placeholder_clock *clock) {
    if (clock->end) s3d_semaphore_destroy(clock->end);
    if (clock->ended) s3d_semaphore_destroy(clock->ended);
    free(clock);
}

bool s3d_placeholder_clock_start(s3d_device *device) {
    struct s3d_placeholder_clock *made = calloc(1, sizeof *made);
    if (!made) return false;
    *made = (struct s3d_placeholder_clock) {
        .device = device,
        .end = s3d_semaphore_create(),
        .ended = s3d_semaphore_create(),
    };
    device->placeholder_clock = made;
    if (made->end && made->ended && s3d_thread_start(run, made)) return true;
    device->placeholder_clock = NULL;
    destroy(made);
    return false;
}

void s3d_placeholder_clock_stop(s3d_device *device) {
    struct s3d_placeholder_clock *clock = device->placeholder_clock;
    if (!clock) return;
    device->placeholder_clock = NULL;
    s3d_semaphore_signal(clock->end);
    s3d_semaphore_wait(clock->ended, -1);
    destroy(clock);
}
