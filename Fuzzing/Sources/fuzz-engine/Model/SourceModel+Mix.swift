import FuzzSupport
import Spatial3D

extension SourceModel {
  /// Advances by some frames of the mix.
  ///
  /// The engine mixes in pieces. The pieces affect how many notifications a count is divided into, and nothing else.
  mutating func mix(_ frames: Int, isFrozen: Bool) {
    defer { mixed += frames }
    guard !isFrozen else { return }
    defer { clock += frames }
    guard state == .playing, frames > 0 else { return }
    var silent = 0
    if let beginning {
      silent = beginning - clock
      guard silent < frames else { return }
      self.beginning = nil
    }
    advance(by: frames - max(silent, 0), from: mixed + max(silent, 0))
  }

  private mutating func advance(by frames: Int, from begin: Int) {
    let (from, step) = (place, step)
    /// The frame of the mix at which the position reaches a frame of the sound.
    func arrival(at frame: Int) -> Int {
      let way = frame * Self.unitsPerFrame - from
      return begin + max((way + step - 1) / step, 1)
    }
    place += frames * step
    if isLooping, from < loop.upperBound * Self.unitsPerFrame {
      let end = loop.upperBound * Self.unitsPerFrame
      guard place >= end else { return }
      let length = loop.count * Self.unitsPerFrame
      let laps = (place - end) / length + 1
      place -= laps * length
      return note(.looped(laps), .mix, at: arrival(at: loop.upperBound + (laps - 1) * loop.count))
    }
    let isOver = place >= frameCount * Self.unitsPerFrame
    if isQueue {
      let count = isOver ? lengths.count : playedCount
      let end = lengths.prefix(count).reduce(0, +)
      if isOver { state = .stopped }
      notePlayed(count, by: .mix, at: arrival(at: end))
      if isOver { state = .playing }
    }
    if isOver { move(to: .stopped, by: .mix, at: arrival(at: frameCount)) }
  }
}
