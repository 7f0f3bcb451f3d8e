import Foundation
import GameAudio
import Stage

/// A series of calls to a sound bank, and their results.
final class Session {
  /// A call at a time in seconds.
  struct Step {
    let time: Double
    let words: String
    let act: (SoundBank) async throws(GameAudioError) -> Void
  }

  /// The duration of the session, in seconds.
  static let seconds = 6.0

  let bank: SoundBank

  /// The steps in the order of time.
  private(set) var steps: [Step] = []

  /// A session with files, whose names without extension are the keys.
  ///
  /// The keys of the files have to differ.
  init(with files: [String], in context: AudioContext) {
    bank = SoundBank(in: AudioWorld(in: context, voiceLimit: 16))
    for path in files { bank.define(Self.key(of: path), Sound(path)) }
    let (loop, shot) = (Self.key(of: files[0]), Self.key(of: files[min(1, files.count - 1)]))

    func step(_ time: Double, _ words: String, _ act: @escaping (SoundBank) async throws(GameAudioError) -> Void) {
      steps.append(Step(time: time, words: words, act: act))
    }
    step(0, "load") { bank throws(GameAudioError) in try await bank.loadAll() }
    step(0, "play \(loop)") { bank throws(GameAudioError) in
      try bank.play(loop, at: [-2, 0, -1], repeats: .forever)
    }
    for (time, place) in [(0.5, SIMD3<Float>(2, 0, -1)), (0.9, [0, 0, -2]), (1.3, [3, 0, -1])] {
      step(time, "play \(shot)") { bank throws(GameAudioError) in try bank.play(shot, at: place) }
    }
    step(2, "rewind \(loop)") { bank in bank.rewind(loop) }
    step(3, "stop \(shot)") { bank in bank.stop(shot) }
    step(3.5, "reload \(loop)") { bank throws(GameAudioError) in try await bank.reload(loop) }
    step(4, "unload \(shot)") { bank in bank.unload(shot) }
    step(4.2, "play \(shot)") { bank throws(GameAudioError) in try bank.play(shot, at: [2, 0, -1]) }
    step(5, "play nobody") { bank throws(GameAudioError) in try bank.play("nobody") }
  }

  /// The key of a file's sound.
  static func key(of path: String) -> SoundKey {
    SoundKey(URL(filePath: path).deletingPathExtension().lastPathComponent.withoutControlCharacters)
  }

  /// Performs a step, and returns a line with the sounds that play after it, or with the error.
  func perform(_ step: Step) async -> String {
    let start = String(format: "%5.2f s  ", step.time) + step.words.padding(toLength: 22, withPad: " ", startingAt: 0)
    do throws(GameAudioError) {
      try await step.act(bank)
      let counts = bank.keys.map { ($0, bank.playingCount($0)) }.filter { $0.1 > 0 }
      let sounding = counts.map { $0.1 > 1 ? "\($0.0) × \($0.1)" : $0.0.name }
      return start + (sounding.isEmpty ? "silence" : sounding.joined(separator: ", "))
    } catch {
      return start + "\(error)"
    }
  }

  /// A sentence with the numbers of keys and of those in memory.
  var balance: String {
    let loaded = bank.keys.count { bank.isLoaded($0) }
    return "\(loaded) of \(bank.keys.count) \(bank.keys.count == 1 ? "key is" : "keys are") in memory."
  }
}
