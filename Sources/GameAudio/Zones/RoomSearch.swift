/// The room that a place belongs to.
///
/// Pure: no call and no lock.
enum RoomSearch {
  /// The distance from a zone, in metres, up to which a place that is in no zone counts as inside: half of a thick wall.
  static let margin: Float = 0.5

  /// The index of the zone of the highest priority that contains a place, or of the nearest one within the margin.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - zones: The zones; their number is the index of the outdoors.
  /// - Returns: The index.
  static func room(of place: SIMD3<Float>, in zones: [ReverbZone]) -> Int {
    var (inside, near, nearest) = (-1, zones.count, margin)
    for index in zones.indices where zones[index].hasUsableFade {
      let distance = zones[index].shape.distance(to: place)
      if distance <= 0 {
        if inside < 0 || zones[index].priority > zones[inside].priority { inside = index }
      } else if distance < nearest {
        (near, nearest) = (index, distance)
      }
    }
    return inside >= 0 ? inside : near
  }
}
