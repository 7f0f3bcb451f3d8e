#include "allocation_counter.h"

#include <errno.h>
#include <malloc.h>
#include <stddef.h>

/* The C library's own functions, under the names that remain when a program replaces them. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Thread_local int64_t count;

int64_t allocations_of_thread(void) { return count; }

int64_t bytes_in_use(void) {
    struct mallinfo2 usage = mallinfo2();
    return (int64_t)(usage.uordblks + usage.hblkhd);
}

void *malloc(size_t size) {
    count += 1;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count += 1;
    return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
    count += 1;
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    count += 1;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count += 1;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    count += 1;
    void *memory = __libc_memalign(alignment, size);
    if (!memory) return ENOMEM;
    *block = memory;
    return 0;
}
