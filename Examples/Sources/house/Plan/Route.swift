/// The scripted walk through all rooms.
enum Route {
  /// A part of the walk: a path to a stop, at which the listener stands.
  struct Leg: Hashable, Sendable {
    /// The positions along the path; the last position is the stop.
    let path: [SIMD2<Double>]
    /// The door that opens when the leg begins; `nil` for none.
    var opens: Int?
    /// The words for the table.
    let name: String
  }

  /// The speed of the walk, in metres a second.
  static let speed = 1.4
  /// The seconds at each stop: a second for the occlusion to settle, and one loop of each sound.
  static let stay = settling + listening
  static let settling = 1.0
  static let listening = 2.0
  /// The updates of a second, as in a game.
  static let updateRate = 60
  static let start = SIMD2(1.5, 5.5)

  static let legs = [
    Leg(path: [start], name: "the far corner of the hall"),
    Leg(path: [[4, 6.4], [7, 6.2], [7.8, 3.4]], name: "near door 1"),
    Leg(path: [[8.4, 2.5], [9.6, 2.5], [11.2, 3.6]], name: "through door 1"),
    Leg(path: [[11.2, 3.6]], opens: 1, name: "door 2 opens"),
    Leg(path: [[12.5, 5.2], [12.5, 6.8], [11, 8.4]], name: "through door 2"),
    Leg(path: [[10.2, 11], [7.8, 11], [6.2, 9.6]], name: "through door 3"),
  ]

  /// The times at which each leg begins and ends, in seconds.
  static let times: [ClosedRange<Double>] = {
    var (time, place) = (0.0, start)
    return legs.map { leg in
      let begin = time
      // Whole quarters of a second.
      time += (length(from: place, along: leg.path) / speed * 4).rounded(.up) / 4 + stay
      place = leg.path.last ?? place
      return begin...time
    }
  }()

  /// The length of the walk, in seconds.
  static var seconds: Double { times.last?.upperBound ?? 0 }

  /// The index of the leg at a time.
  static func leg(at time: Double) -> Int { times.firstIndex { time < $0.upperBound } ?? legs.count - 1 }

  /// The position at a time, and the direction of the walk; at a stop, the direction of the last step.
  static func step(at time: Double) -> (place: SIMD2<Double>, direction: SIMD2<Double>) {
    let index = leg(at: time)
    let from = index > 0 ? legs[index - 1].path.last ?? start : start
    let whole = length(from: from, along: legs[index].path)
    let walking = times[index].upperBound - times[index].lowerBound - stay
    let part = walking > 0 ? min((time - times[index].lowerBound) / walking, 1) : 1
    guard whole > 0 else { return (from, index > 0 ? step(at: times[index].lowerBound - 1e-3).direction : [1, 0]) }
    var (left, place, direction) = (whole * part, from, SIMD2(1.0, 0.0))
    for next in legs[index].path {
      let way = next - place
      let length = (way * way).sum().squareRoot()
      guard length > 0 else { continue }
      direction = way / length
      if left <= length { return (place + direction * left, direction) }
      (left, place) = (left - length, next)
    }
    return (place, direction)
  }

  private static func length(from start: SIMD2<Double>, along path: [SIMD2<Double>]) -> Double {
    zip([start] + path, path).reduce(0) { sum, ends in
      let way = ends.1 - ends.0
      return sum + (way * way).sum().squareRoot()
    }
  }
}
