import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// The parts of a scene that no library is needed for: sources, the changes of a batch, and loudspeakers.
@Suite struct SceneModelTests {
  private typealias Layouts = [(ChannelLayout, Loudspeakers)]

  @Test func `Each loudspeaker is one of its own, and a layout has those of its channels`() {
    let all: [Loudspeakers] = [
      .frontLeft, .frontRight, .frontCentre, .backLeft, .backRight, .backCentre, .sideLeft, .sideRight,
    ]
    #expect(Set(all).count == 8 && all.allSatisfy { $0.rawValue.nonzeroBitCount == 1 })
    let front: Loudspeakers = [.frontLeft, .frontRight]
    let layouts: Layouts = [
      (.mono, .frontCentre), (.stereo, front), (.quad, front.union([.backLeft, .backRight])),
      (.surround51, front.union([.frontCentre, .sideLeft, .sideRight])),
      (.surround61, front.union([.frontCentre, .sideLeft, .sideRight, .backCentre])),
      (.surround71, front.union([.frontCentre, .sideLeft, .sideRight, .backLeft, .backRight])), (.bFormat3D, []),
    ]
    for (layout, loudspeakers) in layouts {
      #expect(Loudspeakers(of: layout) == loudspeakers)
      // A mono sound goes to no loudspeaker of its own.
      #expect(Loudspeakers(forSoundOf: layout) == (layout == .mono ? [] : loudspeakers))
    }
    #expect(Loudspeakers(forSoundOf: nil) == [])
  }

