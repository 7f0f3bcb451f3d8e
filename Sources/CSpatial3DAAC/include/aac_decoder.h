/* AAC through libavcodec: what its macros and unions keep from Swift. Built only with the package's trait AAC. */
#ifndef SPATIAL3D_AAC_DECODER_H
#define SPATIAL3D_AAC_DECODER_H

#include <stddef.h>
#include <stdint.h>

typedef struct s3d_aac_decoder s3d_aac_decoder;

/* A decoder of a stream with a configuration (none where each packet has a header of its own), or NULL. */
s3d_aac_decoder *s3d_aac_decoder_create(const uint8_t *configuration, size_t size, int sample_rate, int channel_count);

void s3d_aac_decoder_destroy(s3d_aac_decoder *decoder);

/*
 * Decodes a packet, which has S3D_AAC_DECODER_PADDING bytes of zeros behind it, and keeps its frames. Returns how many
 * there are, or a negative number where the packet is damaged. A packet without bytes takes its frames from the bytes
 * of the packet before it.
 */
int s3d_aac_decoder_decode(s3d_aac_decoder *decoder, const uint8_t *packet, size_t size);

/* Copies the frames of the last packet, interleaved, channel_count samples each. */
void s3d_aac_decoder_copy(const s3d_aac_decoder *decoder, float *samples, int channel_count);

enum { S3D_AAC_DECODER_PADDING = 64 };

#endif
