import Foundation
import FuzzSupport
import GameAudio

/// Calls of banks.
extension Operation {
  static let banks: [Operation] = [
    Operation("bank.play", 3) { caller in
      let (bank, key) = (caller.game.bank, caller.values.key())
      let (gain, bus, repeats) = (caller.values.gain(), caller.bus(), caller.values.repeats())
      let position: SIMD3<Float>? = caller.values.chance(0.5) ? caller.values.vector() : nil
      caller.expect()
      let emitter = caller.call("bank.play \(key)") {
        try? bank.play(key, at: position, gain: gain, repeats: repeats, on: bus)
      }
      if let emitter { caller.enter(emitter) }
    },
    Operation("bank.change", 2) { caller in
      let (bank, key) = (caller.game.bank, caller.values.key())
      // A replay releases no samples.
      let (kind, fade) = (caller.values.int(0...(caller.game.isReplayed ? 3 : 4)), caller.values.fade())
      caller.call("bank \(kind) \(key)") {
        switch kind {
        case 0: bank.stop(key, fade)
        case 1: bank.rewind(key)
        case 2: _ = (bank.playingCount(key), bank.isPlaying(key), bank.isLoaded(key), bank.keys)
        case 3: _ = try? bank[key].choice
        default: bank.unload(key)
        }
      }
      caller.run.require(bank.byteCount >= 0 && bank.playingCount(key) >= 0, "a negative count")
    },
    Operation("bank.define", 2) { caller in
      guard !caller.game.isReplayed else { return }
      let (bank, key) = (caller.game.bank, caller.values.key())
      let (sound, isPlaced) = (caller.game.sound(&caller.values), caller.values.chance(0.6))
      let loading = caller.values.element(of: SoundBank.Loading.allCases)
      caller.call("bank.define \(key) \(loading)") { bank.define(key, sound, loading: loading, isPlaced: isPlaced) }
    },
    Operation("bank.load", 2) { caller in
      let (bank, run) = (caller.game.bank, caller.run)
      let keys = (0..<caller.values.int(0...4)).map { _ in caller.values.key() }
      let kind = caller.values.int(0...2)
      caller.perform("bank.load \(kind) \(keys)") {
        let last = Lock((finished: 0, isOrdered: true))
        let progress: @Sendable (Int, Int) -> Void = { finished, total in
          last.withLock { last in
            last.isOrdered = last.isOrdered && finished > last.finished && finished <= total
            last.finished = finished
          }
        }
        switch kind {
        case 0: try? await bank.load(keys, progress: progress)
        case 1: try? await bank.loadAll(progress: progress)
        default: if let key = keys.first { try? await bank.load(key) }
        }
        run.require(last.withLock { $0.isOrdered }, "the progress of a load goes back, or beyond the total")
      }
    },
    Operation("bank.reload", 2) { caller in
      // A recording holds no samples: a replay reads the new samples.
      guard !caller.game.isReplayed else { return }
      let (bank, key, files) = (caller.game.bank, caller.values.key(), caller.game.files)
      let (index, seed) = (caller.values.int(0...3), caller.values.int(0...99))
      let (writes, reloads) = (caller.values.chance(0.5), caller.values.chance(0.7))
      caller.perform("bank.reload \(key)") {
        if writes { files.rewrite(index, seed) }
        if reloads { try? await bank.reload(key) }
      }
    },
    Operation("bank.budget", 1) { caller in
      guard !caller.game.isReplayed else { return }
      let (bank, isOn) = (caller.game.bank, caller.values.chance(0.5))
      let budget = caller.values.chance(0.3) ? nil : caller.values.count(0...400_000)
      caller.call("bank.budget = \(String(describing: budget)), watches \(isOn)") {
        bank.budget = budget
        bank.watchesFiles = isOn
      }
      caller.run.require(bank.budget ?? 0 >= 0, "a negative budget")
    },
  ]
}

extension Caller {
  /// Awaits a task, or leaves it to another thread.
  mutating func perform(_ text: String, _ body: @escaping @Sendable () async -> Void) {
    let waits = game.isAlone || values.chance(0.3)
    call(text) {
      let done = DispatchSemaphore(value: 0)
      let task = Task.detached {
        await body()
        done.signal()
      }
      if waits {
        done.wait()
      } else if values.chance(0.2) {
        task.cancel()
      }
    }
  }
}

extension Values {
  /// A key of the bank, or an unknown key.
  mutating func key() -> SoundKey { SoundKey("tone\(int(0...5))") }
}
