/*
 * Who calls the library, and how they are kept away: from a device while what it stands for is swapped for another, and from all
 * for good when the process exits (exit.c).
 *
 * A thread notes in a place of its own which device it calls for, and looks whether the gate is closed. Who closes it has all
 * threads see that, by a barrier on all of them, and waits for those that were faster. So holding costs no atomic step, unless
 * the system has no such barrier.
 */
#ifndef SPATIAL3D_SHIM_GATE_H
#define SPATIAL3D_SHIM_GATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "internal.h"

/* A thread that calls the library. */
struct s3d_visitor {
    s3d_device *_Atomic device; /* that it calls it for; NULL while it does not */
    atomic_bool is_calling;     /* without a device */
    uint32_t holds;             /* of its own, one in the other */
    uint32_t calls;             /* the same of calls without a device */
    atomic_bool is_taken;       /* by a thread that lives */
    s3d_visitor *next;
};

extern _Thread_local s3d_visitor *s3d_this_visitor;
extern atomic_bool s3d_visitors_need_fence;
/* The thread that ends the process; 0 before. */
extern atomic_uintptr_t s3d_exiting_thread;

s3d_visitor *s3d_become_visitor(void);
void s3d_wait_at_gate(s3d_visitor *visitor, s3d_device *device);

static inline s3d_visitor *s3d_visitor_here(void) {
    return s3d_this_visitor ? s3d_this_visitor : s3d_become_visitor();
}

/* Between what a visitor notes and its look at what is closed: either this sees that, or who closes it sees this. */
static inline void s3d_fence_visitor(void) {
    if (atomic_load_explicit(&s3d_visitors_need_fence, memory_order_relaxed)) atomic_thread_fence(memory_order_seq_cst);
    else atomic_signal_fence(memory_order_seq_cst);
}

/* Nothing that a call of the library needs goes before the release. Holds of one device may be nested; of two they may not. */
static inline void s3d_hold(s3d_device *device) {
    s3d_visitor *visitor = s3d_visitor_here();
    if (visitor->holds++ > 0) return;
    atomic_store_explicit(&visitor->device, device, memory_order_relaxed);
    s3d_fence_visitor();
    if (atomic_load_explicit(&device->gate.is_closed, memory_order_acquire)) s3d_wait_at_gate(visitor, device);
}

static inline void s3d_release(void) {
    s3d_visitor *visitor = s3d_this_visitor;
    visitor->holds -= 1;
    if (visitor->holds == 0) atomic_store_explicit(&visitor->device, NULL, memory_order_release);
}

/* Keeps every other thread from calling the library for a device, and waits for those that do. The caller holds no device. */
void s3d_close_gate(s3d_device *device);
void s3d_open_gate(s3d_device *device);
/* Whoever comes after what was closed before sees that, or is seen from now on. */
void s3d_fence_visitors(void);
/* Whether threads other than this one call the library for a device, or with NULL at all. */
bool s3d_has_visitors(const s3d_device *device);
/* In a child, which has none of its parent's other threads. */
void s3d_forget_other_visitors(void);

/* Whether another thread ends the process. */
bool s3d_exits_elsewhere(void);
/* Does not return. */
_Noreturn void s3d_stay_outside(void);

#endif
