// A game needs one import: spatial audio, files, sessions and musical time are part of this module's signatures.
@_exported public import AudioSessions
@_exported public import FileDecode
@_exported public import MusicalTime
@_exported public import Spatial3D
