import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// The end of a sound that no voice is worth.
@Suite struct NearEndTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  /// Plays a sound of a second, silent from 0.3 s to a moment, and returns the events and the second half of the mix.
  private func play(silentUntil milliseconds: Int, isBusPaused: Bool = false) throws
    -> (events: [EmitterEvent], isSilent: Bool)
  {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let sound = Sound(TestSignal.sine(frequency: 400, duration: .seconds(1), format: Self.mono))
    let emitter = Emitter(playing: sound, in: world)
    let events = Collected<EmitterEvent>()
    let token = emitter.observe { events.append($0) }
    emitter.play()
    offline.render(.milliseconds(isBusPaused ? milliseconds : 300))
    if isBusPaused { world.mixer.main.pause() } else { emitter.gain = .silence }
    offline.render(.milliseconds(isBusPaused ? 200 : milliseconds - 300))
    if isBusPaused { world.mixer.main.resume() } else { emitter.gain = .unity }
    let mix = offline.render(.milliseconds(1_200 - milliseconds))
    withExtendedLifetime(token) {}
    return (events.all, mix.isSilent())
  }

  @Test func `An emitter returns only with 100 ms left, and ends at its time without that`() throws {
    let early = try play(silentUntil: 800)
    #expect(early.events == [.becameReal, .becameVirtual, .becameReal, .ended(.played)])
    #expect(!early.isSilent)
    let late = try play(silentUntil: 920)
    #expect(late.events == [.becameReal, .becameVirtual, .ended(.played)])
    #expect(late.isSilent)
  }

  @Test func `An emitter plays its last part after a pause of its bus`() throws {
    let paused = try play(silentUntil: 930, isBusPaused: true)
    #expect(!paused.isSilent)
  }

  @Test func `A sound that is shorter than 100 ms is heard`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 1)
    let sound = Sound(TestSignal.sine(frequency: 400, duration: .milliseconds(60), format: Self.mono))
    let first = world.playOnce(sound)
    world.playOnce(sound, gain: .decibels(12))
    offline.render(.milliseconds(30))
    #expect(first.isVirtual)
    #expect(world.voiceStatistics().real == 1 && world.voiceStatistics().promoted == 2)
  }
}
