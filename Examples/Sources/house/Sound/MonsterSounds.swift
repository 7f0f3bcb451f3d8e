import Foundation
import GameAudio
import Stage

/// The sounds of the monsters and of the listener's steps, synthesised.
///
/// The sounds of monsters are loops of two seconds. Each begins and ends in silence.
enum MonsterSounds {
  static let format = PCMFormat.mono(sampleRate: 48_000)
  static let seconds = 2.0

  /// The samples of a monster by its name.
  static func loop(of monster: Monster) throws(PCMError) -> PCMBuffer<Float> {
    switch monster.name {
    case "hound": try growl(pitch: 92, tremor: 31, breaths: 2, seed: 2)
    case "ogre": try growl(pitch: 48, tremor: 17, breaths: 1, seed: 3)
    default: try steps(at: [0.1, 0.6, 1.1, 1.6], brightness: 0.3, seed: 4)
    }
  }

  /// One step of the listener.
  static func step() throws(PCMError) -> Sound {
    Sound(try tone(seconds: 0.2, strike(seed: 5, brightness: 0.12, at: 0)))
  }

  /// A rough voice: a buzz with a tremor, and breath.
  private static func growl(pitch: Double, tremor: Double, breaths: Int, seed: UInt64) throws(PCMError) -> PCMBuffer<
    Float
  > {
    var noise = Noise(seed: seed)
    var (low, phase) = (0.0, 0.0)
    return try tone(seconds: seconds) { time in
      let swell = pow(sin(.pi * Double(breaths) * time / seconds), 2)
      phase += pitch * (1 + 0.15 * swell) / Double(format.sampleRate)
      low += 0.25 * (noise.next() - low)
      let buzz = (1...14).reduce(0) { $0 + sin(2 * .pi * phase * Double($1)) / Double($1).squareRoot() }
      let rough = 0.6 + 0.4 * sin(2 * .pi * tremor * time)
      return swell * rough * (0.1 * buzz + 0.4 * low)
    }
  }

  private static func steps(at times: [Double], brightness: Double, seed: UInt64) throws(PCMError) -> PCMBuffer<Float> {
    let strikes = times.enumerated().map { index, time in
      strike(seed: seed + UInt64(index % 2), brightness: brightness, at: time)
    }
    var noise = Noise(seed: seed + 2)
    var low = 0.0
    return try tone(seconds: seconds) { time in
      // Its cloak drags over the floor: a sound with pauses gives its voice away in each of them.
      low += 0.05 * (noise.next() - low)
      let drag = 0.08 * low * min(time / 0.02, (seconds - time) / 0.02, 1)
      return strikes.reduce(drag) { $0 + $1(time) }
    }
  }

  /// A heel and a sole: a thump, and noise that decays.
  private static func strike(seed: UInt64, brightness: Double, at start: Double) -> (Double) -> Double {
    var noise = Noise(seed: seed)
    var low = 0.0
    return { time in
      let since = time - start
      guard since >= 0, since < 0.2 else { return 0 }
      low += brightness * (noise.next() - low)
      let rise = min(since / 0.002, 1) * min((0.2 - since) / 0.02, 1)
      return rise * (0.3 * exp(-since * 40) * sin(2 * .pi * 80 * since) + 0.8 * exp(-since * 28) * low)
    }
  }

  private static func tone(seconds: Double, _ value: (Double) -> Double) throws(PCMError) -> PCMBuffer<Float> {
    let rate = Double(format.sampleRate)
    return try PCMBuffer(samples: (0..<Int(seconds * rate)).map { Float(value(Double($0) / rate)) }, format: format)
  }
}
