internal import Glibc

/// The impulse response of a room or a device, as spectra of its partitions, which a convolver multiplies with.
///
/// It has one or more channels; a sound with more channels uses them in turn. To make a response takes transforms, so
/// a program makes it on a thread without real-time rules. Two responses are equal if they are the same object.
package final class ImpulseResponse: Sendable, Hashable {
  /// The frames of the longest channel.
  package let frameCount: Int
  /// The spectra of the short partitions of each channel, and of the long partitions behind them.
  let channels: [(head: [Float], tail: [Float])]

  /// The frames of a short partition, by which the convolver is late, and of a long partition.
  ///
  /// Chosen: 2.7 ms at 48 kHz; and 16 times as many, which makes the work for two seconds ten times smaller.
  package static let (shortPart, longPart) = (128, 2_048)
  /// The frames in short partitions.
  ///
  /// A long partition is late by its length, so it has to begin this much later.
  static let headLength = longPart - shortPart

  /// The response with the samples of its channels, from the first frame on.
  ///
  /// Samples that are not finite, or beyond ±1e25, count as 0, and so do samples 300 dB below the largest: their
  /// products would be slow denormal numbers. Without a channel the response is silent.
  package init(_ channels: [[Float]]) {
    let usable = channels.isEmpty ? [[]] : channels.map { $0.map(\.usable) }
    let least = usable.joined().reduce(0) { max($0, $1.magnitude) } * 1e-15
    let clean = usable.map { $0.map { $0.magnitude < least ? 0 : $0 } }
    frameCount = clean.reduce(0) { max($0, $1.count) }
    self.channels = clean.map { samples in
      (
        Self.spectra(of: samples.prefix(Self.headLength), part: Self.shortPart),
        Self.spectra(of: samples.dropFirst(Self.headLength), part: Self.longPart)
      )
    }
  }

  /// The response of a channel of a sound, which uses the channels of the response in turn.
  func channel(_ index: Int) -> (head: [Float], tail: [Float]) { channels[index % channels.count] }

  /// The spectra of partitions that are followed by as many zeros; scaled for the inverse transform.
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

  package static func == (one: ImpulseResponse, other: ImpulseResponse) -> Bool { one === other }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ImpulseResponse {
  /// The changes of recorded samples before they become a response.
  package struct Preparation: Hashable, Sendable {
    /// Whether the mean energy of the channels becomes 1, so that noise keeps its level.
    ///
    /// All channels get the same gain.
    package var isNormalized = true
    /// In decibels, -80 to 40; after the energy is 1.
    package var gain = 0.0
    /// A silence before the response in seconds, 0 to 1.
    package var predelay = 0.0
    /// The longest response in seconds, 0.01 to 10; a longer response fades out.
    package var longest = 6.0

    package init() {}
  }

  /// The response of recorded samples.
  ///
  /// A convolver is late by a short partition: as many frames of silence and predelay are taken off the beginning, if
  /// there are so many. Samples 80 dB below the largest count as this silence.
  package convenience init(_ channels: [[Float]], _ preparation: Preparation, sampleRate: Int) {
    let rate = ProcessingLimits.sampleRate(sampleRate)
    var usable = channels.map { $0.map(\.usable) }
    let peak = usable.joined().reduce(0) { max($0, $1.magnitude) }
    let silence = usable.map { $0.firstIndex { $0.magnitude > peak * 1e-4 } ?? $0.count }.min() ?? 0
    let predelay = Int(preparation.predelay.limited(to: 0...1, notANumber: 0) * rate)
    let removed = min(silence + predelay, Self.shortPart)
    let longest = Int(preparation.longest.limited(to: 0.01...10, notANumber: 6) * rate)
    usable = usable.map { samples in
      let moved =
        predelay >= removed
        ? [Float](repeating: 0, count: predelay - removed) + samples
        : Array(samples.dropFirst(removed - predelay))
      return moved.count > longest ? Self.faded(moved, longest) : moved
    }
    // In `Double`: the squares of large samples are beyond a `Float`.
    let energies = usable.map { $0.reduce(0.0) { $0 + Double($1) * Double($1) } }
    let energy = energies.reduce(0, +) / Double(max(energies.count, 1))
    let unit = !preparation.isNormalized ? 1 : energy > 0 ? 1 / energy.squareRoot() : 0
    let scale = unit * pow(10, preparation.gain.limited(to: -80...40, notANumber: 0) / 20)
    self.init(usable.map { $0.map { Float(Double($0) * scale) } })
  }

  /// The first frames, whose last tenth fades out like a cosine.
  private static func faded(_ samples: [Float], _ count: Int) -> [Float] {
    var result = Array(samples.prefix(count))
    let length = count / 10
    for index in 0..<length {
      let share = 0.5 + 0.5 * cos(.pi * (Double(index) + 0.5) / Double(length))
      result[count - length + index] *= Float(share)
    }
    return result
  }
}
