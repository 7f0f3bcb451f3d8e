import Foundation
import Spatial3D
import Stage

/// A series of calls to a sound bank, and their results.
final class Session {
  /// A call at a time in seconds.
  struct Step {
    let time: Double
    let words: String
    let act: (Session) throws(BankError) -> Void
  }

  /// The duration of the session, in seconds.
  static let seconds = 6.0

  let bank: SoundBank

  /// The steps in the order of time.
  private(set) var steps: [Step] = []

  private struct Loaded {
    weak var buffer: SoundBuffer?
  }
  private var loaded: [Loaded] = []

  /// A session with files, whose names without extension are the keys.
  ///
  /// The keys of the files have to differ.
  init(with files: [String], in context: AudioContext) throws(BankError) {
    bank = SoundBank(in: context)
    let sounds = files.map { path in (key: Self.key(of: path), path: path) }
    for (index, sound) in sounds.enumerated() { try load(sound.key, from: sound.path, isLooping: index == 0) }
    let (loop, shot) = (sounds[0], sounds[min(1, sounds.count - 1)])

    func step(_ time: Double, _ words: String, _ act: @escaping (Session) throws(BankError) -> Void) {
      steps.append(Step(time: time, words: words, act: act))
    }
    step(0, "play \(loop.key)") { session throws(BankError) in try session.bank.play(loop.key, at: [-2, 0, -1]) }
    for (time, place) in [(0.5, SIMD3<Float>(2, 0, -1)), (0.9, [0, 0, -2]), (1.3, [3, 0, -1])] {
      step(time, "play \(shot.key)") { session throws(BankError) in try session.bank.play(shot.key, at: place) }
    }
    step(2, "rewind \(loop.key)") { session throws(BankError) in try session.bank.rewind(loop.key) }
    step(2.5, "play \(loop.key)") { session throws(BankError) in try session.bank.play(loop.key, at: [-2, 0, -1]) }
    step(3, "stop \(shot.key)") { session throws(BankError) in try session.bank.stop(shot.key) }
    step(3.5, "load \(loop.key) again") { session throws(BankError) in
      try session.load(loop.key, from: loop.path, isLooping: true)
    }
    step(4, "load \(shot.key) again") { session throws(BankError) in
      try session.load(shot.key, from: shot.path, isLooping: sounds.count == 1)
    }
    step(4.2, "play \(shot.key)") { session throws(BankError) in try session.bank.play(shot.key, at: [2, 0, -1]) }
    step(5, "play nobody") { session throws(BankError) in try session.bank.play("nobody") }
  }

  /// The key of a file's sound.
  static func key(of path: String) -> String {
    URL(filePath: path).deletingPathExtension().lastPathComponent.withoutControlCharacters
  }

  private func load(_ key: String, from path: String, isLooping: Bool = false) throws(BankError) {
    loaded.append(Loaded(buffer: try bank.load(key, from: path, isLooping: isLooping)))
  }

  /// Performs a step, and returns a line with the sounds that play after it, or with the error.
  func perform(_ step: Step) -> String {
    let start = String(format: "%5.2f s  ", step.time) + step.words.padding(toLength: 22, withPad: " ", startingAt: 0)
    do {
      try step.act(self)
      let counts = try bank.keys.map { key throws(BankError) in (key, try bank.playingCount(key)) }.filter { $0.1 > 0 }
      let sounding = counts.map { $0.1 > 1 ? "\($0.0) × \($0.1)" : $0.0 }
      return start + (sounding.isEmpty ? "silence" : sounding.joined(separator: ", "))
    } catch {
      return start + "\(error)"
    }
  }

  /// A sentence with the numbers of loaded sounds, of sounds still in memory, and of keys.
  var balance: String {
    let keys = bank.keys.count == 1 ? "1 key" : "\(bank.keys.count) keys"
    let kept = loaded.count { $0.buffer != nil }
    return "\(loaded.count) sounds were loaded, \(kept) \(kept == 1 ? "is" : "are") kept for \(keys)."
  }
}
