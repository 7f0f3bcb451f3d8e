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

  /// The strongest line below 20 kHz that is no harmonic, in decibels re the strongest one.
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
      if distance > 8 * step, place > 100, place < 20_000 { worst = max(worst, magnitude) }
    }
    return decibels(worst / largest)
  }

  @Test(arguments: [ShapingCurve.soft, .tube, .hard], [48_000, 96_000, 192_000])
  func `Aliases of a tone of 5 kHz are 60 dB below it`(curve: ShapingCurve, rate: Int) {
    for drive in [12.0, 24] {
      var distortion = Distortion(settings(curve, drive), channelCount: 1, sampleRate: rate)
      let result = processed(sine(5_003, rate, frames: 16_384 + rate / 2)) { distortion.process(&$0) }
      #expect(worstAlias(Array(result[(rate / 2)...]), 5_003, rate) < -60, "\(drive)")
    }
  }

  @Test(arguments: ShapingCurve.allCases, [0.0, 12, 24, 48])
  func `A sine of -12 dBFS keeps its level`(curve: ShapingCurve, drive: Double) {
    var distortion = Distortion(settings(curve, drive), channelCount: 1, sampleRate: 48_000)
    let tone = sine(120, 48_000, frames: 48_000, amplitude: pow(10, -12.0 / 20))
    let result = processed(tone) { distortion.process(&$0) }
    #expect(abs(level(result[24_000...]) - level(tone[24_000...])) < 0.5)
  }

  @Test(arguments: [8_000, 44_100, 48_000, 96_000, 192_000])
  func `A soft sound passes a clipper with the latency that it reports`(rate: Int) {
    var distortion = Distortion(settings(.hard, 0), channelCount: 1, sampleRate: rate)
    let tone = sine(0.05 * Double(rate), rate, frames: 8_000, amplitude: 0.25)
    let result = processed(tone) { distortion.process(&$0) }
    let latency = distortion.latency
    #expect(latency == (rate < 80_000 ? 27 : rate < 160_000 ? 23 : 0))
    // The low pass delays by a part of a frame, so the best fit is looked for among whole frames.
    func difference(_ delay: Int) -> Double {
      (4_000..<7_000).reduce(0) { $0 + Double(abs(result[$1] - tone[$1 - delay])) }
    }
    for other in [latency - 2, latency + 2] where latency > 0 { #expect(difference(latency) < difference(other)) }
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
    var (distortion, block) = (Distortion(settings(.soft, 0), channelCount: 1, sampleRate: 48_000), 0)
    let result = processed(sine(100, 48_000, frames: 48_000, amplitude: 0.25)) { samples in
      if block == 40 { distortion.set(settings(.soft, 24), over: 4_800) }
      block += 1
      distortion.process(&samples)
    }
    // Harmonics up to the fifteenth.
    #expect(clickFrames(Array(result[4_800...]), below: 1_500, 48_000).isEmpty)
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
    crusher.set(settings)
    crusher.reset()
    let ramp = interleaved([(0..<4_800).map { Float($0) / 4_800 }, [Float](repeating: 0, count: 4_800)])
    settings.bits = 24
    crusher.set(settings)
    let result = channel(0, of: processed(ramp, channels: 2) { crusher.process(&$0) }, count: 2)
    #expect(Set(result).count == 1_103)
  }

  @Test func `A bit crusher passes all bits at the rate of the sound, and bad samples are 0`() {
    var settings = BitCrusher.Settings()
    (settings.bits, settings.sampleRate) = (.infinity, .infinity)
    var crusher = BitCrusher(settings, channelCount: 1, sampleRate: 48_000)
    let result = processed([0.5, .nan, -0.25, .infinity, 3e38]) { crusher.process(&$0) }
    #expect(result == [0.5, 0, -0.25, 0, 0])
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
