// Signatures of this module use contexts, sources and mixes; its users need no further import.
@_exported public import Spatial3D
