import Spatial3DTesting
import Testing

@testable import GameAudio

/// Calls with the largest and the smallest numbers that they take: none traps, and the mix stays finite.
@Suite struct ExtremeNumberTests {
  private static let durations: [Duration] = [
    Duration(attoseconds: .min), .seconds(Int64.min), .seconds(Int64.min / 2), .seconds(-1), Duration(attoseconds: -1),
    .zero, Duration(attoseconds: 1), .seconds(1 << 40), .seconds(Int64.max / 4_000), .seconds(Int64.max),
    Duration(attoseconds: .max),
  ]

  private static let integers = [Int.min, .min + 1, -(1 << 53), -1, 0, 1, 1 << 31, 1 << 53, .max / 2, .max - 1, .max]

  private static let numbers: [Double] = [
    -.infinity, -.greatestFiniteMagnitude, -1e19, -1, -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, 1e-9, 1e9,
    1e19, .greatestFiniteMagnitude, .infinity, .nan,
  ]

  private static let format = PCMFormat.mono(sampleRate: 48_000)

  /// A world with an emitter, a player of a sound in memory and of an endless one, a bus and a clock.
  private final class Scene {
    var offline: OfflineRenderer
    let world: AudioWorld
    let emitter: Emitter
    let player: SoundPlayer
    let endless: SoundPlayer
    let bus: Bus
    let clock: BeatClock
    let sound: Sound

    init() throws {
      offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
      world = AudioWorld(in: offline.context, voiceLimit: 6)
      sound = Sound(try PCMBuffer(samples: Array(repeating: 0.1, count: 4_800), format: ExtremeNumberTests.format))
      emitter = Emitter(playing: sound, in: world)
      player = try SoundPlayer(playing: sound, in: world)
      endless = try SoundPlayer(playing: Sound(streaming: "endless") { EndlessReader() }, in: world)
      bus = world.mixer.makeBus("music")
      clock = BeatClock(120, in: world)
      emitter.repeats = .forever
      emitter.play()
      player.play()
      endless.play()
      render(1_024)
    }

    func render(_ frameCount: Int) {
      let mix = offline.render(frameCount: frameCount)
      #expect(mix.samples.allSatisfy { $0.isFinite })
    }
  }

  /// A reader without an end, which may return a wrong count.
  private struct EndlessReader: PCMReader, Sendable {
    var returned: Int?
    var surplus = 0
    let format = ExtremeNumberTests.format
    var frameCount: Int? { nil }

    mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) -> Int {
      buffer.removeAll(adopting: format)
      let count = buffer.append(frames: maxFrames + surplus) { room in
        for _ in 0..<maxFrames + surplus { room.append(0.1) }
      }
      return returned ?? count
    }

