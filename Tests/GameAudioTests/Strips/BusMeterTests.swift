import PCM
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// Meters of the main bus, in offline mixes.
@Suite struct BusMeterTests {
  private static let stereo = PCMFormat.stereo(sampleRate: 48_000)

  private static func tone(_ amplitude: Float, seconds: Int = 10) -> Sound {
    Sound(TestSignal.sine(frequency: 997, duration: .seconds(seconds), format: stereo, amplitude: amplitude))
  }

  @Test func `A meter has the loudness and the peaks of a tone`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let meter = world.mixer.main.meter()
    #expect(meter.bus == world.mixer.main && meter.loudness.momentary == nil && meter.channels.count == 2)
    // EBU Tech 3341: a stereo tone of -23 dBFS has -23 LUFS.
    world.playOnce(Self.tone(Decibels(-23).factor), on: world.mixer.makeBus("music", kind: .direct))
    offline.render(.seconds(5))
    let loudness = meter.loudness
    for value in [loudness.momentary, loudness.shortTerm, loudness.integrated] {
      #expect(abs(try #require(value).rawValue + 23) < 0.1)
    }
    #expect(abs(loudness.samplePeak.rawValue + 23) < 0.1 && abs(loudness.truePeak.rawValue + 23) < 0.1)
    for channel in meter.channels {
      #expect(abs(channel.peak.rawValue + 23) < 0.1 && abs(channel.average.rawValue + 26.01) < 0.1)
    }
    #expect(abs(try #require(loudness.range).rawValue) < 0.1)
    meter.reset()
    #expect(meter.loudness.integrated == nil && meter.loudness.samplePeak == .silence)
    #expect(meter.loudness.momentary != nil)
    offline.render(.milliseconds(300))
    #expect(abs(try #require(meter.loudness.integrated).rawValue + 23) < 0.1)
  }

  @Test func `A meter measures behind the inserts, the fader and the limiter`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let main = world.mixer.main
    main.inserts = [.compressor(threshold: -20, ratio: 4, attack: .milliseconds(5)), .width(1)]
    let meter = main.meter()
    world.playOnce(Self.tone(0.5), on: world.mixer.makeBus("music", kind: .direct))
    offline.render(.seconds(2))
    let before = meter.channels[0].peak
    #expect(meter.reductions.count == 2 && meter.reductions[0] < -3 && meter.reductions[1] == 0)
    main.gain = .decibels(-10)
    offline.render(.seconds(1))
    #expect(abs((meter.channels[0].peak - before).rawValue + 10) < 0.05)
    main.gain = .decibels(6)
    world.mixer.limiter = Insert.Limiter(ceiling: -30)
    offline.render(.seconds(1))
    meter.reset()
    offline.render(.seconds(1))
    #expect(abs(meter.channels[0].peak.rawValue + 30) < 0.05 && meter.loudness.truePeak <= -29.98)
  }

  @Test func `The statistics have the latencies, and no load offline`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    #expect(world.mixer.statistics.stageLatency == .zero)
    world.mixer.limiter = Insert.Limiter()
    world.mixer.main.inserts = [.limiter()]
    offline.render(.milliseconds(100))
    let statistics = world.mixer.statistics
    // 82 frames for each limiter with true peak.
    #expect(statistics.stageLatency == Self.stereo.duration(ofFrames: 164) && statistics.addedLatency == .zero)
    #expect(statistics.load == 0 && statistics.peakLoad == 0 && statistics.underruns == 0)
    #expect(try decode(json(statistics)) == statistics)
  }

  @Test(.hangLimit) func `The statistics of a processed world have its load and its latency`() async throws {
    let world = try AudioWorld(processing: true)
    #expect(world.mixer.limiter == Insert.Limiter() && world.context.device.output != nil)
    try await eventually("a second was mixed") { world.context.mixedFrames > world.context.sampleRate }
    let statistics = world.mixer.statistics
    #expect(statistics.load > 0 && statistics.load < 2 && statistics.peakLoad > 0)
    #expect(statistics.addedLatency == world.context.device.addedLatency && statistics.addedLatency > .zero)
    #expect(statistics.stageLatency > .milliseconds(1) && statistics.stageLatency < .milliseconds(3))
  }

  @Test func `Each meter measures from its making on, and a released meter not at all`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    world.playOnce(Self.tone(0.5))
    let first = world.mixer.main.meter()
    offline.render(.seconds(1))
    var second: BusMeter? = world.mixer.main.meter()
    #expect(first.loudness.integrated != nil && second?.loudness.integrated == nil)
    weak let released = second
    second = nil
    #expect(released == nil)
    offline.render(.seconds(1))
    #expect(first.loudness.integrated != nil)
  }
}
