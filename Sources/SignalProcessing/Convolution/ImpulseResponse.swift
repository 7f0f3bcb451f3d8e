/// An impulse response of one channel, as spectra of its parts: what a convolver multiplies with.
///
/// It takes transforms to make one, so a program makes it on a thread that may take its time.
package struct ImpulseResponse: Sendable {
  /// The frames of the response.
  package let frameCount: Int
  /// The spectra of the short parts, and of the long parts behind them.
  let (head, tail): ([Float], [Float])

  /// The frames of a short part, by which the convolver is late, and of a long part.
  ///
  /// Chosen: 2.7 ms at 48 kHz; and 16 times as many, which makes the work for two seconds ten times smaller.
  package static let (shortPart, longPart) = (128, 2_048)
  /// The frames in short parts.
  ///
  /// A long part is late by its length, so it has to begin this much later.
  static let headLength = longPart - shortPart

  /// The response with the given samples, from the first frame on; samples that are not finite count as 0.
  package init(_ samples: [Float]) {
    let usable = samples.map { $0.magnitude <= ProcessingLimits.largestSample ? $0 : 0 }
    frameCount = samples.count
    head = Self.spectra(of: usable.prefix(Self.headLength), part: Self.shortPart)
    tail = Self.spectra(of: usable.dropFirst(Self.headLength), part: Self.longPart)
  }

  /// The response with an energy of 1, so that noise keeps its level; a silent one stays silent.
  package static func normalized(_ samples: [Float]) -> ImpulseResponse {
    let usable = samples.map { $0.magnitude <= ProcessingLimits.largestSample ? Double($0) : 0 }
    let energy = usable.reduce(0) { $0 + $1 * $1 }
    let scale = energy > 0 ? 1 / energy.squareRoot() : 0
    return ImpulseResponse(usable.map { Float($0 * scale) })
  }

  /// The spectra of parts that are followed by as many zeros; scaled for the inverse transform.
  private static func spectra(of samples: ArraySlice<Float>, part: Int) -> [Float] {
    var (fft, result) = (RealFFT(length: 2 * part), [Float]())
    var block = [Float](repeating: 0, count: 2 * part)
    var spectrum = [Float](repeating: 0, count: fft.spectrumLength)
    for start in stride(from: samples.startIndex, to: samples.endIndex, by: part) {
      for index in 0..<part {
        block[index] = start + index < samples.endIndex ? samples[start + index] / Float(part) : 0
      }
      unsafe block.withUnsafeBufferPointer { block in
        unsafe spectrum.withUnsafeMutableBufferPointer { spectrum in
          // Both arrays have elements, in the lengths that the transform asks for.
          if let block = block.baseAddress, let spectrum = spectrum.baseAddress {
            unsafe fft.transform(block, into: spectrum)
          }
        }
      }
      result += spectrum
    }
    return result
  }
}
