/// A change from one path to another, over some ticks: the direction and the distance glide, not the position itself,
/// which might pass near the listener.
struct PathGlide: Equatable, Sendable {
  /// The ticks of a change: 0.17 s at 48,000 Hz.
  ///
  /// Chosen: a person who walks through a door needs longer, and a direction that jumps is a click.
  static let ticks: Float = 16

  /// The ticks that are left of a change.
  private var left: Float = 0
  private var direction = SIMD3<Float>.zero
  private var distance: Float = 0
  private var arrival = SIMD3<Float>.zero
  private var course: SoundPath.Course?
  private var openings: UInt64 = 0

  /// The path after some ticks; a change of its course or of an opening begins a glide.
  ///
  /// - Parameters:
  ///   - path: The path that is in force at the end of a glide.
  ///   - listener: The position of the listener.
  ///   - ticks: The time, in ticks; 0 leaves the position where it is.
  /// - Returns: The path that is in force now.
  mutating func next(_ path: SoundPath, from listener: SIMD3<Float>, ticks: Float = 1) -> SoundPath {
    let way = path.place - listener
    let length = way.length
    let ahead = length > 0 ? way / length : SIMD3(0, 0, -1)
    if let course, course != path.course || openings != path.openings { left = Self.ticks }
    (course, openings) = (path.course, path.openings)
    guard left > 0 else {
      (direction, distance, arrival) = (ahead, length, path.arrival)
      return path
    }
    if ticks > 0 {
      let part = min(ticks / left, 1)
      left = max(left - ticks, 0)
      distance += (length - distance) * part
      direction = direction.turned(to: ahead, part: part)
      arrival = arrival.turned(to: path.arrival, part: part)
    }
    var path = path
    path.place = listener + direction * distance
    (path.ahead, path.arrival) = (direction, arrival)
    return path
  }

  /// Whether no change from one path to another is in progress.
  var isIdle: Bool { left == 0 && course != nil }

  /// Forgets the last path: the next one is in force at once.
  mutating func reset() { (left, course) = (0, nil) }
}
