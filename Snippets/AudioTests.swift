//! A game's tests of its own audio, for the guide of Spatial3DTesting.

// snippet.imports
import Foundation
import Spatial3D
import Spatial3DTesting
import Testing
// snippet.end

import FileDecode

// snippet.monster
struct Monster {
  let source: SoundSource

  init(
    sound: PCMBuffer<Float>,
    at position: SIMD3<Float>,
    in context: AudioContext
  ) throws {
    source = try SoundSource(
      playing: SoundBuffer(sound, in: context),
      in: context
    )
    source.position = position
    source.isLooping = true
    source.play()
  }
}
// snippet.end

@Suite struct MonsterTests {
  // snippet.place
  @Test func `The monster is heard where it stands`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let noise = TestSignal.noise(
      duration: .seconds(1),
      format: .mono(sampleRate: 48_000)
    )
    let monster = try Monster(
      sound: noise,
      at: [2, 0, -3],
      in: offline.context
    )

    let mix = offline.render(.seconds(1))
    #expect(mix.level > -30)
    let azimuth = try mix.apparentAzimuth(by: .levelDifference)
    #expect(abs(azimuth - 33.7) < 1)  // degrees, to the right

    monster.source.stop()
    #expect(offline.render(.seconds(1)).frames(4_800..<48_000).isSilent())
  }
  // snippet.end

  // snippet.headphones
  @Test func `Headphones hear it later on the left`() throws {
    let settings = OutputSettings(hrtf: .on)
    var offline = try OfflineRenderer(
      format: .stereo(sampleRate: 48_000),
      settings: settings
    )
    let noise = TestSignal.noise(
      duration: .seconds(1),
      format: .mono(sampleRate: 48_000)
    )
    let monster = try Monster(
      sound: noise,
      at: [3, 0, 0],
      in: offline.context
    )
    try #require(offline.context.output.hrtf.isOn)

    let ears = offline.render(.seconds(1)).interauralDifference
    #expect(ears.time > .microseconds(600), "\(ears)")
    #expect(ears.level > 8, "\(ears)")
    #expect(monster.source.state == .playing)
  }
  // snippet.end

  // snippet.tones
  @Test func `A monster that comes nearer has a higher pitch`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let tone = TestSignal.sine(
      frequency: 1_000,
      duration: .seconds(1),
      format: .mono(sampleRate: 48_000)
    )
    let monster = try Monster(
      sound: tone,
      at: [0, 0, -10],
      in: offline.context
    )
    // metres per second, towards the listener
    monster.source.velocity = [0, 0, 20]

    let spectrum = offline.render(.seconds(1)).spectrum(ofChannel: 0)
    let heard = try #require(spectrum.strongestFrequency)
    #expect(abs(heard - 1_000 * 343.3 / (343.3 - 20)) < 0.5)
    #expect(spectrum.level(in: 0...900) < -80)
  }
  // snippet.end

  // snippet.loop
  @Test func `The growl loops without a gap or a click`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let growl = TestSignal.sine(
      frequency: 480,
      duration: .milliseconds(500),
      format: .mono(sampleRate: 48_000)
    )
    let monster = try Monster(
      sound: growl,
      at: [0, 0, -1],
      in: offline.context
    )

    let mix = offline.render(.seconds(2))
    #expect(mix.clicks(highestFrequency: 480).isEmpty)
    #expect(mix.silences().isEmpty)
    #expect(monster.source.state == .playing)
  }
  // snippet.end

  // snippet.room
  @Test func `The cathedral rings for five and a half seconds`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    offline.context.reverb = Reverb(.cathedral)
    let impulse = TestSignal.impulse(
      duration: .milliseconds(10),
      format: .mono(sampleRate: 48_000)
    )
    let clap = try SoundSource(
      playing: SoundBuffer(impulse, in: offline.context),
      in: offline.context
    )
    clap.reverbBlend = 1  // of the room alone
    clap.play()

    let answer = offline.render(.seconds(8))
    let time = try answer.reverberationTime(.t30, octaveBand: 1_000)
    #expect((.seconds(4.7)...(.seconds(6.3))).contains(time))
    #expect(clap.state == .stopped)
  }
  // snippet.end

  // snippet.timeline
  @Test func `The monster growls on when the scream is over`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let growl = TestSignal.sine(
      frequency: 480,
      duration: .milliseconds(500),
      format: .mono(sampleRate: 48_000)
    )
    let monster = try Monster(
      sound: growl,
      at: [0, 0, -1],
      in: offline.context
    )
    let scream = TestSignal.sweep(
      from: 400,
      to: 2_000,
      duration: .milliseconds(800),
      format: .mono(sampleRate: 48_000)
    )
    let victim = try SoundSource(
      playing: SoundBuffer(scream, in: offline.context),
      in: offline.context
    )

    let timeline = NotificationTimeline()
    timeline.observe(monster.source, as: "monster")
    timeline.observe(victim, as: "victim")
    offline.render(.milliseconds(100))
    victim.play()
    offline.render(.milliseconds(1_100))
    monster.source.stop()

    #expect(
      timeline.entries == [
        .init("victim", .stateChanged(.playing), at: 4_800),
        .init("monster", .looped(1), at: 24_000),
        .init("victim", .stateChanged(.stopped), at: 43_200),
        .init("monster", .looped(1), at: 48_000),
        .init("monster", .stateChanged(.stopped), at: 57_600),
      ],
      "\(timeline)"
    )
  }
  // snippet.end

  // snippet.golden
  @Test func `The monster's entrance sounds as it did`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let noise = TestSignal.noise(
      duration: .seconds(1),
      format: .mono(sampleRate: 48_000)
    )
    let monster = try Monster(
      sound: noise,
      at: [-6, 0, -2],
      in: offline.context
    )
    let renderer = try RendererFingerprint(of: offline)
    let mix = offline.render(.seconds(1))
    #expect(monster.source.state == .playing)

    // Goldens/entrance.wav beside this file
    let golden = GoldenMix("entrance")
    if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil {
      try golden.record(mix, renderedBy: renderer)
    }
    let comparison = try golden.compare(mix, renderedBy: renderer)
    if !comparison.isSame {
      try GoldenMix("entrance.heard").record(mix, renderedBy: renderer)
    }
    #expect(comparison.isSame)
  }
  // snippet.end

  /// Holds the snippets about golden mixes of several renderers and about a reference file.
  private func versions(
    of mix: PCMBuffer<Float>,
    by renderer: RendererFingerprint
  ) throws {
    // snippet.versions
    let golden = GoldenMix("entrance-\(renderer.name)")
    // snippet.end
    // snippet.file
    let reference = try AudioFile(opening: "entrance.flac").readAll()
    let difference = try mix.difference(from: reference)
    #expect(difference.peak < -60, "\(difference)")
    // snippet.end
    _ = golden
  }
}
