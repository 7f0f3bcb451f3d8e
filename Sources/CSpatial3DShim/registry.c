#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* Grows a list that names index. OpenAL Soft generates the lowest free name, so the list is dense. */
static bool reserve(void **list, uint32_t *capacity, uint32_t id, size_t size) {
    if (id < *capacity) return true;
    uint32_t wanted = *capacity ? *capacity : 64;
    while (wanted <= id) wanted *= 2;
    char *grown = realloc(*list, wanted * size);
    if (!grown) return false;
    memset(grown + *capacity * size, 0, (wanted - *capacity) * size);
    *list = grown;
    *capacity = wanted;
    return true;
}

bool s3d_register_buffer(s3d_context *context, uint32_t id, const s3d_buffer_record *record) {
    s3d_device *device = context->device;
    S3D_LOCK(&device->objects_lock);
    const bool has_room =
        reserve((void **)&device->buffers, &device->buffer_capacity, id, sizeof *device->buffers);
    if (has_room) device->buffers[id] = *record;
    return has_room;
}

void s3d_unregister_buffer(s3d_context *context, uint32_t id) {
    s3d_device *device = context->device;
    S3D_LOCK(&device->objects_lock);
    if (id < device->buffer_capacity) {
        free(device->buffers[id].copy);
        device->buffers[id] = (s3d_buffer_record) { .is_present = false };
    }
}

bool s3d_reserve_queue(s3d_context *context, uint32_t id, int32_t count) {
    s3d_source_record *record = &context->sources[id];
    return reserve((void **)&record->buffers, &record->capacity, record->count + (uint32_t)count, sizeof *record->buffers);
}

bool s3d_register_source(s3d_context *context, uint32_t id, uint32_t buffer) {
    if (!reserve((void **)&context->sources, &context->source_capacity, id, sizeof *context->sources)) return false;
    s3d_source_record *record = &context->sources[id];
    record->is_present = true;
    record->has_queue = buffer == 0;
    record->count = 0;
    if (buffer == 0) return true;
    if (!s3d_reserve_queue(context, id, 1)) return false;
    record->buffers[0] = buffer;
    record->count = 1;
    return true;
}

void s3d_unregister_source(s3d_context *context, uint32_t id) {
    free(context->sources[id].buffers);
    context->sources[id] = (s3d_source_record) { .is_present = false };
}

void s3d_register_queued(s3d_context *context, uint32_t id, const uint32_t *buffers, int32_t count) {
    s3d_source_record *record = &context->sources[id];
    for (int32_t index = 0; index < count; index += 1) record->buffers[record->count++] = buffers[index];
}

void s3d_unregister_queued(s3d_context *context, uint32_t id, uint32_t count) {
    s3d_source_record *record = &context->sources[id];
    const uint32_t gone = count < record->count ? count : record->count;
    record->count -= gone;
    memmove(record->buffers, record->buffers + gone, record->count * sizeof *record->buffers);
}

bool s3d_reserve_slot(s3d_context *context, uint32_t slot) {
    return reserve((void **)&context->slots, &context->slot_capacity, slot, sizeof *context->slots);
}

void s3d_unregister_all(s3d_context *context) {
    for (uint32_t id = 0; id < context->source_capacity; id += 1) free(context->sources[id].buffers);
    free(context->sources);
    free(context->slots);
}
