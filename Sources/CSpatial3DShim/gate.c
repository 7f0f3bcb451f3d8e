#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/membarrier.h>
#include <sys/syscall.h>
#endif

#include "gate.h"

_Thread_local s3d_visitor *s3d_this_visitor = NULL;
atomic_bool s3d_visitors_need_fence = true;

/* How often a swap looks whether all have gone before it sleeps in between. */
enum { SHORT_WAIT = 1000 };

/* All that there were. None is freed: a thread that ends leaves its own to the next. */
static s3d_visitor *_Atomic visitors = NULL;
static pthread_key_t visitor_key;
static bool has_key = false;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool fence_others(void) {
#ifdef __linux__
    return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0) == 0;
#else
    return false;
#endif
}

static bool can_fence_others(void) {
#ifdef __linux__
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0) == 0 && fence_others();
#else
    return false;
#endif
}

static void go(void *visitor) {
    s3d_this_visitor = NULL;
    atomic_store(&((s3d_visitor *)visitor)->is_taken, false);
}

void s3d_forget_other_visitors(void) {
    for (s3d_visitor *visitor = atomic_load(&visitors); visitor; visitor = visitor->next) {
        if (visitor == s3d_this_visitor) continue;
        atomic_store(&visitor->device, NULL);
        atomic_store(&visitor->is_calling, false);
    }
}

static bool is_without_barrier = false;

static void prepare(void) {
    atomic_store(&s3d_visitors_need_fence, is_without_barrier || !can_fence_others());
    /* Without a key, threads that end leave theirs to nobody. */
    has_key = pthread_key_create(&visitor_key, go) == 0;
}

void s3d_force_no_barrier(void) {
    is_without_barrier = true;
}

s3d_visitor *s3d_become_visitor(void) {
    pthread_once(&once, prepare);
    s3d_visitor *visitor = atomic_load(&visitors);
    while (visitor && atomic_exchange(&visitor->is_taken, true)) visitor = visitor->next;
    if (!visitor) {
        visitor = calloc(1, sizeof *visitor);
        /* As Swift does where there is no memory for an object. */
        if (!visitor) abort();
        atomic_init(&visitor->is_taken, true);
        visitor->next = atomic_load(&visitors);
        while (!atomic_compare_exchange_weak(&visitors, &visitor->next, visitor)) {}
    }
    visitor->holds = 0;
    visitor->calls = 0;
    s3d_this_visitor = visitor;
    if (has_key) pthread_setspecific(visitor_key, visitor);
    return visitor;
}

void s3d_wait_at_gate(s3d_visitor *visitor, s3d_device *device) {
    s3d_gate *gate = &device->gate;
    const uintptr_t here = s3d_this_thread();
    do {
        if (atomic_load(&gate->owner) == here || atomic_load(&s3d_exiting_thread) == here) return;
        atomic_store(&visitor->device, NULL);
        if (s3d_exits_elsewhere()) s3d_stay_outside();
        /* For as long as the swap takes. */
        pthread_mutex_lock(&gate->lock);
        pthread_mutex_unlock(&gate->lock);
        atomic_store(&visitor->device, device);
    } while (atomic_load(&gate->is_closed));
}

bool s3d_try_begin_call(void) {
    s3d_visitor *visitor = s3d_visitor_here();
    if (visitor->calls++ > 0) return true;
    atomic_store_explicit(&visitor->is_calling, true, memory_order_relaxed);
    s3d_fence_visitor();
    if (!s3d_exits_elsewhere()) return true;
    s3d_end_call();
    return false;
}

void s3d_begin_call(void) {
    if (!s3d_try_begin_call()) s3d_stay_outside();
}

void s3d_end_call(void) {
    s3d_visitor *visitor = s3d_this_visitor;
    visitor->calls -= 1;
    if (visitor->calls == 0) atomic_store_explicit(&visitor->is_calling, false, memory_order_release);
}

void s3d_fence_visitors(void) {
    pthread_once(&once, prepare);
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load(&s3d_visitors_need_fence) || fence_others()) return;
    /* Forbidden since. Who comes next fences, and what the others stored is seen in a moment. */
    atomic_store(&s3d_visitors_need_fence, true);
    const struct timespec moment = { .tv_nsec = 1000000 };
    nanosleep(&moment, NULL);
}

bool s3d_has_visitors(const s3d_device *device) {
    for (s3d_visitor *visitor = atomic_load(&visitors); visitor; visitor = visitor->next) {
        if (visitor == s3d_this_visitor) continue;
        const s3d_device *visited = atomic_load(&visitor->device);
        if (device ? visited == device : visited || atomic_load(&visitor->is_calling)) return true;
    }
    return false;
}

static void pause_output(s3d_device *device) {
    if (atomic_load(&device->is_stand_in) || device->is_loopback || !device->api.pause_device) return;
    if (s3d_device_mixes(device)) device->api.pause_device(device->alc);
}

void s3d_device_stop_time(s3d_device *device) {
    s3d_hold(device);
    pause_output(device);
    s3d_release();
}

void s3d_close_gate(s3d_device *device) {
    pthread_mutex_lock(&device->gate.lock);
    /* Who exits waits until the gate is open again. */
    s3d_begin_call();
    atomic_store(&device->gate.owner, s3d_this_thread());
    atomic_store(&device->gate.is_closed, true);
    s3d_fence_visitors();
    /* Those who hold it need no lock that this thread has, and go on in a moment, or when a server answers. */
    const struct timespec moment = { .tv_nsec = 50000 };
    for (int looks = 0; s3d_has_visitors(device); looks += 1)
        if (looks < SHORT_WAIT) sched_yield();
        else nanosleep(&moment, NULL);
}

void s3d_device_begin_swap(s3d_device *device) {
    s3d_close_gate(device);
    /* What is read of sources now is where they go on. */
    s3d_pump_stop(device);
    pause_output(device);
}

void s3d_device_end_swap(s3d_device *device) {
    s3d_open_gate(device);
}

void s3d_open_gate(s3d_device *device) {
    s3d_gate *gate = &device->gate;
    atomic_store(&gate->is_closed, false);
    /* For good: who exits may have closed it before, and if not, does so now. */
    if (atomic_load(&s3d_exiting_thread) != 0) atomic_store(&gate->is_closed, true);
    atomic_store(&gate->owner, 0);
    pthread_mutex_unlock(&gate->lock);
    s3d_end_call();
}
