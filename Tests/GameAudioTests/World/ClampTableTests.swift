import GameAudio
import Testing

/// Each property with a number: the nearest value of its range, and one report for each of its two faults.
@Suite struct ClampTableTests {
  /// A property, with numbers around its range.
  private struct Property {
    /// The beginning of a report, behind "The ".
    let name: String
    /// The name in the report of NaN, if another part reports it.
    var unusableName: String?
    /// A number below the range, with the lower end; `nil` if numbers below the range are not usable.
    var below: (value: Float, end: Float)?
    var above: (value: Float, end: Float)
    let inside: [Float]
    let set: (ClampScene, Float) -> Void
    let get: (ClampScene) -> Float
  }

  private static let loudest = Gain.decibels(24).rawValue
  private static let loudestBus = Gain.decibels(12).rawValue

  private static func vector(
    _ name: String,
    _ set: @escaping (ClampScene, SIMD3<Float>) -> Void,
    _ get: @escaping (ClampScene) -> SIMD3<Float>
  ) -> Property {
    Property(
      name: name,
      below: (-2e9, -1e9),
      above: (2e9, 1e9),
      inside: [-1e9, 0, 3, 1e9],
      set: { set($0, [$1, 0, 0]) },
      get: { get($0).x }
    )
  }

  private static func level(
    _ name: String,
    unusableName: String? = nil,
    from quietest: Float = -100,
    _ set: @escaping (ClampScene, Decibels) -> Void,
    _ get: @escaping (ClampScene) -> Decibels
  ) -> Property {
    Property(
      name: name,
      unusableName: unusableName,
      below: (quietest - 20, quietest),
      above: (3, 0),
      inside: [quietest, -6, 0],
      set: { set($0, Decibels($1)) },
      get: { get($0).rawValue }
    )
  }

  private static func gain(
    _ name: String,
    to end: Float,
    _ set: @escaping (ClampScene, Gain) -> Void,
    _ get: @escaping (ClampScene) -> Gain
  ) -> Property {
    Property(
      name: name,
      above: (end * 1.5, end),
      inside: [0, 0.5, end],
      set: { set($0, Gain($1)) },
      get: { get($0).rawValue }
    )
  }

  private static func filter(
    _ name: String,
    _ set: @escaping (ClampScene, Decibels) -> Void,
    _ get: @escaping (ClampScene) -> Decibels
  ) -> Property {
    level("filter.\(name) of the bus music", unusableName: "filter of the bus music", from: -60, set, get)
  }

  private static func pitch(
    of owner: String,
    _ range: ClosedRange<Float>,
    _ set: @escaping (ClampScene, Float) -> Void,
    _ get: @escaping (ClampScene) -> Float
  ) -> Property {
    Property(
      name: "pitch of \(owner)",
      below: (range.lowerBound / 2, range.lowerBound),
      above: (range.upperBound * 2, range.upperBound),
      inside: [range.lowerBound, 1, range.upperBound],
      set: set,
      get: get
    )
  }

  private static var properties: [Property] {
    [
      vector("position of emitter 1 (", { $0.emitter.position = $1 }, { $0.emitter.position }),
      vector("velocity of emitter 1 (", { $0.emitter.velocity = $1 }, { $0.emitter.velocity }),
      vector("direction of emitter 1 (", { $0.emitter.direction = $1 }, { $0.emitter.direction }),
      vector("position of the listener", { $0.world.listener.position = $1 }, { $0.world.listener.position }),
      vector("velocity of the listener", { $0.world.listener.velocity = $1 }, { $0.world.listener.velocity }),
      gain("gain of emitter 1 (", to: loudest, { $0.emitter.gain = $1 }, { $0.emitter.gain }),
      gain("gain of emitter 1 (", to: loudest, { $0.emitter.fade(to: $1, .none) }, { $0.emitter.gain }),
      gain("volume of a player (", to: 1, { $0.player.volume = $1 }, { $0.player.volume }),
      gain("volume of a player (", to: 1, { $0.player.fade(to: $1, .none) }, { $0.player.volume }),
      gain("gain of the bus music", to: loudestBus, { $0.bus.gain = $1 }, { $0.bus.gain }),
      gain("gain of the bus music", to: loudestBus, { $0.bus.fade(to: $1, .none) }, { $0.bus.gain }),
      gain("gain of the bus music", to: loudestBus, { $0.apply(.init(gain: $1)) }, { $0.bus.gain }),
      gain("gain of the listener", to: 16, { $0.world.listener.gain = $1 }, { $0.world.listener.gain }),
      gain(
        "cone.outerGain of emitter 1 (",
        to: 1,
        { $0.emitter.cone = Cone(outerGain: $1) },
        { $0.emitter.cone.outerGain }
      ),
      gain(
        "cone.outerHighFrequencyGain of emitter 1 (",
        to: 1,
        { $0.emitter.cone = Cone(outerHighFrequencyGain: $1) },
        { $0.emitter.cone.outerHighFrequencyGain }
      ),
      level("occlusion of emitter 1 (", { $0.emitter.occlusion = $1 }, { $0.emitter.occlusion }),
      level("obstruction of emitter 1 (", { $0.emitter.obstruction = $1 }, { $0.emitter.obstruction }),
      level("wallOcclusion of a world", { $0.world.wallOcclusion = $1 }, { $0.world.wallOcclusion }),
      filter("low", { $0.bus.filter = ToneFilter(low: $1) }, { $0.bus.filter.low }),
      filter("high", { $0.bus.filter = ToneFilter(high: $1) }, { $0.bus.filter.high }),
      filter("low", { $0.apply(.init(low: $1)) }, { $0.bus.filter.low }),
      filter("high", { $0.apply(.init(high: $1)) }, { $0.bus.filter.high }),
      pitch(of: "emitter 1 (", 0.01...100, { $0.emitter.pitch = $1 }, { $0.emitter.pitch }),
      pitch(of: "a player (", 0.25...4, { $0.player.pitch = $1 }, { $0.player.pitch }),
      pitch(of: "the bus music", 0.25...4, { $0.bus.pitch = $1 }, { $0.bus.pitch }),
      pitch(of: "the bus music", 0.25...4, { $0.apply(.init(pitch: $1)) }, { $0.bus.pitch }),
      Property(
        name: "pan of a player (",
        below: (-2, -1),
        above: (2, 1),
        inside: [-1, 0, 0.5, 1],
        set: { $0.player.pan = $1 },
        get: { $0.player.pan }
      ),
      Property(
        name: "radius of emitter 1 (",
        below: (-1, 0),
        above: (2e9, 1e9),
        inside: [0, 2, 1e9],
        set: { $0.emitter.radius = $1 },
        get: { $0.emitter.radius }
      ),
      Property(
        name: "cone.innerAngle of emitter 1 (",
        below: (-5, 0),
        above: (400, 360),
        inside: [0, 90, 360],
        set: { $0.emitter.cone = Cone(innerAngle: $1) },
        get: { $0.emitter.cone.innerAngle }
      ),
      Property(
        name: "cone.outerAngle of emitter 1 (",
        below: (-5, 0),
        above: (400, 360),
        inside: [0, 90, 360],
        set: { $0.emitter.cone = Cone(outerAngle: $1) },
        get: { $0.emitter.cone.outerAngle }
      ),
    ]
  }

