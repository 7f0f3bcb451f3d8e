import Foundation
import Spatial3D
import Spatial3DTesting

/// Measurements of impulse responses and of steady tones.
enum Measure {
  static let rate = 48_000
  private static let format = PCMFormat.mono(sampleRate: rate)

  /// The impulse response of a source; only the wet part if there is a reverb.
  static func response(
    of reverb: Reverb? = nil,
    seconds: Double,
    _ change: (SoundSource) -> Void = { _ in }
  ) throws -> (samples: [Float], resolution: ReverbResolution?) {
    var renderer = try OfflineRenderer(format: format)
    renderer.context.reverb = reverb
    let impulse = TestSignal.impulse(duration: .milliseconds(10), format: format)
    let source = try SoundSource(playing: SoundBuffer(impulse, in: renderer.context), in: renderer.context)
    source.reverbBlend = 1
    change(source)
    // The reverb settles first.
    _ = renderer.render(.milliseconds(250))
    source.play()
    let mix = renderer.render(frameCount: Int(seconds * Double(rate)))
    return (mix.channel(0), renderer.context.reverbResolution)
  }

  /// The level of a steady tone in the mix, in decibels; only the wet part if there is a reverb.
  static func level(
    ofTone frequency: Double,
    through reverb: Reverb?,
    _ change: (SoundSource) -> Void = { _ in }
  ) throws -> Double {
    var renderer = try OfflineRenderer(format: format)
    renderer.context.reverb = reverb
    let tone = TestSignal.sine(frequency: frequency, duration: .milliseconds(100), format: format)
    let source = try SoundSource(playing: SoundBuffer(tone, in: renderer.context), in: renderer.context)
    source.isLooping = true
    source.reverbBlend = 1
    change(source)
    source.play()
    _ = renderer.render(.milliseconds(400))
    return Double(renderer.render(.milliseconds(100)).level(at: frequency).rawValue)
  }

  /// The largest step between samples of a tone of 200 Hz: by itself, and while its obstruction falls to -40 dB.
  static func largestSteps(whileObstructedBy step: Double) throws -> (own: Float, changing: Float) {
    var renderer = try OfflineRenderer(format: format)
    let tone = TestSignal.sine(frequency: 200, duration: .milliseconds(500), format: format)
    let source = try SoundSource(playing: SoundBuffer(tone, in: renderer.context), in: renderer.context)
    source.isLooping = true
    source.play()
    var last: Float = 0
    /// The step from the last sample of the previous mix counts too.
    func largest(_ samples: [Float]) -> Float {
      let steps = zip([last] + samples, samples).reduce(0) { max($0, abs($1.1 - $1.0)) }
      last = samples.last ?? last
      return steps
    }
    // The frame count ends a quarter of a period after whole periods: the tone is at its peak at the first change.
    let own = largest(renderer.render(frameCount: 24_060).channel(0))
    var changing: Float = 0
    for level in Array(stride(from: -step, to: -40, by: -step)) + [-40, -40] {
      source.obstruction = Decibels(Float(level))
      changing = max(changing, largest(renderer.render(frameCount: 800).channel(0)))
    }
    return (own, changing)
  }

  /// The level of one frequency of a response, in decibels.
  ///
  /// `level(at:)` is unsuitable, since its window is meant for steady tones.
  static func level(at frequency: Double, of response: [Float]) -> Double {
    // Goertzel's algorithm.
    let step = 2 * cos(2 * .pi * frequency / Double(rate))
    var (one, two) = (0.0, 0.0)
    for sample in response { (one, two) = (Double(sample) + step * one - two, one) }
    return 10 * log10(max(one * one + two * two - step * one * two, 1e-30))
  }

  /// The energy of a response, in decibels.
  static func energy(of response: [Float]) -> Double {
    10 * log10(max(response.reduce(0) { $0 + Double($1) * Double($1) }, 1e-30))
  }

  /// The remaining energy at each frame in an octave band, in decibels relative to all of it (Schroeder).
  static func decay(of response: [Float], octaveAbout center: Double) -> [Double] {
    let w = 2 * Double.pi * center / Double(rate)
    let alpha = sin(w) * sinh(log(2) / 2 * w / sin(w))
    let (b, a1, a2) = (alpha / (1 + alpha), -2 * cos(w) / (1 + alpha), (1 - alpha) / (1 + alpha))
    var band = response.map(Double.init)
    for _ in 1...2 {
      var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
      for index in band.indices {
        let x = band[index]
        let y = b * (x - x2) - a1 * y1 - a2 * y2
        (x2, x1, y2, y1) = (x1, x, y1, y)
        band[index] = y
      }
    }
    var sum = 0.0
    for index in band.indices.reversed() {
      sum += band[index] * band[index]
      band[index] = sum
    }
    return band.map { 10 * log10(max($0 / sum, 1e-12)) }
  }

  /// The time to fall by 60 dB at middle frequencies, in seconds: the mean of two octave bands.
  static func decayTime(of response: [Float]) throws -> Double {
    let mix = try PCMBuffer(samples: response, format: format)
    return try [500.0, 1_000].map { try mix.reverberationTime(.t30, octaveBand: $0) / .seconds(1) }.reduce(0, +) / 2
  }
}
