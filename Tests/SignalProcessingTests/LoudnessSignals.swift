import Glibc
import PCM
@testable import SignalProcessing

/// A part of a test signal of EBU Tech 3341 or 3342: a sine of 1 kHz in all channels, or silence.
struct TonePart {
  /// The level of the sine in dBFS; `nil` for silence.
  let level: Double?
  let seconds: Double

  static func tone(_ level: Double, _ seconds: Double) -> TonePart { TonePart(level: level, seconds: seconds) }
  static func silence(_ seconds: Double) -> TonePart { TonePart(level: nil, seconds: seconds) }
}

extension LoudnessBlocks {
  /// Measures parts that follow each other, and calls a closure after each 10 ms.
  mutating func append(
    _ parts: [TonePart],
    _ format: PCMFormat,
    weights: [Double]? = nil,
    each: (Self) -> Void = { _ in }
  ) {
    let (rate, channels) = (format.sampleRate, format.channelCount)
    // 10 ms of a sine of 1 kHz are ten periods: a table of them is a sine without end.
    let length = rate / 100
    var position = 0
    for part in parts {
      let amplitude = part.level.map { pow(10, $0 / 20) } ?? 0
      let table = (0..<length).flatMap { frame in
        let value = amplitude * sin(2 * .pi * 1_000 * Double(frame) / Double(rate))
        return (0..<channels).map { Float(value * (weights?[$0] ?? 1)) }
      }
      var left = Int((part.seconds * Double(rate)).rounded())
      while left > 0 {
        let count = min(left, length - position)
        append(table.span.extracting(position * channels..<(position + count) * channels))
        position = (position + count) % length
        left -= count
        if position == 0 { each(self) }
      }
    }
  }

  /// A meter of parts in two channels at 48 kHz.
  static func measured(_ parts: [TonePart]) -> Reading {
    let format = PCMFormat.stereo(sampleRate: 48_000)
    var meter = LoudnessBlocks(format: format)
    meter.append(parts, format)
    return meter.reading
  }

  /// The largest of the numbers that a closure takes from the windows of parts in two channels at 48 kHz.
  static func largest(_ number: (LoudnessWindows) -> Double?, _ parts: [TonePart]) -> Double? {
    let format = PCMFormat.stereo(sampleRate: 48_000)
    var (meter, largest) = (LoudnessBlocks(format: format), Double?.none)
    meter.append(parts, format) { if let value = number($0.windows) { largest = max(largest ?? value, value) } }
    return largest
  }
}
