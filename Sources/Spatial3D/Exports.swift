// Formats, buffers and observations are part of this module's signatures; its users need no second import.
@_exported public import AudioNotifications
@_exported public import PCM
