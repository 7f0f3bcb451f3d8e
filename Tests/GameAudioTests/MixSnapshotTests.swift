import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Snapshots of a mixer, as values and in a mix.
@Suite struct MixSnapshotTests {
  @Test func `A snapshot comes back from its JSON form`() throws {
    var random = SplitMix64(seed: 41)
    for _ in 0..<200 {
      var snapshot = MixSnapshot()
      for index in 0..<Int.random(in: 0...5, using: &random) {
        snapshot["bus \(index)"] = MixSnapshot.Line(
          gain: Gain(.random(in: 0...4, using: &random)),
          low: Decibels(.random(in: -60...0, using: &random)),
          high: Decibels(.random(in: -60...0, using: &random)),
          pitch: .random(in: 0.25...4, using: &random)
        )
      }
      #expect(try decode(json(snapshot)) == snapshot)
    }
  }

  @Test func `The encoded form stays the same, and lacks defaults`() throws {
    let snapshot = MixSnapshot(lines: ["music": .init(gain: 0.5, pitch: 0.5), "main": .init(high: -24), "sfx": .init()])
    try expectGolden(snapshot, #"{"main":{"high":"-24.0 dB"},"music":{"gain":"0.5x","pitch":0.5},"sfx":{}}"#)
  }

  @Test func `A level of silence and levels that are no number can be encoded`() throws {
    let line = MixSnapshot.Line(gain: .silence, low: Decibels(.nan), high: Decibels(.infinity), pitch: .nan)
    #expect(try decode(json(MixSnapshot(lines: ["a": line]))) == MixSnapshot(lines: ["a": .init(gain: .silence)]))
  }

  @Test func `A blend lies between two snapshots, and its ends are the snapshots`() {
    let first = MixSnapshot(lines: ["a": .init(gain: .unity, high: 0, pitch: 1), "b": .init(gain: .decibels(-3))])
    let last = MixSnapshot(lines: [
      "a": .init(gain: .decibels(-20), high: -30, pitch: 4), "c": .init(gain: .decibels(-5)),
    ])
    #expect(first.blended(with: last, 0)["a"] == first["a"])
    #expect(first.blended(with: last, 1)["a"] == last["a"])
    #expect(first.blended(with: last, .nan)["a"] == first["a"])
    let half = first.blended(with: last, 0.5)
    #expect(half["a"] == .init(gain: .decibels(-10), high: -15, pitch: 2))
    #expect(half["b"].gain == .decibels(-3))
    #expect(half["c"].gain == .decibels(-5))
  }

  @Test func `A blend with silence is a number, and its ends are silence and the other level`() {
    let silent = MixSnapshot(lines: ["a": .init(gain: .silence)])
    let usual = MixSnapshot(lines: ["a": .init(gain: .unity)])
    #expect(silent.blended(with: usual, 0)["a"].gain == .silence)
    #expect(silent.blended(with: usual, 0.5)["a"].gain == .decibels(-48))
    #expect(usual.blended(with: silent, 1)["a"].gain == .silence)
    #expect(silent.blended(with: silent, 0.5)["a"].gain == .silence)
  }

  @Test func `A gain or a level that no bus can have stays so in a blend, and is reported when it is applied`() throws {
    let offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let music = world.mixer.makeBus("music")
    let usual = MixSnapshot(lines: ["music": .init(gain: 0.5)])
    for gain in [-6, Gain(.nan), Gain(.infinity)] {
      let broken = MixSnapshot(lines: ["music": .init(gain: gain, low: Decibels(.nan))])
      for blend in [usual.blended(with: broken, 0.5), broken.blended(with: usual, 0.5)] {
        #expect(!blend["music"].gain.isUsable && blend["music"].low.rawValue.isNaN)
        let reports = Collected<Diagnostic>()
        offline.context.onDiagnostic = { reports.append($0) }
        world.mixer.apply(blend, .none)
        #expect(music.gain == .unity && music.filter == ToneFilter())
      }
      #expect(throws: EncodingError.self) { try json(broken) }
    }
  }

  @Test func `A snapshot that is applied over a fade is in force at its end`() throws {
    var offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let mixer = world.mixer
    let (music, sfx) = (mixer.makeBus("music"), mixer.makeBus("sfx"))
    world.playOnce(
      Sound(TestSignal.sine(frequency: 500, duration: .seconds(3), format: .mono(sampleRate: 48_000))),
      on: sfx
    )
    let calm = mixer.snapshot()
    var loud = calm
    loud["music"] = .init(gain: .decibels(-20), low: -10, high: -5, pitch: 2)
    loud["sfx"].gain = .silence
    mixer.apply(loud, Fade(.seconds(1)))
    #expect(mixer.snapshot() == calm)
    _ = offline.render(.milliseconds(500))
    #expect(abs(music.gain.decibels.rawValue + 10) < 0.3)
    #expect(abs(music.pitch - Float(2).squareRoot()) < 0.02)
    _ = offline.render(.milliseconds(600))
    let now = mixer.snapshot()
    #expect(now["sfx"].gain == .silence)
    #expect(sfx.gain == .silence)
    #expect(abs(now["music"].gain.decibels.rawValue + 20) < 1e-4 && now["music"].low == -10 && now["music"].high == -5)
    #expect(abs(now["music"].pitch - 2) < 1e-4)
    mixer.apply(calm, .none)
    #expect(mixer.snapshot() == calm)
  }

  @Test func `A bus of silence is silent again after its snapshot`() throws {
    let offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let music = world.mixer.makeBus("music")
    music.gain = .silence
    let snapshot = world.mixer.snapshot()
    music.gain = .unity
    world.mixer.apply(snapshot, .none)
    #expect(music.gain == .silence)
  }

  @Test func `A line without a bus is reported by its name`() throws {
    let offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let reports = Collected<Diagnostic>()
    offline.context.onDiagnostic = { reports.append($0) }
    world.mixer.apply(MixSnapshot(lines: ["musik": .init(gain: .decibels(-3)), "main": .init()]))
    #expect(reports.all.map(\.code) == [.unknownBus])
    #expect(reports.all.first?.message.contains("musik") == true)
  }

  @Test func `A number that is none is reported once for each property, and the property stays`() throws {
    let offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let music = world.mixer.makeBus("music")
    (music.gain, music.pitch) = (.decibels(-3), 1.5)
    let reports = Collected<Diagnostic>()
    offline.context.onDiagnostic = { reports.append($0) }
    let snapshot = MixSnapshot(lines: [
      "music": .init(gain: Gain(.nan), low: Decibels(.nan), high: -5, pitch: .infinity)
    ])
    for _ in 0..<3 { world.mixer.apply(snapshot, .none) }
    #expect(reports.all.map(\.code) == [.valueNotUsable, .valueNotUsable, .valueNotUsable])
    for (report, property) in zip(reports.all, ["gain", "filter", "pitch"]) {
      #expect(report.message.contains(property) && report.message.contains("the bus music"), "\(report.message)")
    }
    #expect(music.gain == .decibels(-3) && music.pitch == 1.5 && music.filter == ToneFilter())
  }
}
