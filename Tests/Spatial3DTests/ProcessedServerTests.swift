import AudioSupport
import Foundation
import Spatial3DTesting
import TestServer
import TestSupport
import Testing

@testable import Spatial3D

/// A processed device on a private sound server.
///
/// Each test records first: a sink that nobody records takes frames at a wrong rate for two seconds.
@Suite(.hangLimit)
struct ProcessedServerTests {
  @Test(.serialized, arguments: SoundServer.Kind.allCases)
  func `What is recorded equals what was rendered, to the bit`(kind: SoundServer.Kind) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind] in
      try await recordingErrors {
        let server = try SoundServer(kind)
        try server.lendToThisProcess()
        let tape = try Tape(of: server)
        let (context, mix) = try ProcessedMix.make()
        let source = try ProcessedMix.noise(in: context)
        source.play()
        let second = 2 * context.sampleRate
        // A gap of the machine, in the ring or in the server, spoils the windows that it is in, and no other.
        try await eventually("a second of the recording is a second of the mix") {
          let (heard, rendered) = (tape.samples, mix.played)
          guard rendered.count > second, heard.count > second else { return false }
          let window = Array(heard.suffix(second))
          guard let key = window.firstIndex(where: { $0 != 0 }) else { return false }
          // Sixteen samples of noise occur at one position of the mix alone.
          let needle = Array(window[key..<min(key + 16, second)])
          let place = rendered.indices.first { rendered[$0...].starts(with: needle) }
          guard let place else { return false }
          guard place >= key, place - key + second <= rendered.count else { return false }
          return rendered[(place - key)..<(place - key + second)].elementsEqual(window)
        }
        withExtendedLifetime(source) {}
      }
    }
  }

  /// The median of the frames between a click on the output and a click in the mix, which start at the same moment.
  @Test(.serialized, arguments: SoundServer.Kind.allCases, [false, true])
  func `A click in the mix is later than a click on the output by the added latency`(
    kind: SoundServer.Kind,
    usesQueue: Bool
  ) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind, usesQueue] in
      try await recordingErrors {
        let server = try SoundServer(kind)
        try server.lendToThisProcess(period: 480, periods: 3)
        let tape = try Tape(of: server)
        let (context, _) = try ProcessedMix.make(usesQueue: usesQueue, ahead: .milliseconds(20))
        let output = try #require(context.device.output)
        let plain = try AudioContext(device: output)
        let clicks = try (ProcessedMix.click(on: 0, in: plain), ProcessedMix.click(on: 1, in: context))
        let isCallback = !usesQueue && context.capabilities.contains(.callbackBuffers)
        let noise = try ProcessedMix.noise(in: context)
        noise.gain = 0.01
        noise.play()
        try await eventually("the mix is heard") { tape.samples.contains { $0 != 0 } }
        noise.stop()
        try await eventually("the recording is silent") { tape.samples.suffix(9_600).allSatisfy { abs($0) < 1e-4 } }
        // PipeWire plays whole quanta, so that a distance is off by one of them.
        let tolerance = kind == .pulseAudio ? 3.0 : 8.0
        let most = kind == .pulseAudio ? (isCallback ? 22.0 : 33.0) : .infinity
        // A gap of a late machine changes the distance of the clicks behind it. Another round has no gap.
        for round in 1...4 {
          let missed = try #require(context.device.outputMixer).missedFrames
          let begin = tape.samples.count
          for index in 0..<40 {
            clicks.0.play()
            clicks.1.play()
            usleep(useconds_t(100_000 + index * 1_700 % 10_000))
          }
          let recorded = tape.samples.count
          try await eventually("the clicks are recorded") { tape.samples.count > recorded + 2 * 48_000 }
          let heard = Array(tape.samples[begin...])
          let (direct, mixed) = (ProcessedMix.onsets(in: heard, 0), ProcessedMix.onsets(in: heard, 1))
          let distances = direct.compactMap { first in
            mixed.first { abs($0 - first) < 2_400 }.map { Double($0 - first) / 48 }
          }.sorted()
          let median = distances.isEmpty ? .infinity : distances[distances.count / 2]
          let added = context.device.addedLatency / .milliseconds(1)
          if distances.count >= 20, abs(median - added) <= tolerance, median <= most { return }
          let isStarved = context.device.outputMixer?.missedFrames != missed
          #expect(round < 4 || isStarved, "\(distances.count) clicks, \(median) ms after \(added) ms")
        }
      }
    }
  }

  @Test(.serialized, arguments: SoundServer.Kind.allCases, [false, true])
  func `A scene runs in time without its server and is heard after the server returns`(
    kind: SoundServer.Kind,
    usesQueue: Bool
  ) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind, usesQueue] in
      try await recordingErrors {
        let server = try SoundServer(kind)
        try server.lendToThisProcess()
        let tape = try Tape(of: server)
        let (context, mix) = try ProcessedMix.make(usesQueue: usesQueue)
        let source = try ProcessedMix.noise(in: context)
        source.play()
        let short = try SoundSource(playing: Scenes.silence(frames: 48_000, in: context), in: context)
        var events = context.events().makeAsyncIterator()
        try await eventually("the mix is heard") { tape.samples.contains { $0 != 0 } }
        let before = context.mixedFrames
        try await eventually("the recorded sink runs") { context.mixedFrames > before + 2 * 48_000 }
        short.play()
        try server.kill()
        #expect(await events.next()?.kind == .deviceLost)
        #expect(context.device.output?.isOnOutput == false)
        let (frame, start) = (context.mixedFrames, ContinuousClock.now)
        try await eventually("three seconds passed") { ContinuousClock.now - start > .seconds(3) }
        let rate = Double(context.mixedFrames - frame) / ((ContinuousClock.now - start) / .seconds(1)) / 48_000
        #expect((0.97...1.03).contains(rate))
        #expect(short.state == .stopped && source.state == .playing)
        try server.start()
        try server.add(sink: "main")
        #expect(await events.next()?.kind == .deviceReturned)
        let played = mix.playedFrames
        let second = try Tape(of: server)
        try await eventually("the mix is heard again") { second.samples.contains { $0 != 0 } }
        #expect(mix.playedFrames > played && source.state == .playing)
      }
    }
  }

  @Test(.serialized, arguments: SoundServer.Kind.allCases, [false, true])
  func `A scene that does not keep time stands still without its server`(
    kind: SoundServer.Kind,
    usesQueue: Bool
  ) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind, usesQueue] in
      try await recordingErrors {
        let server = try SoundServer(kind)
        try server.lendToThisProcess()
        let tape = try Tape(of: server)
        let (context, _) = try ProcessedMix.make(usesQueue: usesQueue)
        context.device.keepsTimeWithoutOutput = false
        let source = try ProcessedMix.noise(in: context)
        source.play()
        var events = context.events().makeAsyncIterator()
        try await eventually("the mix is heard") { tape.samples.contains { $0 != 0 } }
        try server.kill()
        #expect(await events.next()?.kind == .deviceLost)
        let frame = context.mixedFrames
        try await eventually("a second passed") { [start = ContinuousClock.now] in
          ContinuousClock.now - start > .seconds(1)
        }
        #expect(context.mixedFrames <= frame + 512)
        try server.start()
        try server.add(sink: "main")
        #expect(await events.next()?.kind == .deviceReturned)
        let second = try Tape(of: server)
        try await eventually("the mix is heard again") { second.samples.contains { $0 != 0 } }
        #expect(context.mixedFrames > frame + 512)
      }
    }
  }

  @Test(.serialized, arguments: SoundServer.Kind.allCases, [false, true])
  func `A mix moves to another output and goes on there`(kind: SoundServer.Kind, isRebuilt: Bool) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind, isRebuilt] in
      try await recordingErrors {
        let server = try SoundServer(kind, sink: "speakers")
        try server.lendToThisProcess()
        try server.add(sink: "headphones")
        let tapes = try (Tape(of: server, sink: "speakers"), Tape(of: server, sink: "headphones"))
        let disabled: DisabledFeatures = isRebuilt ? [.deviceReopening] : []
        let output = AudioDevice(
          handle: try DeviceHandle(opening: "speakers", disabling: disabled),
          openedName: "speakers"
        )
        let context = try AudioContext(device: .processed(on: output, ahead: nil))
        let source = try ProcessedMix.noise(in: context)
        source.play()
        var events = context.events().makeAsyncIterator()
        try await eventually("the mix is heard") { tapes.0.samples.contains { $0 != 0 } }
        #expect(throws: AudioError.self) { try context.device.move(to: "none") }
        let clock = context.clock
        for _ in 1...3 {
          for (name, tape) in [("headphones", tapes.1), ("speakers", tapes.0)] {
            try context.device.move(to: name)
            #expect(context.device.name == name)
            #expect(await events.next()?.kind == .outputChanged)
            let count = tape.samples.count
            try await eventually("the mix is heard on \(name)") {
              tape.samples.dropFirst(count + 9_600).contains { $0 != 0 }
            }
          }
        }
        #expect(context.clock > clock && source.state == .playing)
      }
    }
  }

  @Test(.serialized, arguments: SoundServer.Kind.allCases, [false, true])
  func `A server that hangs stops time, and a killed one does not`(
    kind: SoundServer.Kind,
    usesQueue: Bool
  ) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind, usesQueue] in
      try await recordingErrors {
        let server = try SoundServer(kind)
        try server.lendToThisProcess()
        let tape = try Tape(of: server)
        let (context, _) = try ProcessedMix.make(usesQueue: usesQueue)
        let source = try ProcessedMix.noise(in: context)
        source.play()
        var events = context.events().makeAsyncIterator()
        try await eventually("the mix is heard") { tape.samples.contains { $0 != 0 } }
        #expect(DeviceInspector.isWatchingClocks)
        let start = context.clock
        try await eventually("the watchdog has seen the clock move") { context.clock > start + .seconds(2) }
        try server.hang()
        try await eventually("a second passed") { [start = ContinuousClock.now] in
          ContinuousClock.now - start > .seconds(1)
        }
        let frame = context.mixedFrames
        try await eventually("another second passed") { [start = ContinuousClock.now] in
          ContinuousClock.now - start > .seconds(1)
        }
        #expect(context.mixedFrames <= frame + 9_600)
        try server.kill()
        #expect(await events.next()?.kind == .deviceLost)
        let lost = context.mixedFrames
        try await eventually("time goes on by the clock") { context.mixedFrames > lost + 24_000 }
        try server.start()
        try server.add(sink: "main")
        #expect(await events.next()?.kind == .deviceReturned)
        let second = try Tape(of: server)
        try await eventually("the mix is heard again") { second.samples.contains { $0 != 0 } }
      }
    }
  }

  @Test(.serialized, arguments: SoundServer.Kind.allCases, [false, true])
  func `Losses and suspensions leave no thread and no descriptor behind`(
    kind: SoundServer.Kind,
    usesQueue: Bool
  ) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind, usesQueue] in
      try await recordingErrors {
        func count(_ folder: String) throws -> Int { try FileManager.default.contentsOfDirectory(atPath: folder).count }
        let server = try SoundServer(kind)
        try server.lendToThisProcess()
        var counts: [SIMD2<Int>] = []
        let (context, _) = try ProcessedMix.make(usesQueue: usesQueue)
        let source = try ProcessedMix.noise(in: context)
        source.play()
        var events = context.events().makeAsyncIterator()
        for index in 1...5 {
          // An output that is suspended reports its loss once it resumes. The PipeWire backend would not return from
          // the resume of a stream whose server is gone, with or without a mix.
          let isSuspended = index % 2 == 0 && kind != .pipeWire
          if isSuspended { context.suspend() }
          try server.kill()
          if isSuspended { context.resume() }
          #expect(await events.next()?.kind == .deviceLost)
          try server.start()
          try server.add(sink: "main")
          #expect(await events.next()?.kind == .deviceReturned)
          let tape = try Tape(of: server)
          try await eventually("the mix is heard") { tape.samples.contains { $0 != 0 } }
          tape.end()
          counts.append([try count("/proc/self/fd"), try count("/proc/self/task")])
        }
        #expect(counts[4].x - counts[1].x <= 3)
        #expect(counts[4].y - counts[1].y <= 3)
      }
    }
  }
}

