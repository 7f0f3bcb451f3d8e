import Glibc
import SignalProcessing
import TestSupport
import Testing

/// Distortion, bit crusher and width.
@Suite struct ShapingTests {
  private func settings(_ curve: ShapingCurve, _ drive: Double, tone: Double = 20_000) -> Distortion.Settings {
    var settings = Distortion.Settings()
    (settings.curve, settings.drive, settings.tone) = (curve, drive, tone)
    return settings
  }

  /// The strongest line that is no harmonic, below 20 kHz, or 19 kHz at 44.1 kHz; in decibels re the strongest line.
  private func worstAlias(_ samples: [Float], _ frequency: Double, _ rate: Int) -> Double {
    let length = samples.count
    var (fft, windowed) = (RealFFT(length: length), samples)
    // The window of Blackman and Harris: side lobes of -92 dB.
    for index in 0..<length {
      let angle = 2 * .pi * Double(index) / Double(length)
      let window = 0.35875 - 0.48829 * cos(angle) + 0.14128 * cos(2 * angle) - 0.01168 * cos(3 * angle)
      windowed[index] *= Float(window)
    }
    var spectrum = [Float](repeating: 0, count: length + 2)
    unsafe windowed.withUnsafeBufferPointer { samples in
      unsafe spectrum.withUnsafeMutableBufferPointer { spectrum in
        guard let samples = samples.baseAddress, let spectrum = spectrum.baseAddress else { return }
        unsafe fft.transform(samples, into: spectrum)
      }
    }
    let step = Double(rate) / Double(length)
    var (largest, worst) = (0.0, 0.0)
    for line in 1..<length / 2 {
      let (place, magnitude) = (
        Double(line) * step, hypot(Double(spectrum[line]), Double(spectrum[length / 2 + 1 + line]))
      )
      largest = max(largest, magnitude)
      let distance = abs(place - frequency * (place / frequency).rounded())
      if distance > 8 * step, place > 100, place < (rate == 44_100 ? 19_000 : 20_000) { worst = max(worst, magnitude) }
    }
    return decibels(worst / largest)
  }

  /// The curves, with the limits of their aliases in decibels.
  private static let aliasLimits = [
    (ShapingCurve.soft, -61.0), (.tube, -61.0), (.hard, -58.0), (.fold, -63.0),
  ]

  @Test(arguments: aliasLimits, [44_100, 48_000, 96_000, 192_000])
  func `Aliases of tones up to 5 kHz are below their limits`(curve: (ShapingCurve, Double), rate: Int) {
    for drive in [12.0, 24] {
      for frequency in [1_003.0, 1_997, 2_503, 3_001, 4_001, 4_802, 5_003] {
        var distortion = Distortion(settings(curve.0, drive), channelCount: 1, sampleRate: rate)
        let result = processed(sine(frequency, rate, frames: 16_384)) { distortion.process(&$0) }
        let alias = worstAlias(Array(result[8_192...]), frequency, rate)
        #expect(alias < curve.1, "\(drive) dB, \(frequency) Hz")
      }
    }
  }

  @Test(arguments: ShapingCurve.allCases, [0.0, 12, 24, 48])
  func `A sine of -12 dBFS keeps its level`(curve: ShapingCurve, drive: Double) {
    var distortion = Distortion(settings(curve, drive), channelCount: 1, sampleRate: 48_000)
    let tone = sine(120, 48_000, frames: 48_000, amplitude: pow(10, -12.0 / 20))
    let result = processed(tone) { distortion.process(&$0) }
    #expect(abs(level(result[24_000...]) - level(tone[24_000...])) < 0.5)
  }

