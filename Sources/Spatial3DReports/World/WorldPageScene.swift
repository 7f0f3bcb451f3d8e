internal import GameAudio

/// The values of a page about a world, in the form that its script reads.
///
/// Emitters and players have a row each. A snapshot is a list of words of 16 bits in Base64, eight for each row that exists
/// then: the row as two words, x and z on the map, the level and the level that is lacking in tenths of a decibel, and the
/// indices of the state and of the way.
struct WorldPageScene {
  /// The rows, by the numbers of the emitters and players.
  private var rows: [Int: Int] = [:]
  private var names: [JSON] = []
  /// The states in words: the first ones are the same in each page.
  private var states = ["has a voice"]
  private var stateIndices = ["has a voice": 0]
  /// The zones, ways and rays of emitters in words; the first one is none.
  private var ways = [WorldPageWay()]
  private var wayIndices = [WorldPageWay(): 0]
  private let page: WorldPage
  private let area: (x: ClosedRange<Float>, z: ClosedRange<Float>)

  /// The word of a place that is none.
  private static let noPlace = Int16.min

  init(_ page: WorldPage) {
    self.page = page
    let places = page.snapshots.flatMap {
      $0.emitters.compactMap(\.position) + $0.listeners.map(\.position) + $0.portals.map(\.position)
    }
    func range(_ values: [Float]) -> ClosedRange<Float> {
      let (low, high) = (values.min() ?? 0, values.max() ?? 0)
      let margin = max((high - low) * 0.05, 2)
      return low - margin...high + margin
    }
    let inner = (x: range(places.map(\.x)), z: range(places.map(\.z)))
    let corners = page.snapshots.spaceCorners
    area = (inner.x.widened(to: corners.map(\.x)), inner.z.widened(to: corners.map(\.y)))
  }

  /// The whole scene.
  var json: JSON {
    var scene = self
    let snapshots = scene.page.snapshots.map { scene.words(of: $0) }
    let start = page.snapshots.first?.time ?? 0
    return .object([
      "times": .list(page.snapshots.map { .number(($0.time - start).thousandths) }),
      "area": .list([area.x.lowerBound, area.x.upperBound, area.z.lowerBound, area.z.upperBound].map { .level($0) }),
      "voices": .number(Double(page.snapshots.first?.voiceLimit ?? 0)),
      "rows": .list(scene.names),
      "states": .list(scene.states.map { .text($0) }),
      "snapshots": .list(snapshots.map { .text($0) }),
      "listeners": .list(
        page.snapshots.map { snapshot in
          .list(
            snapshot.listeners.flatMap { listener -> [JSON] in
              let forward = listener.orientation.forward
              return [.level(listener.position.x), .level(listener.position.z), .level(forward.x), .level(forward.z)]
            }
          )
        }
      ),
      "space": page.snapshots.spaceJSON,
      "ways": .list(
        scene.ways.map { .list([.text($0.words), .number(Double($0.portal)), .number(Double($0.listener))]) }
      ),
      "buses": buses,
      "events": .list(
        page.events.map { event in
          .list([
            .number(event.time), .number(Double(event.number.flatMap { scene.rows[$0] } ?? -1)), .text(event.text),
          ])
        }
      ),
    ])
  }

  /// The levels of each bus over time, and its state in words.
  private var buses: JSON {
    var names: [String] = []
    for snapshot in page.snapshots {
      for bus in snapshot.buses where !names.contains(bus.name) { names.append(bus.name) }
    }
    return .list(
      names.map { name in
        let values = page.snapshots.map { snapshot in snapshot.buses.first { $0.name == name } }
        let parent = values.lazy.compactMap { $0 }.first?.parent
        return .object([
          "name": .text(name), "parent": .text(parent ?? ""),
          "levels": .list(values.map { .level($0.map { max($0.level.rawValue, -160) } ?? -160) }),
          "texts": .list(values.map { .text($0?.words ?? "") }),
        ])
      }
    )
  }