/// A recording of a sink that a thread reads.
private final class Tape: Sendable {
  private let recorded = Lock<[Float]>([])
  private let isOver = Flag()

  var samples: [Float] { recorded.withLock { $0 } }

  init(of server: SoundServer, sink: String = "main") throws {
    let recording = try server.recording(of: sink)
    let (isOver, reference) = (isOver, Weak(self))
    // The sink runs at its rate once it is recorded.
    _ = try recording.frames(2_400)
    Thread.detachNewThread {
      while !isOver.isRaised, let piece = try? recording.frames(480), piece.frameCount > 0 {
        guard let tape = reference.object else { return }
        tape.recorded.withLock { $0 += piece.samples }
      }
    }
  }

  deinit { end() }

  func end() { isOver.raise() }
}

/// Processed devices on the default output, and sounds for them.
private enum ProcessedMix {
  static func make(usesQueue: Bool = false, ahead: Duration? = nil) throws -> (AudioContext, MixProbe) {
    let disabled: DisabledFeatures = usesQueue ? [.callbackBuffers] : []
    let output = AudioDevice(handle: try DeviceHandle(opening: nil, disabling: disabled))
    let device = try AudioDevice.processed(on: output, ahead: ahead)
    let probe = try MixProbe(device)
    return (try AudioContext(device: device), probe)
  }

