/*
 * Counts the heap allocations of each thread: replaces the C library's allocator in the programs that link this module.
 */
#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdint.h>

/* How many blocks the calling thread has asked for so far, by whichever function. */
int64_t allocations_of_thread(void);

/* The bytes of all blocks that are in use. */
int64_t bytes_in_use(void);

#endif
