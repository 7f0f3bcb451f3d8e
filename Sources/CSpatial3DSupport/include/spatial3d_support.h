/* Semaphores, threads, the clock and standard error, for C and Swift alike. None of it calls another library. */
#ifndef SPATIAL3D_SUPPORT_H
#define SPATIAL3D_SUPPORT_H

#include <stdbool.h>
#include <stdint.h>

/* A semaphore that any thread may signal, a library's thread too, and one thread waits for. It takes no lock. NULL:
   there is no memory. */
typedef struct s3d_semaphore s3d_semaphore;
s3d_semaphore *s3d_semaphore_create(void);
void s3d_semaphore_destroy(s3d_semaphore *semaphore);
void s3d_semaphore_signal(s3d_semaphore *semaphore);
/* Waits for a signal, for at most some nanoseconds or, where negative, without a limit. All signals since the last wait
   count as one. */
bool s3d_semaphore_wait(s3d_semaphore *semaphore, int64_t nanoseconds);
/* Waits as one of several threads: each signal wakes one of them. */
void s3d_semaphore_take(s3d_semaphore *semaphore);

/* Nanoseconds since some moment. */
int64_t s3d_monotonic_time(void);
/* A number that no other live thread has. */
uintptr_t s3d_this_thread(void);
/* Runs a function on a new thread, which handles no signals except its own faults and SIGPROF. False where no thread
   can be had. */
bool s3d_thread_start(void (*body)(void *), void *argument);

/* Writes a line to standard error. */
void s3d_log(const char *line);

#endif