  static func noise(in context: AudioContext) throws -> SoundSource {
    let noise = TestSignal.noise(duration: .milliseconds(900), format: Scenes.mono)
    let source = try SoundSource(playing: SoundBuffer(noise, in: context), in: context)
    source.isLooping = true
    source.gain = 0.5
    source.position = [0.5, 0, -1]
    return source
  }

  /// A click on one channel, which plays directly.
  static func click(on channel: Int, in context: AudioContext) throws -> SoundSource {
    var samples = [Float](repeating: 0, count: 2 * 480)
    for frame in 0..<24 { samples[2 * frame + channel] = 0.8 }
    let buffer = try SoundBuffer(PCMBuffer(samples: samples, format: Scenes.stereo), in: context)
    let source = try SoundSource(playing: buffer, in: context)
    source.spatialization = .never
    source.usesDirectChannels = true
    return source
  }

  /// The frames at which a channel of a stereo recording becomes loud.
  static func onsets(in samples: [Float], _ channel: Int) -> [Int] {
    var (onsets, last) = ([Int](), -10_000)
    for frame in 0..<samples.count / 2 where abs(samples[2 * frame + channel]) > 0.3 {
      if frame - last > 2_000 { onsets.append(frame) }
      last = frame
    }
    return onsets
  }
}