    mutating func seek(toFrame frame: Int) {}
  }

  /// The calls that take a time, by their names.
  private static var callsWithDuration: [(String, (Scene, Duration) -> Void)] {
    [
      ("Emitter.play(at:)", { $0.emitter.play(at: $1) }),
      ("Emitter.playbackTime", { $0.emitter.playbackTime = $1 }),
      ("Emitter.stop", { $0.emitter.stop(Fade($1)) }),
      ("Emitter.pause", { $0.emitter.pause(Fade($1)) }),
      ("Emitter.fade", { $0.emitter.fade(to: .decibels(-6), Fade($1, .equalPower)) }),
      ("SoundPlayer.play(at:)", { $0.player.play(at: $1) }),
      ("SoundPlayer.playbackTime", { $0.player.playbackTime = $1 }),
      ("SoundPlayer.playbackTime, endless", { $0.endless.playbackTime = $1 }),
      ("SoundPlayer.fade", { $0.player.fade(to: 0.5, Fade($1, .linear)) }),
      ("SoundPlayer.crossfade", { $0.player.crossfade(to: $0.endless, Fade($1)) }),
      ("SoundPlayer.schedule(at:)", { $0.player.schedule($0.sound, .at($1)) }),
      ("SoundPlayer.play together", { SoundPlayer.play([$0.player, $0.endless], at: $1) }),
      ("Bus.fade", { $0.bus.fade(to: .decibels(-6), Fade($1)) }),
      ("Bus.pause", { $0.bus.pause(Fade($1)) }),
      ("Bus.resume", { $0.bus.resume(Fade($1)) }),
      ("Bus.limit", { $0.bus.limit = PlaybackLimit(2, spacing: $1) }),
      ("Bus.duck", { $0.bus.duck(under: $0.world.mixer.main, Ducking(by: -6, attack: $1, hold: $1, release: $1)) }),
      ("BeatClock.start", { $0.clock.start(at: $1, fromBeat: 2) }),
      ("BeatClock.setTempo", { $0.clock.setTempo(90, at: $1) }),
      ("BeatClock.tempo", { $0.clock.setTempo(Tempo(beatDuration: $1)) }),
      ("Fade.level", { _ = Fade($1).level(from: 0, to: -6, after: $1 / 2 + Duration(attoseconds: 1)) }),
      ("AudioWorld.record", { $0.world.record(snapshotsEach: $1).stop() }),
      (
        "AudioWorld.endInterruption",
        { scene, time in
          scene.world.beginInterruption()
          scene.world.endInterruption(shouldResume: true, resumingAfter: time)
        }
      ),
    ]
  }

  /// The calls that take an integer, by their names.
  private static var callsWithInteger: [(String, (Scene, Int) -> Void)] {
    [
      ("Emitter.loop", { $0.emitter.repeats = .times($1) }),
      ("Emitter.priority", { $0.emitter.priority = Priority($1) }),
      ("SoundPlayer.repeats", { $0.player.repeats = .times($1) }),
      ("SoundPlayer.repeats, endless", { $0.endless.repeats = .times($1) }),
      ("SoundPlayer.loopRange from", { $0.player.loopRange = $1..<Int.max }),
      ("SoundPlayer.loopRange to", { $0.player.loopRange = Int.min..<$1 }),
      (
        "SoundPlayer.loopRange, endless",
        { scene, number in
          scene.endless.loopRange = 0..<max(number, 1)
          scene.endless.repeats = .forever
          scene.player.loopRange = nil
        }
      ),
      ("SoundPlayer.schedule(repeats:)", { $0.player.schedule($0.sound, repeats: .times($1)) }),
      (
        "SoundPlayer.schedule(at the loop's end)",
        { scene, number in
          var next = Sound(streaming: "endless") { EndlessReader() }
          next.loopRange = 0..<max(number, 1)
          scene.player.schedule(next, repeats: .times(number))
          scene.render(6_000)
          scene.player.schedule(scene.sound, .atLoopEnd)
        }
      ),
      (
        "Sound.loopRange",
        { scene, number in
          var sound = scene.sound
          sound.loopRange = Int.min..<number
          scene.world.playOnce(sound)
        }
      ),
      ("AudioWorld.streamLimit", { $0.world.streamLimit = $1 }),
      ("AudioWorld.castRays", { $0.world.castRays(limit: $1) { _ in OcclusionResult(occlusion: 0, obstruction: 0) } }),
      ("Bus.limit", { $0.bus.limit = PlaybackLimit($1) }),
      ("SoundBank.budget", { SoundBank(in: $0.world, budget: $1).budget = $1 }),
      ("BeatClock.init", { _ = BeatClock(120, meter: Meter($1, $1), in: $0.world).next(.bars($1)) }),
      ("BeatClock.next", { _ = $0.clock.next(.bars($1)) }),
      ("WorldSnapshot.name(ofZone:)", { _ = $0.world.snapshot().name(ofZone: $1) }),
    ]
  }

  /// The calls that take a number with a fraction, by their names.
  private static var callsWithNumber: [(String, (Scene, Double) -> Void)] {
    [
      ("BeatClock.start", { $0.clock.start(fromBeat: $1) }),
      ("BeatClock.moment", { _ = $0.clock.moment(ofBeat: $1) }),
      ("BeatClock.next", { _ = $0.clock.next(.beats($1)) }),
      ("BeatClock.setTempo", { $0.clock.setTempo(Tempo($1)) }),
      ("Meter.barAndBeat", { _ = Meter(7, 8).barAndBeat(atBeat: $1) }),
      ("Emitter.pitch", { $0.emitter.pitch = Float($1) }),
      ("Emitter.gain", { $0.emitter.gain = .decibels(Decibels(Float($1))) }),
      ("Emitter.position", { $0.emitter.position = SIMD3(repeating: Float($1)) }),
      ("Emitter.velocity", { $0.emitter.velocity = SIMD3(repeating: Float($1)) }),
      ("SoundPlayer.pitch", { $0.player.pitch = Float($1) }),
      ("SoundPlayer.volume", { $0.player.volume = Gain(Float($1)) }),
      ("SoundPlayer.pan", { $0.player.pan = Float($1) }),
      ("Bus.gain", { $0.bus.gain = .decibels(Decibels(Float($1))) }),
    ]
  }

  @Test(arguments: 0..<callsWithDuration.count) func `No time makes a call trap`(index: Int) throws {
    let (name, call) = Self.callsWithDuration[index]
    let scene = try Scene()
    for duration in Self.durations {
      call(scene, duration)
      scene.render(1_024)
      _ = (scene.emitter.playbackTime, scene.player.playbackTime, scene.endless.playbackTime, scene.player.meter)
    }
    #expect(scene.world.snapshot().emitters.count >= 1, "\(name)")
  }

  @Test(arguments: 0..<callsWithInteger.count) func `No integer makes a call trap`(index: Int) throws {
    let (name, call) = Self.callsWithInteger[index]
    let scene = try Scene()
    for integer in Self.integers {
      call(scene, integer)
      scene.render(1_024)
      _ = (scene.emitter.playbackTime, scene.player.playbackTime, scene.endless.playbackTime, scene.player.meter)
    }
    #expect(scene.world.snapshot().emitters.count >= 1, "\(name)")
  }

  @Test(arguments: 0..<callsWithNumber.count) func `No number makes a call trap`(index: Int) throws {
    let (name, call) = Self.callsWithNumber[index]
    let scene = try Scene()
    for number in Self.numbers {
      call(scene, number)
      scene.render(1_024)
      _ = (scene.emitter.playbackTime, scene.player.playbackTime, scene.endless.playbackTime, scene.clock.position)
    }
    #expect(scene.world.snapshot().emitters.count >= 1, "\(name)")
  }

  @Test(arguments: integers) func `A player takes what a reader has delivered, whatever count it returns`(
    returned: Int
  ) throws {
    for surplus in [0, 1_000] {
      var offline = try OfflineRenderer(format: Self.format)
      let world = AudioWorld(in: offline.context)
      let sound = Sound(streaming: "wrong") { EndlessReader(returned: returned, surplus: surplus) }
      let player = try SoundPlayer(playing: sound, in: world)
      player.play()
      let mix = offline.render(frameCount: 24_000).samples
      let level = mix[mix.count - 1]
      #expect(level > 0.05 && mix.dropFirst(1_024).allSatisfy { abs($0 - level) < 0.001 }, "\(surplus)")
      #expect(player.playbackTime > .milliseconds(490))
    }
  }

  @Test(arguments: [48_000, 44_100, 96_000]) func `A replay keeps moments that never come`(rate: Int) throws {
    let scene = try Scene()
    let recording = scene.world.record()
    let other = Emitter(playing: scene.sound, in: scene.world)
    for duration in Self.durations {
      other.play(at: duration)
      scene.player.schedule(scene.sound, .at(duration))
      scene.render(256)
    }
    recording.stop()
    var offline = try OfflineRenderer(format: .stereo(sampleRate: rate))
    // The mix of the replay is not at its beginning.
    offline.render(frameCount: 4_800)
    let copy = AudioWorld(in: offline.context)
    recording.replay(in: copy)
    let mix = offline.render(recording.duration + .milliseconds(50))
    #expect(mix.samples.allSatisfy { $0.isFinite })
  }

  @Test func `Sums and products of frames stop at the ends of the range`() {
    for first in Self.integers {
      for second in Self.integers {
        let sum = Int128(first) + Int128(second)
        #expect(Frames.sum(first, second) == Int(clamping: sum))
        guard first >= 0, second >= 0 else { continue }
        #expect(Frames.product(first, second) == Int(clamping: Int128(first) * Int128(second)))
      }
      #expect((-Frames.last...Frames.last).contains(Frames.usable(first)))
    }
  }
}
