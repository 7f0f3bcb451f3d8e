/// How often a source started over between two places, by how far it must have come.
///
/// A place tells where in a loop a source is and not how often it came by. That is the number with which the way between the
/// two places is nearest to what pitch and time say. Pure: no call and no lock.
struct LoopCounter: Sendable {
  /// What repeats: frames of a sound or a queue.
  struct Loop: Hashable, Sendable {
    var range: Range<Int>
    var isOn: Bool
  }

  /// The place after which nothing was counted yet, in frames.
  var place: Double

  /// How often the source started over on its way to a place; goes on from there.
  ///
  /// How far it came is known to less than half a loop.
  mutating func advance(by advance: Double, to newPlace: Double, in loop: Loop) -> Int {
    defer { place = newPlace }
    guard loop.isOn, !loop.range.isEmpty else { return 0 }
    let laps = ((place + advance - newPlace) / Double(loop.range.count)).rounded()
    return max(Int(saturating: laps), 0)
  }
}

extension LoopCounter {
  /// The same over a call, of which it is not known how much of what was mixed came before it.
  ///
  /// The mixer takes equal steps. Mostly there is none or one meanwhile; the way is the likeliest that leads to the place: all,
  /// nothing, something known, or so many of at most eight steps.
  mutating func advance(byPartOf mixed: Double, or known: Double, to newPlace: Double, in loop: Loop) -> Int {
    let length = Double(loop.range.count)
    guard loop.isOn, length > 0 else {
      place = newPlace
      return 0
    }
    /// Whether a way leads to the place.
    func fits(_ way: Double) -> Bool {
      let beside = place + way - newPlace
      return abs(beside - (beside / length).rounded() * length) < 1
    }
    var ways = [0, mixed, known]
    for steps in 2...8 { ways += (1..<steps).map { mixed * Double($0) / Double(steps) } }
    return advance(by: ways.first(where: fits) ?? mixed, to: newPlace, in: loop)
  }
}

extension LoopCounter {
  /// The same over the end of playing, where the way is one of few, and the one that leads nearest to the place.
  mutating func advance(byOneOf ways: [Double], to newPlace: Double, in loop: Loop) -> Int {
    let length = Double(loop.range.count)
    func miss(_ way: Double) -> Double {
      let beside = place + way - newPlace
      return abs(beside - (beside / length).rounded() * length)
    }
    let best = length > 0 ? ways.min { miss($0) < miss($1) } : nil
    return advance(by: best ?? 0, to: newPlace, in: loop)
  }
}

/// When a source that is at a place comes to another.
enum Arrival {
  /// How many frames of the mix it takes until a frame is the next to be mixed.
  static func frames(from place: Double, to frame: Double, step: Double) -> Int {
    guard step > 0, step.isFinite, frame > place else { return 0 }
    // A place of fixed point is a little before or after what it means.
    let frames = ((frame - place) / step - 1e-6).rounded(.up)
    return Int(saturating: frames)
  }
}
