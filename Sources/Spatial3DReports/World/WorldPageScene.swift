internal import GameAudio

/// The values of a page about a world, in the form that its script reads.
///
/// Emitters and players have rows with their names and buses. A snapshot is a list of words of 16 bits in Base64, nine
/// for each emitter or player that exists then: the row as two words, x and z on the map, the level and the level that
/// is lacking in tenths of a decibel, and the indices of the state, of the acoustic path and of the settings.
struct WorldPageScene {
  private let page: WorldPage
  private let area: WorldPageArea
  private var rows = WorldPageRows()
  private var states = UniqueValues(most: Self.mostIndices, rest: WorldPageState.rest)
  /// The zones, paths and rays of emitters; the first value is empty, and stands for all values beyond the limit.
  private var ways = UniqueValues(most: Self.mostIndices, rest: WorldPageWay())
  /// The settings in words; the first value stands for the defaults.
  private var settings = UniqueValues(most: Self.mostIndices, rest: "many different settings")

  /// The number of different words.
  private static let mostIndices = 65_536

  init(_ page: WorldPage) {
    self.page = page
    area = WorldPageArea(page.snapshots)
    _ = states.index(of: .heard)
    _ = ways.index(of: WorldPageWay())
    _ = settings.index(of: "")
  }

  /// The whole scene.
  var json: JSON {
    var scene = self
    let snapshots = scene.page.snapshots.map { scene.words(of: $0) }
    let events = scene.page.events.map { scene.json(of: $0) }
    let start = page.snapshots.first?.time ?? 0
    let edges = [area.x.lowerBound, area.x.upperBound, area.z.lowerBound, area.z.upperBound]
    return .object([
      "times": .list(page.snapshots.map { .number(($0.time - start).millionths) }),
      "area": .list(edges.map { .number(($0 * 100).rounded() / 100) }),
      "voices": .number(Double(page.snapshots.first?.voiceLimit ?? 0)),
      "counts": .list(page.snapshots.map { .list([.number(Double($0.realCount)), .number(Double($0.virtualCount))]) }),
      "rows": scene.rows.json,
      "states": .list(scene.states.values.map(\.json)),
      "snapshots": .list(snapshots.map { .text($0) }),
      "listeners": .list(page.snapshots.map { .list($0.listeners.flatMap(\.json)) }),
      "space": page.snapshots.spaceJSON,
      "ways": .list(scene.ways.values.map(\.json)),
      "settings": .list(scene.settings.values.map { .text($0) }),
      "buses": buses,
      "events": .list(events),
    ])
  }

  /// The levels of each bus over time, and its state in words; each bus stands below its parent.
  private var buses: JSON {
    var known: [WorldSnapshot.Bus] = []
    var names: Set<String> = []
    for bus in page.snapshots.lazy.flatMap(\.buses) where names.insert(bus.name).inserted { known.append(bus) }
    let values = page.snapshots.map { snapshot in
      Dictionary(snapshot.buses.map { ($0.name, $0) }) { first, _ in first }
    }
    return .list(
      known.tree.map { bus, depth in
        let values = values.map { $0[bus.name] }
        return .object([
          "name": .text(bus.name), "parent": .text(bus.parent ?? ""), "depth": .number(Double(depth)),
          "levels": .list(values.map { .level($0.map { max($0.level.rawValue, -160) } ?? -160) }),
          "texts": .list(values.map { .text($0?.settingWords ?? "") }),
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
    words.reserveCapacity(9 * (snapshot.emitters.count + snapshot.players.count))
    func add(_ row: Int, _ place: SIMD3<Float>?, _ level: Decibels, _ lacking: Decibels?, _ indices: [Int]) {
      words += [UInt16(truncatingIfNeeded: row), UInt16(truncatingIfNeeded: row >> 16)] + area.words(of: place)
      words += [Self.tenths(level), Self.tenths(lacking ?? 0)] + indices.map { UInt16($0) }
    }
    for emitter in snapshot.emitters {
      let row = rows.index(of: emitter.id, emitter.key ?? emitter.sound, emitter.bus, at: time)
      let way = WorldPageWay(of: emitter, in: snapshot)
      let indices = [
        states.index(of: WorldPageState(emitter)), ways.index(of: way), settings.index(of: emitter.settingWords),
      ]
      add(row, emitter.position, emitter.level, emitter.silence?.lacking, indices)
    }
    for player in snapshot.players {
      let row = rows.index(of: player.id, player.sound, player.bus, at: time)
      let indices = [states.index(of: WorldPageState(player)), 0, settings.index(of: player.settingWords)]
      add(row, nil, player.level, player.silence?.lacking, indices)
    }
    return words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }.base64
  }

  private static func tenths(_ level: Decibels) -> UInt16 {
    let tenths = level.rawValue.isFinite ? Int16((min(max(level.rawValue, -200), 200) * 10).rounded()) : -2_000
    return UInt16(bitPattern: tenths)
  }
}

extension Listener {
  /// The position and the direction in which it faces, on the plane of x and z.
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
  fileprivate var millionths: Double { (self * 1e6).rounded() / 1e6 }
}
