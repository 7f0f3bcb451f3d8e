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

/* All that there were. None is freed: a thread that ends leaves its own to the next. */
static s3d_visitor *_Atomic visitors = NULL;
static pthread_key_t visitor_key;
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

/* A child has this thread alone, whatever the others were at. */
static void forget_others(void) {
    for (s3d_visitor *visitor = atomic_load(&visitors); visitor; visitor = visitor->next)
        if (visitor != s3d_this_visitor) atomic_store(&visitor->device, NULL);
}

static void prepare(void) {
    atomic_store(&s3d_visitors_need_fence, !can_fence_others());
    pthread_key_create(&visitor_key, go);
    pthread_atfork(NULL, NULL, forget_others);
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
    visitor->depth = 0;
    s3d_this_visitor = visitor;
    pthread_setspecific(visitor_key, visitor);
    return visitor;
}

void s3d_wait_at_gate(s3d_visitor *visitor, s3d_device *device) {
    s3d_gate *gate = &device->gate;
    if (atomic_load(&gate->owner) == s3d_this_thread()) return;
    atomic_store(&visitor->device, NULL);
    pthread_mutex_lock(&gate->lock);
    /* Who closes it next has the lock first, and sees this. */
    atomic_store(&visitor->device, device);
    pthread_mutex_unlock(&gate->lock);
}

void s3d_close_gate(s3d_gate *gate) {
    atomic_store(&gate->owner, s3d_this_thread());
    atomic_store(&gate->is_closed, true);
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
        const s3d_device *visited = atomic_load(&visitor->device);
        if (visited && visitor != s3d_this_visitor && (!device || visited == device)) return true;
    }
    return false;
}

void s3d_device_begin_swap(s3d_device *device) {
    pthread_mutex_lock(&device->gate.lock);
    s3d_close_gate(&device->gate);
    s3d_fence_visitors();
    /* Those who hold it need no lock that this thread has, and go on. */
    while (s3d_has_visitors(device)) sched_yield();
    /* What is read of sources now is where they go on. */
    if (atomic_load(&device->is_stand_in)) s3d_pump_stop(device);
    else if (!device->is_loopback && device->api.pause_device && s3d_device_is_connected(device))
        device->api.pause_device(device->alc);
}

void s3d_device_end_swap(s3d_device *device) {
    s3d_gate *gate = &device->gate;
    atomic_store(&gate->is_closed, false);
    atomic_store(&gate->owner, 0);
    pthread_mutex_unlock(&gate->lock);
}
