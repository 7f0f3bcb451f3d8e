// Formats and buffers are part of this module's signatures; its users need no second import.
@_exported public import PCM