  /// The words of a snapshot, in Base64.
  private mutating func words(of snapshot: WorldSnapshot) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16 * (snapshot.emitters.count + snapshot.players.count))
    func add(_ word: Int16) { bytes += [UInt8(truncatingIfNeeded: word), UInt8(truncatingIfNeeded: word >> 8)] }
    func add(_ row: Int, _ place: SIMD3<Float>?, _ level: Float, _ silence: WorldSnapshot.Silence?, _ indices: [Int]) {
      add(Int16(truncatingIfNeeded: row))
      add(Int16(truncatingIfNeeded: row >> 16))
      add(place.map { Self.word($0.x, in: area.x) } ?? Self.noPlace)
      add(place.map { Self.word($0.z, in: area.z) } ?? Self.noPlace)
      add(Self.tenths(level))
      add(Self.tenths(silence?.lacking?.rawValue ?? 0))
      for index in indices { add(Int16(clamping: index)) }
    }
    for emitter in snapshot.emitters {
      let row = row(of: emitter.id, emitter.key ?? emitter.sound, emitter.bus)
      add(
        row,
        emitter.position,
        emitter.level.rawValue,
        emitter.silence,
        [state(of: emitter.silence), way(of: emitter, in: snapshot)]
      )
    }
    for player in snapshot.players {
      let row = row(of: player.id, player.sound, player.bus)
      add(row, nil, player.level.rawValue, player.silence, [state(of: player.silence), 0])
    }
    return bytes.base64
  }

  private mutating func row(of number: Int, _ name: String, _ bus: String) -> Int {
    if let row = rows[number] { return row }
    rows[number] = names.count
    names.append(.list([.number(Double(number)), .text(name), .text(bus)]))
    return names.count - 1
  }

  private mutating func state(of silence: WorldSnapshot.Silence?) -> Int {
    guard let silence else { return 0 }
    var plain = silence
    if silence.lacking != nil { plain.lacking = nil }
    let words = plain.pageWords
    if let index = stateIndices[words] { return index }
    states.append(words)
    stateIndices[words] = states.count - 1
    return states.count - 1
  }

  private mutating func way(of emitter: WorldSnapshot.Emitter, in snapshot: WorldSnapshot) -> Int {
    let way = WorldPageWay(of: emitter, in: snapshot)
    if let index = wayIndices[way] { return index }
    ways.append(way)
    wayIndices[way] = ways.count - 1
    return ways.count - 1
  }

  /// A coordinate as a part of the map, from -32,000 to 32,000.
  private static func word(_ value: Float, in range: ClosedRange<Float>) -> Int16 {
    let part = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
    return Int16((min(max(part, 0), 1) * 64_000 - 32_000).rounded())
  }

  private static func tenths(_ level: Float) -> Int16 {
    level.isFinite ? Int16((min(max(level, -200), 200) * 10).rounded()) : -2_000
  }
}

extension JSON {
  /// A number with two decimals, such as a level or a coordinate.
  static func level(_ value: Float) -> JSON { .number((Double(value) * 100).rounded() / 100) }
}

extension Double {
  fileprivate var thousandths: Double { (self * 1_000).rounded() / 1_000 }
}

extension WorldSnapshot.Silence {
  /// The reason without its level, which the page adds.
  fileprivate var pageWords: String {
    switch cause {
    case .tooQuiet: "too quiet for a voice"
    case .outranked: "others are chosen before it"
    default: description
    }
  }
}

extension WorldSnapshot.Bus {
  /// The settings that are no default, in words.
  fileprivate var words: String {
    var words: [String] = []
    if gain.rawValue != 0 { words.append(gain.rawValue.isFinite ? "gain \(gain)" : "gain silence") }
    if let duck { words.append("ducked by \(duck)") }
    if let pitch { words.append("pitch \(pitch)") }
    if filter != nil { words.append("filter") }
    if isMuted == true { words.append("muted") }
    if isSoloed == true { words.append("soloed") }
    if isPaused == true { words.append("paused") }
    return words.joined(separator: ", ")
  }
}
