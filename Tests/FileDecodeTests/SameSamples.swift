@testable import FileDecode

/// The largest difference of a sample between two decoders of a file, and between two starts of a decoder.
///
/// A decoder of Opus may start with another past. With the trait LibAVCodec two libraries decode Vorbis.
func sampleTolerance(of codec: AudioCodec) -> Float {
  #if LibAVCodec
    if codec == .vorbis { return 1e-6 }
  #endif
  return codec == .opus ? 1e-6 : 0
}

/// The largest difference of two samples; infinite if the numbers of samples differ.
func largestDifference(_ first: some Collection<Float>, _ second: some Collection<Float>) -> Float {
  guard first.count == second.count else { return .infinity }
  return zip(first, second).reduce(0) { max($0, abs($1.0 - $1.1)) }
}
