internal import PCM
internal import Spatial3D

/// A value that a fade moves.
protocol FadedValue: Sendable {
  /// The value at a time after the beginning of a fade from this value.
  func faded(to last: Self, by fade: Fade, after time: Duration) -> Self
}

extension Gain: FadedValue {
  func faded(to last: Gain, by fade: Fade, after time: Duration) -> Gain {
    fade.gain(from: self, to: last, after: time)
  }
}

/// The fades that run, at most one for each key.
///
/// A step first returns the values that move, and then the fades that have ended. The caller stores the values, and
/// carries out the completions: a completion may remove or begin other fades. Pure: no call and no lock.
struct FadeTable<Key: Hashable & Sendable, Value: FadedValue, Completion: Sendable>: Sendable {
  /// A value that moves from tick to tick.
  struct Running: Sendable {
    let key: Key
    let from: Value
    let to: Value
    /// The frame of the mix at which it began.
    var begin: Int
    let fade: Fade
    let completion: Completion

    /// The same fade of another value, at later frames.
    func moved(to key: Key, after shift: Int) -> Running {
      Running(key: key, from: from, to: to, begin: begin + shift, fade: fade, completion: completion)
    }
  }

  private var list = KeyedList<Key, Running>()
  /// The fades that have ended in the present step, and the number of them that the step has returned.
  private var ended: [Key] = []
  private var returned = 0
  /// The fades that the present step has looked at.
  private var visited = 0

  var isEmpty: Bool { list.isEmpty }

  /// The fades, in the order in which a step moves them.
  var running: [Running] { list.values }

  /// Begins a fade instead of the present fade of its key.
  mutating func begin(_ fade: Running) { list.set(fade, for: fade.key) }

  /// Ends a fade at the value that it has.
  mutating func remove(_ key: Key) { if !list.isEmpty { list.remove(key) } }

  /// Begins a step: ``nextMoved(at:ahead:)`` returns its values, and then ``nextEnded()`` the fades that are over.
  mutating func beginStep() {
    (visited, returned) = (0, 0)
    ended.removeAll(keepingCapacity: true)
  }

  /// The next value that moves, a number of frames ahead of the mix; `nil` for no other.
  mutating func nextMoved(at now: MixTime, ahead: Int) -> (key: Key, value: Value)? {
    let format = PCMFormat.mono(sampleRate: now.rate)
    while visited < list.values.count {
      let running = list.values[visited]
      visited += 1
      guard now.frame - running.begin < format.frameCount(in: running.fade.duration) else {
        ended.append(running.key)
        continue
      }
      let time = format.duration(ofFrames: now.frame + ahead - running.begin)
      return (running.key, running.from.faded(to: running.to, by: running.fade, after: time))
    }
    return nil
  }

  /// The next fade that is over; `nil` for no other.
  mutating func nextEnded() -> Running? {
    while returned < ended.count {
      returned += 1
      // The completion of an earlier fade may have removed it.
      if let running = list.remove(ended[returned - 1]) { return running }
    }
    return nil
  }
}

extension FadeTable: RateConvertible {
  mutating func convertFrames(_ conversion: FrameConversion) { list.update { conversion.convert(&$0.begin) } }
}
