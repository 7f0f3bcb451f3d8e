import Spatial3D
import Spatial3DTesting
import Testing

@testable import GameAudio

/// The values of a sound that its emitters share, and what stands for those that cannot be used.
@Suite struct SoundEntryTests {
  private static func entry(_ change: (inout Sound) -> Void = { _ in }, bank: Int? = nil) -> SoundEntry {
    let samples = TestSignal.silence(duration: .milliseconds(1), format: .mono(sampleRate: 48_000))
    let content = SoundContent(name: "hum", source: .samples(samples), bank: bank)
    var sound = Sound(contents: [content])
    change(&sound)
    let load = LoadKey(content: content.identity, isPlaced: true, loopRange: sound.loopRange)
    return SoundEntry(SoundEntry.Key(sound, load), content, .loading, nil)
  }

  @Test func `A law has the values that a source takes, and the default for one that is no number`() {
    let greatest = Float.greatestFiniteMagnitude
    for (value, reference, maximum, rolloff) in [
      (0, 0, 0, 0), (2.5, 2.5, 2.5, 2.5), (-1, 0, 0, 0), (2e9, 1e9, 2e9, 1e9), (.infinity, 1e9, greatest, 1e9),
      (-.infinity, 0, 0, 0), (.nan, 1, greatest, 1),
    ] as [(Float, Float, Float, Float)] {
      let entry = Self.entry { sound in
        sound.attenuation = DistanceAttenuation(
          referenceDistance: value,
          maximumDistance: value,
          rolloffFactor: value,
          model: .exponentClamped
        )
      }
      let law = entry.key.law
      #expect(
        [law.referenceDistance, law.maximumDistance, law.rolloffFactor] == [reference, maximum, rolloff],
        "\(value)"
      )
      #expect(law.model == .exponentClamped && entry.law == law && entry.bound == law)
      #expect(entry.boundModel(in: .inverseClamped) == .exponentClamped)
    }
  }

  @Test func `Only a distance above 0 ends a sound`() {
    for (distance, reach) in [
      (nil, .infinity), (5, 5), (0, .infinity), (-1, .infinity), (.nan, .infinity), (.infinity, .infinity),
    ] as [(Float?, Float)] {
      #expect(Self.entry { $0.silentBeyond = distance }.silentBeyond == reach)
    }
  }

  @Test func `A curve takes the place of the law, which bounds it from above`() {
    let curve = RolloffCurve([.init(1, 6), .init(10, -12), .init(40, -60)])
    let plain = Self.entry()
    let curved = Self.entry { $0.rolloffCurve = curve }
    #expect(plain.peak == 1 && plain.curveGain(at: 3) == 1 && plain.law == DistanceAttenuation())
    #expect(plain.boundModel(in: .linear) == .linear && curved.boundModel(in: .linear) == .inverseClamped)
    #expect(
      curved.law == DistanceAttenuation(rolloffFactor: 0) && curved.peak == curve.peak && curved.bound == curve.bound
    )
    for distance in [0, 1, 4, 10, 25, 40, 90] as [Float] {
      let gain = curve.level(at: distance).factor
      #expect(curved.attenuation(at: distance, model: .none) == gain && curved.curveGain(at: distance) == gain)
      let law = DistanceAttenuation().gain(at: distance, model: .inverseClamped)
      #expect(plain.attenuation(at: distance, model: .inverseClamped) == law.rawValue)
    }
  }

  @Test func `An entry has the properties of its sound and of its content`() {
    let entry = Self.entry(
      { sound in
        sound.limit = PlaybackLimit(3)
        sound.loudnessOfMany = .compensated
        sound.runsWhileLoading = true
        sound.loopRange = 3..<9
      },
      bank: 4
    )
    #expect(entry.limit == PlaybackLimit(3) && entry.isCompensated && entry.runsWhileLoading && entry.bank == 4)
    #expect(entry.loadKey.loopRange == 3..<9 && entry.isPlaced && entry.users == 0 && entry.successor == nil)
    let other = Self.entry()
    #expect(other.limit == nil && !other.isCompensated && !other.runsWhileLoading && other.bank == nil)
    #expect(other.content?.name == "hum" && !other.life.isOver && other.identity != entry.identity)
    #expect(other.state == .loading && other.loaded == nil)
  }

  @Test func `Sounds that differ in one property have entries of their own`() {
    let changes: [(inout Sound) -> Void] = [
      { _ in }, { $0.attenuation.rolloffFactor = 2 }, { $0.rolloffCurve = RolloffCurve([.init(1, -3)]) },
      { $0.silentBeyond = 9 }, { $0.limit = PlaybackLimit(2) }, { $0.loudnessOfMany = .compensated },
      { $0.runsWhileLoading = true }, { $0.identity = -7 },
    ]
    let load = LoadKey(content: 1, isPlaced: true, loopRange: nil)
    let samples = TestSignal.silence(duration: .milliseconds(1), format: .mono(sampleRate: 48_000))
    let sound = Sound(samples)
    let keys = changes.map { change in
      var copy = sound
      change(&copy)
      return SoundEntry.Key(copy, load)
    }
    #expect(Set(keys).count == changes.count && SoundEntry.Key(sound, load) == keys[0])
  }
}
