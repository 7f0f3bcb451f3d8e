import Spatial3D
import Testing

@testable import GameAudio

/// The values of a source that a world hands to the mixer: which of them have changed, and how filters glide.
@Suite struct VoiceValuesTests {
  /// A change of each property, by its name, with what it changes.
  private static let changes: [(String, VoiceValues.Changes, @Sendable (inout VoiceValues) -> Void)] = [
    ("position", .position, { $0.position.z = 1 }), ("velocity", .velocity, { $0.velocity.x = 1 }),
    ("direction", .direction, { $0.direction.y = 1 }), ("gain", .gain, { $0.gain = 0.5 }),
    ("pitch", .pitch, { $0.pitch = 2 }), ("radius", .radius, { $0.radius = 1 }),
    ("occlusion", .occlusions, { $0.occlusion = -1 }), ("obstruction", .occlusions, { $0.obstruction = -1 }),
    ("isPlaced", .place, { $0.isPlaced = false }), ("isDirect", .place, { $0.isDirect = true }),
    ("cone", .cone, { $0.cone = Cone(innerAngle: 1, outerAngle: 2, outerGain: 0) }),
    ("law", .law, { $0.law = DistanceAttenuation(rolloffFactor: 3) }),
    ("angles", .angles, { $0.angles = StereoAngles(left: 1, right: -1) }),
    ("low", .filter, { $0.filter.low = -1 }), ("high", .filter, { $0.filter.high = -1 }),
    ("sendsVersion", .sends, { $0.sendsVersion = 1 }), ("busSendsVersion", .sends, { $0.busSendsVersion = 1 }),
    ("sendingBus", .sends, { $0.sendingBus = 1 }),
  ]

  @Test func `Each property is a change of its own, in both directions`() {
    let values = VoiceValues()
    #expect(values.changes(from: values) == [])
    var (all, union) = (values, VoiceValues.Changes())
    for (name, change, apply) in Self.changes {
      var other = values
      apply(&other)
      #expect(other.changes(from: values) == change, "\(name)")
      #expect(values.changes(from: other) == change, "\(name)")
      apply(&all)
      union.formUnion(change)
      #expect(all.changes(from: values) == union, "\(name)")
    }
    #expect(union == .all)
  }

  @Test func `Each filter moves by the step at most, up and down, and the rest is there at once`() {
    let parts: [(String, WritableKeyPath<VoiceValues, Decibels>)] = [
      ("occlusion", \.occlusion), ("obstruction", \.obstruction), ("low", \.filter.low), ("high", \.filter.high),
    ]
    for (name, part) in parts {
      for (old, new, expected) in [(-10, -12, -12), (-10, -20, -13), (-10, 0, -7), (-10, -7, -7)]
        as [(Float, Float, Float)]
      {
        var (before, values) = (VoiceValues(), VoiceValues())
        before[keyPath: part] = Decibels(old)
        values[keyPath: part] = Decibels(new)
        values.gain = 0.3
        values.glide(from: before, by: 3)
        #expect(values[keyPath: part].rawValue == expected, "\(name) from \(old) to \(new)")
        #expect(values.gain == 0.3)
        for (other, path) in parts where other != name { #expect(values[keyPath: path] == 0, "\(other), \(name)") }
      }
    }
  }
}