  @Test func `The properties of sources and listeners have one bit each`() {
    let source: [SourceProperties] = [
      .gain, .pitch, .looping, .position, .velocity, .listenerRelative, .gainLimits, .dopplerFactor, .direction, .cone,
      .attenuation, .radius, .airAbsorption, .spatialization, .directChannels, .stereoAngles, .resampler,
      .reverbBlend,
      .occlusion, .obstruction, .roomRolloff, .effectSends, .leftOutSends, .buffer, .loopRange, .filter,
    ]
    #expect(Set(source.map(\.rawValue)).count == 26 && source.allSatisfy { $0.rawValue.nonzeroBitCount == 1 })
    #expect(SourceProperties.routing == [.reverbBlend, .occlusion, .obstruction, .filter])
    let basic: [SourceProperties] = [.gain, .pitch, .looping, .position, .velocity, .listenerRelative]
    for property in source { #expect(property.areBasic == basic.contains(property)) }
    let listener: [ListenerProperties] = [.position, .velocity, .orientation, .gain]
    #expect(Set(listener.map(\.rawValue)).count == 4 && listener.allSatisfy { $0.rawValue.nonzeroBitCount == 1 })
    let physics: [PhysicsProperties] = [.dopplerFactor, .speedOfSound, .reverb]
    #expect(Set(physics.map(\.rawValue)).count == 3 && physics.allSatisfy { $0.rawValue.nonzeroBitCount == 1 })
  }

  @Test func `A scene tells what changes, and keeps the library's speed of sound`() {
    var scene = Scene()
    #expect(scene.dopplerFactor == 1 && scene.speedOfSound == 343.3 && scene.sendLimit == 0)
    #expect(scene.distanceModel == .inverseClamped && scene.libraryDopplerFactor == 1)
    check(scene.setDopplerFactor(1), false)
    check(scene.setDopplerFactor(2), true)
    check(scene.dopplerFactor, 2)
    check(scene.setSpeedOfSound(343.3), false)
    check(scene.setSpeedOfSound(686.6), true)
    check(scene.speedOfSound, 686.6)
    #expect(scene.libraryDopplerFactor == 1)
    check(scene.setSpeedOfSound(171.65), true)
    check(scene.libraryDopplerFactor, 4)
    check([PhysicsProperties.reverb, .reverb, .speedOfSound].map { scene.complain(about: $0) }, [true, false, true])
    let parts: [(ListenerProperties, Listener)] = [
      (.position, Listener(position: [1, 2, 3])), (.velocity, Listener(velocity: [4, 5, 6])),
      (.orientation, Listener(orientation: Orientation(forward: [1, 0, 0], up: [0, 1, 0]))),
      (.gain, Listener(gain: 0.5)),
    ]
    let other = Listener(
      position: [1, 2, 3],
      velocity: [4, 5, 6],
      orientation: Orientation(forward: [1, 0, 0], up: [0, 1, 0]),
      gain: 0.5
    )
    for (part, expected) in parts {
      var scene = Scene()
      check(scene.adopt(part, of: other), part)
      check(scene.listener, expected)
      check(scene.adopt(part, of: other), [])
      let rest: ListenerProperties = [.position, .velocity, .orientation, .gain]
      check(scene.setListener(other).changed, rest.subtracting(part))
      #expect(scene.listener == other)
    }
  }

  private static let placing: SourceProperties = [.spatialization, .gain, .gainLimits]
  private static let stereo = Loudspeakers(of: .stereo)

  @Test func `A direct sound needs its loudspeakers, and has no position`() {
    var source = SceneSource(id: 5)
    #expect(source.id == 5 && source.channelFactor == 1 && source.boost == 1 && source.fadeGain == 1)
    source.values.spatialization = .always
    check(source.setSound(.stereo, channelFactor: 1, on: Self.stereo), [])
    source.values.usesDirectChannels = true
    #expect(source.appliedValues.usesDirectChannels && source.appliedValues.spatialization == .never)
    // The output gets another layout, and back.
    check(source.setOutput(Loudspeakers(of: .mono)), .directChannels)
    #expect(!source.appliedValues.usesDirectChannels && source.appliedValues.spatialization == .never)
    check(source.setOutput([]), [])
    check(source.setOutput(Loudspeakers(of: .surround51)), .directChannels)
    check(source.appliedValues.usesDirectChannels, true)
    check(source.setOutput(Self.stereo), [])
    // A mono sound has no direct channels: it is placed again.
    check(source.setSound(.mono, channelFactor: 1, on: Self.stereo), Self.placing)
    #expect(source.appliedValues.usesDirectChannels && source.appliedValues.spatialization == .always)
    check(source.setSound(.quad, channelFactor: 0.25, on: Self.stereo), Self.placing.union(.directChannels))
    #expect(source.channelFactor == 0.25)
    source.values.usesDirectChannels = false
    check(source.setOutput(Loudspeakers(of: .quad)), [])
    check(source.setOutput(Self.stereo), [])
    #expect(source.appliedValues == source.values)
    source.values.spatialization = .automatic
    check(source.setSound(.stereo, channelFactor: 0.5, on: Self.stereo), [])
  }

  @Test func `The factor of all gains has the fade, the boost, and a mean of channels that are placed`() {
    var source = SceneSource(id: 1)
    _ = source.setSound(.stereo, channelFactor: 0.5, on: Self.stereo)
    (source.boost, source.fadeGain) = (4, 0.25)
    var factors: [Float] = []
    for (spatialization, isDirect) in [
      (Spatialization.automatic, false), (.always, false), (.never, false), (.always, true),
    ] {
      (source.values.spatialization, source.values.usesDirectChannels) = (spatialization, isDirect)
      factors.append(source.gainFactor)
    }
    #expect(factors == [1, 0.5, 1, 1])
  }

  @Test func `A change of one property updates those that follow from it`() {
    let all: [SourceProperties] = [.gain, .spatialization, .directChannels, .position, .attenuation]
    func updates(_ spatialization: Spatialization, _ factor: Float, _ model: DistanceModel) -> [SourceProperties] {
      var source = SceneSource(id: 1)
      _ = source.setSound(.stereo, channelFactor: factor, on: Self.stereo)
      source.values.spatialization = spatialization
      return all.map { source.updates(after: $0, under: model) }
    }
    let placing = Self.placing
    #expect(updates(.automatic, 1, .inverse) == all && updates(.never, 1, .exponentClamped) == all)
    #expect(
      updates(.always, 1, .inverse) == [
        .gain, .spatialization, placing.union(.directChannels), .position, .attenuation,
      ]
    )
    #expect(updates(.automatic, 0.5, .inverse) == [.gain, placing, .directChannels, .position, .attenuation])
    #expect(updates(.automatic, 1, .exponent) == [[.gain, .attenuation]] + all.dropFirst())
    let everything = updates(.always, 0.5, .exponent)
    #expect(everything[1] == placing.union(.attenuation))
    #expect(everything[2] == placing.union([.attenuation, .directChannels]) && everything[3] == .position)
  }

  @Test func `A stereo sound at a position is reported once, unless the game has chosen its place`() {
    let sound = MultichannelWarning(name: "wind", format: Scenes.stereo, frameCount: 100)
    var source = SceneSource(id: 1)
    source.setMultichannelWarning(sound)
    check(source.isUnplaced, false)
    check(source.takeUnplacedSound() == nil, true)
    source.values.position = [1, 0, 0]
    #expect(source.isUnplaced)
    for change in [
      { $0.spatialization = .always }, { $0.spatialization = .never }, { $0.usesDirectChannels = true },
      { $0.position = .zero },
    ] as [(inout SourceValues) -> Void] {
      var other = source
      change(&other.values)
      #expect(!other.isUnplaced)
    }
    var silent = source
    silent.setMultichannelWarning(nil)
    #expect(!silent.isUnplaced)
    check(source.takeUnplacedSound() === sound, true)
    check(source.isUnplaced, false)
    check(source.takeUnplacedSound() == nil, true)
    source.setMultichannelWarning(sound)
    #expect(!source.isUnplaced)
    #expect(MultichannelWarning(name: nil, format: Scenes.mono, frameCount: 1) == nil)
    #expect(sound?.takeFirstReport() == true && sound?.takeFirstReport() == false)
    for (layout, count) in [
      (.mono, 1), (.stereo, 2), (.quad, 4), (.surround51, 5), (.surround61, 6), (.surround71, 7), (.bFormat2D, 1),
      (.bFormat3D, 1),
    ] as [(ChannelLayout, Int)] {
      #expect(layout.placedChannelCount == count)
    }
  }