  @Test(arguments: [44_100, 48_000, 96_000, 192_000])
  func `A soft sound passes a clipper with the latency that it reports`(rate: Int) {
    var distortion = Distortion(settings(.hard, 0), channelCount: 1, sampleRate: rate)
    let result = processed(sine(500, rate, frames: 3 * rate / 2, amplitude: 0.25)) { distortion.process(&$0) }
    let latency = distortion.latency
    #expect(latency == (rate < 80_000 ? 41 : rate < 160_000 ? 35 : 0))
    // The delay of 500 Hz in frames, by its phase in the last second.
    let turn = 2 * .pi * 500 / Double(rate)
    var (real, imaginary) = (0.0, 0.0)
    for frame in rate / 2..<3 * rate / 2 {
      real += Double(result[frame]) * sin(turn * Double(frame))
      imaginary += Double(result[frame]) * cos(turn * Double(frame))
    }
    let delay = -atan2(imaginary, real) / turn
    if rate < 80_000 { #expect(abs(delay - Double(latency)) < 0.3) }
    // The mean of two samples is late by half a sample of its rate. The tone and the filter against an offset have
    // phases of their own.
    let factor = rate < 80_000 ? 4.0 : rate < 160_000 ? 2 : 1
    let share = 1 - exp(-2 * .pi * min(20_000, 0.45 * Double(rate)) / Double(rate))
    let tone = atan2((1 - share) * sin(turn), 1 - (1 - share) * cos(turn)) / turn
    let pole = exp(-2 * .pi * 10 / Double(rate))
    let offset = ((.pi - turn) / 2 - atan2(pole * sin(turn), 1 - pole * cos(turn))) / turn
    #expect(abs(delay - (Double(latency) + 0.5 / factor + tone - offset)) < 0.05)
  }

  @Test func `Curves have their values`() {
    #expect(ShapingCurve.allCases.allSatisfy { abs($0.value(at: 0)) < 1e-12 })
    #expect(ShapingCurve.hard.value(at: 3) == 1 && ShapingCurve.hard.value(at: -0.5) == -0.5)
    #expect(abs(ShapingCurve.fold.value(at: 1) - 1) < 1e-12 && abs(ShapingCurve.fold.value(at: 2)) < 1e-12)
    #expect(abs(ShapingCurve.soft.value(at: 1e9) - 1) < 1e-6 && abs(ShapingCurve.soft.value(at: 0.1) - 0.1) < 2e-4)
    #expect(abs(ShapingCurve.tube.value(at: 1) + ShapingCurve.tube.value(at: -1)) > 0.2)
  }

  @Test func `The tube has a second harmonic, and no constant offset`() {
    var distortion = Distortion(settings(.tube, 12), channelCount: 1, sampleRate: 48_000)
    let result = processed(sine(1_000, 48_000, frames: 96_000, amplitude: 0.25)) { distortion.process(&$0) }
    let part = Array(result[48_000...])
    let (first, second) = (
      TestSupport.level(at: 1_000, of: part, rate: 48_000), TestSupport.level(at: 2_000, of: part, rate: 48_000)
    )
    #expect(second - first > -35 && second - first < -10)
    #expect(abs(part.reduce(0) { $0 + Double($1) } / Double(part.count)) < 1e-4)
  }

  @Test(arguments: ShapingCurve.allCases, [8_000, 48_000, 96_000])
  func `Silence is exactly 0 after the tail`(curve: ShapingCurve, rate: Int) {
    var distortion = Distortion(settings(curve, 24), channelCount: 2, sampleRate: rate)
    _ = processed(noise(4_000), channels: 2) { distortion.process(&$0) }
    _ = processed([Float](repeating: 0, count: 2 * distortion.tail), channels: 2) { distortion.process(&$0) }
    let result = processed([Float](repeating: 0, count: 2_000), channels: 2) { distortion.process(&$0) }
    #expect(result.allSatisfy { $0 == 0 })
  }

  @Test func `A glide of the drive makes no click`() {
    var distortion = Distortion(settings(.soft, 0), channelCount: 1, sampleRate: 48_000)
    var block = 0
    let result = processed(sine(100, 48_000, frames: 48_000, amplitude: 0.25)) { samples in
      if block == 40 { distortion.set(settings(.soft, 24), over: 4_800) }
      block += 1
      distortion.process(&samples)
    }
    // Harmonics up to the fifteenth.
    #expect(clickFrames(Array(result[4_800...]), below: 1_500, 48_000).isEmpty)
  }

  @Test(arguments: ShapingCurve.allCases)
  func `The level stays while the drive glides`(curve: ShapingCurve) {
    var distortion = Distortion(settings(curve, 0), channelCount: 1, sampleRate: 48_000)
    var block = 0
    let tone = sine(400, 48_000, frames: 96_000, amplitude: pow(10, -12.0 / 20))
    let result = processed(tone, blocks: [480]) { samples in
      if block == 50 { distortion.set(settings(curve, 24), over: 48_000) }
      block += 1
      distortion.process(&samples)
    }
    for start in stride(from: 12_000, to: 90_000, by: 480) {
      #expect(abs(level(result[start..<start + 480]) - level(tone[12_000..<12_480])) < 0.7)
    }
  }

  @Test func `A glide of the tone makes no click, and another curve needs a new distortion`() {
    var distortion = Distortion(settings(.soft, 0), channelCount: 1, sampleRate: 48_000)
    var block = 0
    let result = processed(sine(1_000, 48_000, frames: 48_000, amplitude: 0.25)) { samples in
      if block == 40 { distortion.set(settings(.soft, 0, tone: 100), over: 4_800) }
      if block == 70 { distortion.set(settings(.soft, 0), over: 4_800) }
      block += 1
      distortion.process(&samples)
    }
    #expect(clickFrames(Array(result[4_800...]), below: 1_500, 48_000).isEmpty)
    let (driveGlides, curveGlides) = (
      distortion.canGlide(to: settings(.soft, 48)), distortion.canGlide(to: settings(.hard, 0))
    )
    #expect(driveGlides && !curveGlides)
    distortion.set(settings(.hard, 0), over: 0)
    let found = distortion.settings
    #expect(found == settings(.soft, 0))
  }

  @Test func `Bad samples and settings give finite sound, and spoil nothing`() {
    for curve in ShapingCurve.allCases {
      for value in [-1e9, 0, 1e9, .nan, .infinity, -.infinity] {
        var numbers = settings(curve, value, tone: value)
        numbers.level = value
        var distortion = Distortion(numbers, channelCount: 1, sampleRate: 48_000)
        distortion.set(numbers, over: 100)
        let sound = [.nan, .infinity, -.infinity, 3e38, 1e25, -1e25] + noise(6_000)
        #expect(processed(sound) { distortion.process(&$0) }.allSatisfy { $0.isFinite })
        distortion.reset()
        #expect(processed([Float](repeating: 0, count: 300)) { distortion.process(&$0) }.allSatisfy { $0 == 0 })
      }
    }
  }

  @Test func `A bit crusher holds samples and rounds them`() {
    var settings = BitCrusher.Settings()
    (settings.bits, settings.sampleRate) = (4, 12_000)
    var crusher = BitCrusher(settings, channelCount: 2, sampleRate: 48_000)
    let sound = noise(2_000)
    for blocks in blockLengths {
      crusher.reset()
      let result = processed(sound, channels: 2, blocks: blocks) { crusher.process(&$0) }
      for frame in 0..<1_000 {
        for channel in 0..<2 {
          let held = sound[2 * (frame / 4 * 4) + channel]
          #expect(result[2 * frame + channel] == (held * 8).rounded() / 8)
        }
      }
    }
    // A rate between two steps holds 4 or 5 frames.
    settings.sampleRate = 11_025
    crusher.set(settings, over: 0)
    crusher.reset()
    let ramp = interleaved([(0..<4_800).map { Float($0) / 4_800 }, [Float](repeating: 0, count: 4_800)])
    settings.bits = 24
    crusher.set(settings, over: 0)
    let result = channel(0, of: processed(ramp, channels: 2) { crusher.process(&$0) }, count: 2)
    #expect(Set(result).count == 1_103)
  }

  @Test func `A bit crusher rounds to 24 bits at most, and bad samples are 0`() {
    var settings = BitCrusher.Settings()
    (settings.bits, settings.sampleRate) = (.infinity, .infinity)
    var crusher = BitCrusher(settings, channelCount: 1, sampleRate: 48_000)
    let result = processed([0.5, .nan, -0.25, .infinity, 3e38]) { crusher.process(&$0) }
    #expect(result == [0.5, 0, -0.25, 0, 0])
    let sound = noise(1_000)
    let rounded = processed(sound) { crusher.process(&$0) }
    #expect(zip(rounded, sound).allSatisfy { abs($0 - $1) <= 0x1p-24 })
  }

  @Test func `A bit crusher glides between two rates`() {
    var settings = BitCrusher.Settings()
    (settings.bits, settings.sampleRate) = (24, 24_000)
    var crusher = BitCrusher(settings, channelCount: 1, sampleRate: 48_000)
    settings.sampleRate = 6_000
    crusher.set(settings, over: 48_000)
    let sound = (0..<96_000).map { Float($0) / 96_000 }
    let result = processed(sound) { crusher.process(&$0) }
    func steps(_ frames: Range<Int>) -> Int { Set(result[frames]).count }
    // 24 kHz at first, 12 kHz in the middle, and 6 kHz at the end.
    #expect(abs(steps(0..<480) - 240) < 8 && abs(steps(23_760..<24_240) - 120) < 4)
    #expect(abs(steps(48_480..<48_960) - 60) < 2)
  }

  private func width(_ change: (inout StereoWidth.Settings) -> Void) -> StereoWidth.Settings {
    var settings = StereoWidth.Settings()
    change(&settings)
    return settings
  }

  @Test func `A width of 0 is mono, of 1 nothing, and of 2 twice the side`() {
    let sound: [Float] = [0.5, 0.25, -1, 0.5]
    var same = StereoWidth(channelCount: 2)
    #expect(processed(sound) { same.process(&$0) } == sound)
    var mono = StereoWidth(width { $0.width = 0 }, channelCount: 2)
    #expect(processed(sound) { mono.process(&$0) } == [0.375, 0.375, -0.25, -0.25])
    var wide = StereoWidth(width { $0.width = 2 }, channelCount: 2)
    #expect(processed(sound) { wide.process(&$0) } == [0.625, 0.125, -1.75, 1.25])
    var left = StereoWidth(width { $0.balance = -1 }, channelCount: 2)
    #expect(processed(sound) { left.process(&$0) } == [0.5, 0, -1, 0])
    var loud = StereoWidth(width { ($0.gain, $0.width, $0.balance) = (20, 0, 1) }, channelCount: 3)
    #expect(processed([0.1, 0.2, 0.3]) { loud.process(&$0) } == [1, 2, 3])
  }

  @Test func `The gain of a width glides in decibels`() {
    for channels in [1, 2, 6] {
      var stereo = StereoWidth(width { $0.gain = -40 }, channelCount: channels)
      stereo.set(width { $0.gain = 0 }, over: 4_800)
      let result = processed([Float](repeating: 1, count: 6_000 * channels), channels: channels) {
        stereo.process(&$0)
      }
      #expect(abs(result[2_400 * channels] - 0.1) < 0.001)
      #expect(abs(result[1_200 * channels] / 0.0316228 - 1) < 0.01)
      #expect(result[4_801 * channels] == 1)
    }
  }

  @Test func `A change of the width makes no click`() {
    var stereo = StereoWidth(channelCount: 2)
    let sound = interleaved([sine(200, 48_000, frames: 9_600), sine(200, 48_000, frames: 9_600, phase: 0.3)])
    var block = 0
    let result = processed(sound, channels: 2) { samples in
      if block == 4 { stereo.set(width { ($0.width, $0.balance, $0.gain) = (0, 0.5, 6) }, over: 480) }
      block += 1
      stereo.process(&samples)
    }
    for index in 0..<2 { #expect(clickFrames(channel(index, of: result, count: 2), below: 200, 48_000).isEmpty) }
    for value in [.nan, .infinity, -.infinity, 1e9] as [Double] {
      var bad = StereoWidth(width { ($0.width, $0.balance, $0.gain) = (value, value, value) }, channelCount: 2)
      #expect(processed(sound, channels: 2) { bad.process(&$0) }.allSatisfy { $0.isFinite })
    }
  }
}
