// Signatures of this module use levels and formats; its users need no further import.
@_exported public import Spatial3D
