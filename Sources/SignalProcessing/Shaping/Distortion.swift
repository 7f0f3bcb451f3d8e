internal import Glibc

/// A distortion: a curve at four times the rate, then a low pass and a filter against a constant offset.
///
/// The loudness stays about the same: a sine of -12 dBFS keeps its root mean square. Numbers glide, and another curve
/// needs a new processor. A sample that is not finite, or beyond ±1e25, counts as 0.
///
/// Aliases below 20 kHz, or 19 kHz at a rate of 44.1 kHz, are 62 dB below a tone of full scale up to 5 kHz with a drive
/// of 24 dB, and 58 dB with the hard curve. With 48 dB they are 50 dB below it. The fold makes harmonics as strong as
/// the tone at high drives: from 36 dB on, its aliases are part of the sound.
///
/// Pure: no system call, no lock, and no allocation after `init`.
package struct Distortion: ~Copyable, SoundProcessor {
  package struct Settings: Hashable, Sendable {
    /// Another curve needs a new processor.
    package var curve = ShapingCurve.soft
    /// The gain before the curve in decibels, 0 to 48.
    package var drive = 12.0
    /// The cutoff frequency of the low pass in hertz, 100 to 20,000.
    package var tone = 8_000.0
    /// The gain behind it in decibels, -48 to 24.
    package var level = 0.0

    package init() {}

    func limited() -> Settings {
      var result = self
      result.drive = drive.limited(to: 0...48, notANumber: 12)
      result.tone = tone.limited(to: 100...20_000, notANumber: 8_000)
      result.level = level.limited(to: -48...24, notANumber: 0)
      return result
    }
  }

  private struct Channel: Sendable {
    var oversampler: Oversampler
    var memory = ShapingTable.Memory()
    /// The low pass, its last result, and the filter against an offset.
    var (tone, last, result): (Float, Float, Float)
    /// The frames since the last sample that was not 0, up to the memory of the filters.
    var silentFrames = 0

    init(sampleRate: Double) {
      oversampler = Oversampler(sampleRate: sampleRate)
      (tone, last, result) = (0, 0, 0)
    }
  }

  package private(set) var settings: Settings
  /// The frames by which the sound is late: 41 below 80 kHz, 35 below 160 kHz, and 0 from there on.
  package let latency: Int
  /// The number of silent frames after which the output is exactly 0.
  package let tail: Int

  private let channelCount: Int
  private let sampleRate: Double
  private let table: ShapingTable
  private var channels: [Channel]
  /// In decibels.
  private var (drive, level): (Glide, Glide)
  private var tone: ToneGlide
  /// The gains before and behind the curve, and the coefficient of the low pass.
  private var (driveLine, levelLine, toneLine): (GlideLine, GlideLine, GlideLine)
  /// The frames since the last point of the grid.
  private var phase = 0
  private let offsetCoefficient: Float
  private var scratch = [Float](repeating: 0, count: Oversampler.chunk)
  private var (oversamplerScratch, tableScratch) = (Oversampler.Scratch(), ShapingTable.Scratch())

  /// The frames from one point of the glides to the next, at most a chunk.
  private static let grid = Oversampler.chunk

  package init(_ settings: Settings = Settings(), channelCount: Int, sampleRate: Int) {
    let (settings, rate) = (settings.limited(), ProcessingLimits.sampleRate(sampleRate))
    (self.settings, self.sampleRate) = (settings, rate)
    self.channelCount = ProcessingLimits.channelCount(channelCount)
    // Each channel is made alone: channels with common buffers would be copied in the first block.
    channels = (0..<self.channelCount).map { _ in Channel(sampleRate: rate) }
    latency = channels[0].oversampler.latency
    table = ShapingTable.all[settings.curve.rawValue]
    (drive, level) = (Glide(settings.drive), Glide(settings.level))
    tone = ToneGlide(settings.tone, sampleRate: rate)
    driveLine = GlideLine(1, grid: Self.grid)
    (levelLine, toneLine) = (driveLine, driveLine)
    // 10 Hz is below all audible frequencies. The filter decays by 300 dB in 0.55 s.
    offsetCoefficient = Float(exp(-2 * .pi * 10 / rate))
    tail = 2 * latency + 2 * Self.grid + Int(0.6 * rate)
    jump()
  }

  /// Whether the curve stays.
  package func canGlide(to settings: Settings) -> Bool { settings.curve == self.settings.curve }

  /// Begins to glide to other settings, over so many frames.
  package mutating func set(_ settings: Settings, over frameCount: Int) {
    guard canGlide(to: settings) else { return }
    self.settings = settings.limited()
    drive.move(to: self.settings.drive, over: frameCount)
    level.move(to: self.settings.level, over: frameCount)
    tone.move(to: self.settings.tone, over: frameCount)
    if frameCount <= 0 { jump() }
  }

  private var driveGain: Double { pow(10, drive.value / 20) }
  private var levelGain: Double { pow(10, (level.value + table.makeUp(drive.value)) / 20) }

  private mutating func jump() {
    driveLine.jump(to: driveGain)
    levelLine.jump(to: levelGain)
    toneLine.jump(to: tone.coefficient)
  }

  private mutating func beginLines() {
    let glides = !drive.isSettled || !level.isSettled || !tone.isSettled
    guard glides || !driveLine.isSettled || !levelLine.isSettled || !toneLine.isSettled else { return }
    drive.advance(Self.grid)
    level.advance(Self.grid)
    tone.advance(Self.grid)
    driveLine.move(to: driveGain)
    levelLine.move(to: levelGain)
    toneLine.move(to: tone.coefficient)
  }

  /// Processes whole frames.
  package mutating func process(_ samples: inout MutableSpan<Float>, key: Span<Float>?) {
    let (frameCount, stride) = (samples.count / channelCount, channelCount)
    // Reads and writes whole frames of the span.
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      var frame = 0
      while frame < frameCount {
        if phase == 0 { beginLines() }
        let count = min(Self.grid - phase, frameCount - frame)
        for channel in 0..<stride {
          unsafe process(start + (frame * stride + channel), count: count, channel: channel)
        }
        phase += count
        frame += count
        if phase == Self.grid { endLines() }
      }
    }
  }

  /// Silence becomes exactly 0, at points of the grid.
  private mutating func endLines() {
    phase = 0
    let least = Float(ProcessingLimits.smallestState)
    for index in channels.indices {
      if channels[index].tone.magnitude < least { (channels[index].tone, channels[index].last) = (0, 0) }
      if channels[index].result.magnitude < least { channels[index].result = 0 }
    }
  }

  /// Processes frames of a channel up to the next point of the grid at most.
  @unsafe
  private mutating func process(_ samples: UnsafeMutablePointer<Float>, count: Int, channel index: Int) {
    let (stride, phase, table, memoryLength) = (channelCount, phase, table, 2 * latency + Self.grid)
    var (tone, last, result) = (channels[index].tone, channels[index].last, channels[index].result)
    var (memory, silentFrames, bits) = (channels[index].memory, channels[index].silentFrames, UInt32(0))
    // Room for a chunk.
    unsafe scratch.withUnsafeMutableBufferPointer { scratch in
      guard let scratch = scratch.baseAddress else { return }
      var frame = 0
      while frame < count {
        let sample = unsafe samples[frame &* stride].usable
        unsafe scratch[frame] = sample
        bits |= sample.magnitude.bitPattern
        frame &+= 1
      }
      silentFrames = bits == 0 ? min(silentFrames + count, memoryLength) : 0
      // All memory is 0, and so is the result.
      if silentFrames == memoryLength, tone == 0, last == 0, result == 0 {
        for frame in 0..<count { unsafe samples[frame &* stride] = 0 }
        return
      }
      let factor = channels[index].oversampler.factor
      let step = Double(driveLine.step) / Double(factor)
      let gain = Double(driveLine.start) + step * Double(phase * factor)
      unsafe channels[index].oversampler.process(scratch, count: count, &oversamplerScratch) { samples, count in
        unsafe table.process(samples, count: count, gain: gain, step: step, &memory, &tableScratch)
      }
      let (offset, levels, tones) = (offsetCoefficient, levelLine, toneLine)
      let (levelStep, toneStep) = (levels.step, tones.step)
      frame = 0
      while frame < count {
        let now = Float(phase &+ frame &+ 1)
        unsafe tone += (scratch[frame] - tone) * (tones.start + toneStep * now)
        result = tone - last + offset * result
        last = tone
        unsafe samples[frame &* stride] = result * (levels.start + levelStep * now)
        frame &+= 1
      }
    }
    (channels[index].tone, channels[index].last, channels[index].result) = (tone, last, result)
    (channels[index].memory, channels[index].silentFrames) = (memory, silentFrames)
  }

  package func isAtRest(afterSilence frameCount: Int) -> Bool {
    let isSettled = drive.isSettled && level.isSettled && tone.isSettled
    guard isSettled, driveLine.isSettled, levelLine.isSettled, toneLine.isSettled else { return false }
    // Then `process` leaves a channel as it is.
    return channels.allSatisfy {
      $0.silentFrames == 2 * latency + Self.grid && $0.tone == 0 && $0.last == 0 && $0.result == 0
    }
  }

  package mutating func skipSilence(_ frameCount: Int) { phase = (phase + frameCount) % Self.grid }

  /// Forgets the sound so far.
  package mutating func reset() {
    for index in channels.indices {
      channels[index].oversampler.reset()
      channels[index].memory = ShapingTable.Memory()
      (channels[index].tone, channels[index].last, channels[index].result) = (0, 0, 0)
      channels[index].silentFrames = 0
    }
    (drive, level) = (Glide(settings.drive), Glide(settings.level))
    tone = ToneGlide(settings.tone, sampleRate: sampleRate)
    phase = 0
    jump()
  }
}