  @Test func `A batch has each source's changes, in the reverse order of their first change`() {
    for seed in 0..<200 {
      var random = SplitMix64(seed: UInt64(seed))
      let batch = Batch()
      batch.withStorage { storage in
        for _ in 0..<3 {
          var expected: [Int: (generation: UInt64, gain: Float?, pitch: Float?)] = [:]
          var order: [Int] = []
          for _ in 0..<40 {
            let slot = [0, 1, 62, 63, 64, 65, 127, 128, 300].randomElement(using: &random) ?? 0
            let key = SourceKey(slot: slot, generation: UInt64.random(in: 1...2, using: &random))
            let number = Float.random(in: 0...1, using: &random)
            if expected[slot] == nil { order.insert(slot, at: 0) }
            if expected[slot]?.generation != key.generation { expected[slot] = (key.generation, nil, nil) }
            if Bool.random(using: &random) {
              storage.stage(.gain, of: key) { values in
                values.gain = number; return true
              }
              expected[slot]?.gain = number
            } else {
              storage.stage(.pitch, of: key) { values in
                values.pitch = number; return true
              }
              expected[slot]?.pitch = number
            }
            check(storage.read(.gain, of: key) { $0.gain }, expected[slot]?.gain)
            check(storage.read(.pitch, of: key) { $0.pitch }, expected[slot]?.pitch)
            let other = SourceKey(slot: slot, generation: key.generation ^ 3)
            check(storage.read(.gain, of: other) { $0.gain }, nil)
            check(storage.read(.gain, of: SourceKey(slot: 5_000, generation: 1)) { $0.gain }, nil)
            var values = SourceValues()
            storage.bring(other, into: &values)
            storage.bring(SourceKey(slot: 5_000, generation: 1), into: &values)
            #expect(values == SourceValues())
            storage.bring(key, into: &values)
            #expect(values.gain == expected[slot]?.gain ?? 1 && values.pitch == expected[slot]?.pitch ?? 1)
          }
          // One source's changes are taken ahead.
          let first = order[order.count / 2]
          let key = SourceKey(slot: first, generation: expected[first]?.generation ?? 0)
          var values = SourceValues()
          let taken = storage.take(key, into: &values)
          #expect(taken.contains(.gain) == (expected[first]?.gain != nil))
          #expect(values.gain == expected[first]?.gain ?? 1)
          check(storage.take(key, into: &values), [])
          expected[first] = (key.generation, nil, nil)
          var found: [Int] = []
          storage.takeSources { key, properties, values in
            found.append(key.slot)
            let own = expected[key.slot]
            #expect(key.generation == own?.generation)
            #expect(
              properties.contains(.gain) == (own?.gain != nil) && properties.contains(.pitch) == (own?.pitch != nil)
            )
            if let gain = own?.gain { #expect(values.gain == gain) }
            if let pitch = own?.pitch { #expect(values.pitch == pitch) }
          }
          #expect(found == order)
          storage.takeSources { _, _, _ in Issue.record("All changes were taken") }
        }
      }
    }
  }

  @Test func `A batch has the listener with its changes, and hands them over once`() throws {
    let batch = Batch()
    let sound = try #require(MultichannelWarning(name: nil, format: Scenes.stereo, frameCount: 1))
    batch.withStorage { storage in
      #expect(storage.stagedListener == nil)
      let base = Listener(position: [1, 1, 1], gain: 2)
      check(storage.stage(Listener(position: [2, 2, 2], gain: Gain(.nan)), over: base), .gain)
      #expect(storage.stagedListener == Listener(position: [2, 2, 2], gain: 2))
      check(storage.stage(Listener(position: [2, 2, 2], velocity: [3, 0, 0], gain: 2), over: base), [])
      var scene = Scene()
      _ = scene.setListener(Listener(position: [5, 5, 5], gain: 0.5))
      let next = storage.scene(after: scene)
      // The gain is the scene's: the batch has not changed it.
      let expected = Listener(position: [2, 2, 2], velocity: [3, 0, 0], gain: 0.5)
      #expect(next.listener == expected && scene.listener.gain == 0.5)
      check(storage.takeListener(into: &scene), [.position, .velocity])
      check(scene.listener, expected)
      check(storage.takeListener(into: &scene), [])
      check(storage.stagedListener, nil)
      check(storage.stage(Listener(gain: 3), over: scene.listener), [])
      check(storage.takeListener(into: &scene).contains(.gain), true)
      check(scene.listener, Listener(gain: 3))
      check(storage.takeUnplaced().isEmpty, true)
      storage.add(unplaced: sound)
      storage.add(unplaced: sound)
      check(storage.takeUnplaced().count, 2)
      check(storage.takeUnplaced().isEmpty, true)
    }
  }
}
