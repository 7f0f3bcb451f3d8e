// `AudioFile` returns a `PCMBuffer` and has a `PCMFormat`. A program that imports FileDecode gets both types without a
// second import; their module is separate because Spatial3D shares it.
@_exported public import PCM
