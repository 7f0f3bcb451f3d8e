/// Counts how often a source started over between two positions.
///
/// A position in a loop does not contain the number of laps. The counter takes the number that brings the distance
/// between the two positions nearest to the distance by pitch and time. Pure: no call and no lock.
struct LoopCounter: Sendable {
  /// The range that repeats, in frames of a sound or a queue.
  struct Loop: Hashable, Sendable {
    var range: Range<Int>
    var isOn: Bool
  }

  /// The position up to which laps were counted, in frames.
  var position: Double

  /// Returns the number of laps up to a position; the next count begins there.
  ///
  /// The distance has to be exact to less than half a loop, except in the introduction ahead of the range, to which no
  /// lap leads.
  mutating func advance(by advance: Double, to newPosition: Double, in loop: Loop) -> Int {
    defer { position = newPosition }
    guard loop.isOn, !loop.range.isEmpty, newPosition >= Double(loop.range.lowerBound) else { return 0 }
    let laps = ((position + advance - newPosition) / Double(loop.range.count)).rounded()
    return max(Int(saturating: laps), 0)
  }
}

extension LoopCounter {
  /// Counts laps over a call, if only a part of the mixed frames came before it, and the size of the part is unknown.
  ///
  /// The mixer takes equal steps, and usually makes none or one during the call. The counter takes the likeliest
  /// distance that leads to the position: none, all, a known one, or a number of at most eight steps.
  mutating func advance(byPartOf mixed: Double, or known: Double, to newPosition: Double, in loop: Loop) -> Int {
    let length = Double(loop.range.count)
    var ways = [0, mixed, known]
    for steps in 2...8 { ways += (1..<steps).map { mixed * Double($0) / Double(steps) } }
    return advance(by: ways.first { miss($0, newPosition, length) < 1 } ?? mixed, to: newPosition, in: loop)
  }
}

extension LoopCounter {
  /// Counts laps over the end of playing: takes the distance from a short list that leads nearest to the position.
  mutating func advance(byOneOf ways: [Double], to newPosition: Double, in loop: Loop) -> Int {
    let length = Double(loop.range.count)
    let best = length > 0 ? ways.min { miss($0, newPosition, length) < miss($1, newPosition, length) } : nil
    return advance(by: best ?? 0, to: newPosition, in: loop)
  }

  /// The frames by which a distance misses a position, in a loop of a length.
  private func miss(_ way: Double, _ newPosition: Double, _ length: Double) -> Double {
    let beside = position + way - newPosition
    return abs(beside - (beside / length).rounded() * length)
  }
}

/// The time until a source at one position reaches another.
enum Arrival {
  /// The number of frames of the mix until a frame is the next one to be mixed.
  static func frames(from position: Double, to frame: Double, step: Double) -> Int {
    guard step > 0, step.isFinite, frame > position else { return 0 }
    // A fixed-point position is a little before or after the exact one.
    let frames = ((frame - position) / step - 1e-6).rounded(.up)
    return Int(saturating: frames)
  }
}
