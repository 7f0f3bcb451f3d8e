/*
 * Who calls the library for a device, and how they are kept away: while what they call is swapped for another, and for good
 * when the process exits.
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
    uint32_t depth;             /* of its own holds */
    atomic_bool is_taken;       /* by a thread that lives */
    s3d_visitor *next;
};

extern _Thread_local s3d_visitor *s3d_this_visitor;
extern atomic_bool s3d_visitors_need_fence;

s3d_visitor *s3d_become_visitor(void);
void s3d_wait_at_gate(s3d_visitor *visitor, s3d_device *device);

/* Nothing that a call of the library needs goes before the release. May be nested, on one device. */
static inline void s3d_hold(s3d_device *device) {
    s3d_visitor *visitor = s3d_this_visitor;
    if (!visitor) visitor = s3d_become_visitor();
    if (visitor->depth++ > 0) return;
    atomic_store_explicit(&visitor->device, device, memory_order_relaxed);
    /* Either this sees the gate closed, or who closes it sees this. */
    if (atomic_load_explicit(&s3d_visitors_need_fence, memory_order_relaxed)) atomic_thread_fence(memory_order_seq_cst);
    else atomic_signal_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&device->gate.is_closed, memory_order_acquire)) s3d_wait_at_gate(visitor, device);
}

static inline void s3d_release(void) {
    s3d_visitor *visitor = s3d_this_visitor;
    visitor->depth -= 1;
    if (visitor->depth == 0) atomic_store_explicit(&visitor->device, NULL, memory_order_release);
}

/* For who has the gate's lock. Whoever comes from now on sees it closed, or is seen after a fence of visitors. */
void s3d_close_gate(s3d_gate *gate);
void s3d_fence_visitors(void);
/* Whether threads other than this one call the library for a device, or with NULL for any. */
bool s3d_has_visitors(const s3d_device *device);

#endif