  @Test(arguments: 0..<properties.count)
  func `A number out of its range becomes the nearest end, and is reported once, apart from NaN`(index: Int) throws {
    let property = Self.properties[index]
    for (value, end) in [property.below, property.above].compactMap({ $0 }) {
      let scene = try ClampScene()
      for _ in 0..<2 { property.set(scene, value) }
      #expect(property.get(scene) == end, "\(property.name)")
      #expect(scene.codes == [.valueClamped], "\(property.name): \(scene.sentences)")
      #expect(scene.sentences.first?.hasPrefix("The \(property.name)") == true, "\(scene.sentences)")
      #expect(scene.sentences.first?.contains(", outside of its range ") == true, "\(scene.sentences)")
      for _ in 0..<2 { property.set(scene, .nan) }
      #expect(property.get(scene) == end, "\(property.name)")
      #expect(scene.codes == [.valueClamped, .valueNotUsable], "\(property.name): \(scene.sentences)")
      let name = property.unusableName ?? property.name
      #expect(scene.sentences.last?.hasPrefix("The \(name)") == true, "\(scene.sentences)")
    }
  }

  @Test(arguments: 0..<properties.count) func `A number in its range stays, and is not reported`(index: Int) throws {
    let property = Self.properties[index]
    let scene = try ClampScene()
    for value in property.inside {
      property.set(scene, value)
      #expect(property.get(scene) == value, "\(property.name)")
    }
    #expect(scene.sentences.isEmpty)
  }

  @Test(arguments: 0..<properties.count)
  func `A handler that sets the property again at its report has the last word`(index: Int) throws {
    let property = Self.properties[index]
    let scene = try ClampScene()
    let value = try #require(property.inside.first { $0 != property.above.end })
    // Offline, the handler runs on the thread of the setter.
    nonisolated(unsafe) let (set, owner) = (property.set, scene)
    scene.offline.context.onDiagnostic = { _ in unsafe set(owner, value) }
    property.set(scene, property.above.value)
    scene.offline.context.onDiagnostic = nil
    #expect(property.get(scene) == value, "\(property.name)")
  }

  @Test func `A handler that sets the limit of a bus again at its report has the last word`() throws {
    let scene = try ClampScene()
    let bus = scene.bus
    scene.offline.context.onDiagnostic = { _ in bus.limit = PlaybackLimit(4) }
    bus.limit = PlaybackLimit(0)
    scene.offline.context.onDiagnostic = nil
    #expect(bus.limit == PlaybackLimit(4))
  }

  @Test func `Silence is a level of each property, and is not reported`() throws {
    let scene = try ClampScene()
    (scene.emitter.occlusion, scene.emitter.obstruction) = (.silence, .silence)
    scene.world.wallOcclusion = .silence
    scene.bus.filter = ToneFilter(low: .silence, high: .silence)
    scene.bus.duck(under: scene.speech, Ducking(by: .silence))
    scene.world.castRays { _ in .wall(.silence) }
    var quiet = ClampScene.tone
    quiet.levelVariation = .silence...0
    scene.world.playOnce(quiet)
    #expect(scene.emitter.occlusion == -100 && scene.emitter.obstruction == -100 && scene.world.wallOcclusion == -100)
    #expect(scene.bus.filter == ToneFilter(low: -60, high: -60))
    #expect(scene.sentences.isEmpty)
  }

  @Test func `A blend of two snapshots at the end of the range rounds past it, and is not reported`() throws {
    let scene = try ClampScene()
    for level in stride(from: Float(0), through: 12, by: 0.5) {
      let start = MixSnapshot(lines: ["music": .init(gain: .decibels(Decibels(level)))])
      let loud = MixSnapshot(lines: ["music": .init(gain: .decibels(12))])
      scene.world.mixer.apply(start.blended(with: loud, 1), .none)
      #expect(abs(scene.bus.gain.decibels.rawValue - 12) < 1e-4)
    }
    #expect(scene.sentences.isEmpty)
  }
}
