internal import GameAudio

/// The values of a page about a world, in the form that its script reads.
///
/// Emitters and players have rows with their names and buses. A snapshot is a list of words of 16 bits in Base64, eight for
/// each emitter or player that exists then: the row as two words, x and z on the map, the level and the level that is
/// lacking in tenths of a decibel, and the indices of the state and of the way.
struct WorldPageScene {
  private let page: WorldPage
  private let area: WorldPageArea
  private var rows = WorldPageRows()
  private var states = UniqueValues(most: Self.mostIndices, rest: WorldPageState.rest)
  /// The zones, ways and rays of emitters; the first one is none, also for those that have no room.
  private var ways = UniqueValues(most: Self.mostIndices, rest: WorldPageWay())

  /// The number of different words.
  private static let mostIndices = 65_536

  init(_ page: WorldPage) {
    self.page = page
    area = WorldPageArea(page.snapshots)
    _ = states.index(of: .heard)
    _ = ways.index(of: WorldPageWay())
  }

  /// The whole scene.
  var json: JSON {
    var scene = self
    let snapshots = scene.page.snapshots.map { scene.words(of: $0) }
    let events = scene.page.events.map { scene.json(of: $0) }
    let start = page.snapshots.first?.time ?? 0
    let edges = [area.x.lowerBound, area.x.upperBound, area.z.lowerBound, area.z.upperBound]
    return .object([
      "times": .list(page.snapshots.map { .number(($0.time - start).thousandths) }),
      "area": .list(edges.map { .number(($0 * 100).rounded() / 100) }),
      "voices": .number(Double(page.snapshots.first?.voiceLimit ?? 0)),
      "counts": .list(page.snapshots.map { .list([.number(Double($0.realCount)), .number(Double($0.virtualCount))]) }),
      "rows": scene.rows.json,
      "states": .list(scene.states.values.map(\.json)),
      "snapshots": .list(snapshots.map { .text($0) }),
      "listeners": .list(page.snapshots.map { .list($0.listeners.flatMap(\.json)) }),
      "space": page.snapshots.spaceJSON,
      "ways": .list(scene.ways.values.map(\.json)),
      "buses": buses,
      "events": .list(events),
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

  /// The time, the row and the text of an event.
  private mutating func json(of event: WorldRecording.Event) -> JSON {
    let row = event.number.map { rows.index(of: $0, at: event.time, named: event.sound) } ?? -1
    return .list([.number(event.time), .number(Double(row)), .text(event.text)])
  }

  /// The words of a snapshot, in Base64.
  private mutating func words(of snapshot: WorldSnapshot) -> String {
    let time = snapshot.time - (page.snapshots.first?.time ?? 0)
    var words: [UInt16] = []
    words.reserveCapacity(8 * (snapshot.emitters.count + snapshot.players.count))
    func add(_ row: Int, _ place: SIMD3<Float>?, _ level: Decibels, _ lacking: Decibels?, _ state: Int, _ way: Int) {
      words += [UInt16(truncatingIfNeeded: row), UInt16(truncatingIfNeeded: row >> 16)] + area.words(of: place)
      words += [Self.tenths(level), Self.tenths(lacking ?? 0), UInt16(state), UInt16(way)]
    }
    for emitter in snapshot.emitters {
      let row = rows.index(of: emitter.id, emitter.key ?? emitter.sound, emitter.bus, at: time)
      let (state, way) = (WorldPageState(emitter), WorldPageWay(of: emitter, in: snapshot))
      let indices = (states.index(of: state), ways.index(of: way))
      add(row, emitter.position, emitter.level, emitter.silence?.lacking, indices.0, indices.1)
    }
    for player in snapshot.players {
      let row = rows.index(of: player.id, player.sound, player.bus, at: time)
      add(row, nil, player.level, player.silence?.lacking, states.index(of: WorldPageState(player)), 0)
    }
    return words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }.base64
  }

  private static func tenths(_ level: Decibels) -> UInt16 {
    let tenths = level.rawValue.isFinite ? Int16((min(max(level.rawValue, -200), 200) * 10).rounded()) : -2_000
    return UInt16(bitPattern: tenths)
  }
}

extension Listener {
  /// The place and the direction in which it faces, on the plane of x and z.
  fileprivate var json: [JSON] {
    let forward = orientation.forward
    return [.level(position.x), .level(position.z), .level(forward.x), .level(forward.z)]
  }
}

extension JSON {
  /// A number with two decimals, such as a level or a coordinate.
  static func level(_ value: Float) -> JSON { .number((Double(value) * 100).rounded() / 100) }
}

extension Double {
  fileprivate var thousandths: Double { (self * 1_000).rounded() / 1_000 }
}

extension WorldSnapshot.Bus {
  /// The settings that are no default, in words.
  fileprivate var words: String {
    var words: [String] = []
    if gain.rawValue != 0 { words.append(gain.rawValue.isFinite ? "gain \(gain.words)" : "gain silence") }
    if let duck { words.append("ducked by \(duck.words)") }
    if let pitch { words.append("pitch \(Double(pitch).text(decimals: 2))") }
    if filter != nil { words.append("filter") }
    if isMuted == true { words.append("muted") }
    if isSoloed == true { words.append("soloed") }
    if isPaused == true { words.append("paused") }
    return words.joined(separator: ", ")
  }
}

extension Decibels {
  fileprivate var words: String { Double(rawValue).text(decimals: 1) + " dB" }
}
