import Testing

@testable import GameAudio

/// The values of a voice, and the changes of its source.
@Suite struct VoiceValuesTests {
  private static let changes: [(name: String, change: @Sendable (inout VoiceValues) -> Void, VoiceValues.Changes)] = [
    ("position", { $0.position.y = 1 }, .position), ("velocity", { $0.velocity.z = 1 }, .velocity),
    ("direction", { $0.direction.x = 1 }, .direction), ("gain", { $0.gain = 0.5 }, .gain),
    ("pitch", { $0.pitch = 2 }, .pitch), ("radius", { $0.radius = 2 }, .radius),
    ("occlusion", { $0.occlusion = -3 }, .muffling), ("obstruction", { $0.obstruction = -3 }, .muffling),
    ("isPlaced", { $0.isPlaced.toggle() }, .place), ("isDirect", { $0.isDirect.toggle() }, .place),
    ("cone", { $0.cone.innerAngle = 90 }, .cone), ("law", { $0.law.rolloffFactor = 2 }, .law),
    ("angles", { $0.angles = StereoAngles(left: 40, right: -40) }, .angles),
    ("sends", { $0.sendsVersion = 2 }, .sends), ("sends of the bus", { $0.busSendsVersion = 2 }, .sends),
    ("bus with sends", { $0.sendingBus = 3 }, .sends), ("filter", { $0.filter.high = -6 }, .filter),
  ]

  @Test func `Each property that differs is a change, alone and with each other one`() {
    let old = VoiceValues()
    #expect(old.changes(from: old) == [])
    for first in Self.changes {
      var one = old
      first.change(&one)
      #expect(one.changes(from: old) == first.2 && old.changes(from: one) == first.2, "\(first.name)")
      for second in Self.changes where second.name != first.name {
        var two = one
        second.change(&two)
        #expect(two.changes(from: old) == first.2.union(second.2), "\(first.name) and \(second.name)")
        #expect(two.changes(from: one) == second.2)
      }
    }
  }

  @Test func `A filter glides by a step at most, each of its parts by itself`() {
    for (step, expected) in [(0.5, -0.5), (3, -3), (100, -12)] as [(Float, Float)] {
      let old = VoiceValues()
      for part in [\VoiceValues.occlusion, \.obstruction, \.filter.low, \.filter.high] {
        var new = old
        new[keyPath: part] = -12
        new.glide(from: old, by: step)
        for other in [\VoiceValues.occlusion, \.obstruction, \.filter.low, \.filter.high] {
          #expect(new[keyPath: other].rawValue == (other == part ? expected : 0))
        }
        var back = old
        back.glide(from: new, by: step)
        #expect(back[keyPath: part].rawValue == min(expected + step, 0))
      }
    }
  }
}
