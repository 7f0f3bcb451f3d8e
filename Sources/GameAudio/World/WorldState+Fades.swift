internal import Spatial3D

/// A level that moves from tick to tick.
struct RunningFade: Sendable {
  /// The level that moves.
  enum Kind: Sendable { case gain, level }
  /// The change at the end.
  enum Completion: Sendable { case none, end, pause }

  let slot: Int
  let kind: Kind
  let from: Decibels
  let to: Decibels
  private(set) var begin: Int
  let fade: Fade
  let completion: Completion

  init(slot: Int, kind: Kind, from: Decibels, to: Decibels, begin: Int, fade: Fade, completion: Completion) {
    (self.slot, self.kind, self.from, self.to) = (slot, kind, from, to)
    (self.begin, self.fade, self.completion) = (begin, fade, completion)
  }

  /// The fade with another frame of its begin.
  func rebased(to frame: Int) -> RunningFade {
    var fade = self
    fade.begin = frame
    return fade
  }
}

extension WorldState {
  /// Begins a fade from the level that is in force.
  mutating func beginFade(
    of slot: Int,
    _ kind: RunningFade.Kind,
    to level: Decibels,
    _ fade: Fade,
    then completion: RunningFade.Completion = .none
  ) {
    fades.removeAll { $0.slot == slot && $0.kind == kind }
    let from = Decibels(gain: kind == .gain ? records[slot].gain : records[slot].fade)
    let running = RunningFade(
      slot: slot,
      kind: kind,
      from: from,
      to: level,
      begin: now,
      fade: fade,
      completion: completion
    )
    fades.append(running)
    if fade.duration <= .zero { stepFades(ahead: 0) }
  }

  /// Sets the levels of all fades for the end of the next tick, and completes those that are over.
  ///
  /// The mixer moves evenly from one level to the next, so that each tick sets the level at its end.
  mutating func stepFades(ahead: Int = AudioWorld.tick) {
    var index = 0
    while index < fades.count {
      let running = fades[index]
      let length = frames(in: running.fade.duration)
      if now - running.begin >= length {
        fades.remove(at: index)
        setLevel(running.to, running)
        switch running.completion {
        case .none: break
        case .end: end(running.slot, .stopped)
        case .pause: rest(running.slot)
        }
        // The completion may have removed other fades.
        index = 0
        continue
      }
      let time = time(ofFrames: now + ahead - running.begin)
      setLevel(running.fade.level(from: running.from, to: running.to, after: time), running)
      index += 1
    }
  }

  private mutating func setLevel(_ level: Decibels, _ running: RunningFade) {
    switch running.kind {
    case .gain: records[running.slot].gain = level.gain
    case .level: records[running.slot].fade = level.gain
    }
    updateWeight(of: running.slot)
  }
}
