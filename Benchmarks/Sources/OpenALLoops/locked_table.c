#include "openal_loops.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct {
    float position[3], velocity[3], gain, pitch, occlusion;
} table_row;

/* One thread at a time uses the rows. */
struct locked_table {
    pthread_mutex_t mutex;
    int32_t count;
    table_row rows[];
};

static void *end_at_once(void *nothing) { return nothing; }

locked_table *locked_table_create(int32_t count) {
    locked_table *table = calloc(1, sizeof *table + (size_t)count * sizeof(table_row));
    if (!table) return NULL;
    table->count = count;
    pthread_mutex_init(&table->mutex, NULL);
    /* Before the first thread of a process begins, glibc locks a mutex without an atomic instruction. */
    pthread_t thread;
    if (pthread_create(&thread, NULL, end_at_once, NULL) == 0) pthread_join(thread, NULL);
    return table;
}

void locked_table_destroy(locked_table *table) {
    pthread_mutex_destroy(&table->mutex);
    free(table);
}

void locked_table_set_position(locked_table *table, int32_t row, float x, float y, float z) {
    pthread_mutex_lock(&table->mutex);
    float *position = table->rows[row].position;
    position[0] = x;
    position[1] = y;
    position[2] = z;
    pthread_mutex_unlock(&table->mutex);
}

void locked_table_set_velocity(locked_table *table, int32_t row, float x, float y, float z) {
    pthread_mutex_lock(&table->mutex);
    float *velocity = table->rows[row].velocity;
    velocity[0] = x;
    velocity[1] = y;
    velocity[2] = z;
    pthread_mutex_unlock(&table->mutex);
}

void locked_table_set_gain(locked_table *table, int32_t row, float gain) {
    pthread_mutex_lock(&table->mutex);
    table->rows[row].gain = gain;
    pthread_mutex_unlock(&table->mutex);
}

void locked_table_set_pitch(locked_table *table, int32_t row, float pitch) {
    pthread_mutex_lock(&table->mutex);
    table->rows[row].pitch = pitch;
    pthread_mutex_unlock(&table->mutex);
}

void locked_table_set_occlusion(locked_table *table, int32_t row, float occlusion) {
    pthread_mutex_lock(&table->mutex);
    table->rows[row].occlusion = occlusion;
    pthread_mutex_unlock(&table->mutex);
}
