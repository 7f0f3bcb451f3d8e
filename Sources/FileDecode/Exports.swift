// A file is read into a `PCMBuffer` and has a `PCMFormat`: whoever imports FileDecode works with both, and should not
// have to know that they live in a module of their own, which Spatial3D shares.
@_exported public import PCM
