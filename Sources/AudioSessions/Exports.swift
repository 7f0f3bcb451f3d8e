// A session returns a `NotificationToken` and a `NotificationSequence`. A program that imports AudioSessions gets both
// types without a second import; their module is separate because Spatial3D shares it.
@_exported public import AudioNotifications
