// Levels and formats are part of this module's signatures; its users need no further import.
@_exported public import Spatial3D
