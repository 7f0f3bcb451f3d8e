import Foundation
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
        let mix = try ServedMix(on: kind)
        let second = 2 * mix.context.sampleRate
        // A gap of the machine, in the ring or in the server, spoils the windows that it is in, and no other.
        try await eventually("a second of the recording is a second of the mix") {
          let (heard, rendered) = (mix.tape.samples, mix.probe.played)
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
        let mix = try ServedMix(on: kind, usesQueue: usesQueue, ahead: .milliseconds(20), hasShortBuffer: true)
        let (context, tape) = (mix.context, mix.tape)
        let output = try #require(context.device.output)
        let plain = try AudioContext(device: output)
        let clicks = try (ServedMix.click(on: 0, in: plain), ServedMix.click(on: 1, in: context))
        let isCallback = !usesQueue && context.capabilities.contains(.callbackBuffers)
        try await mix.untilHeard()
        mix.source.stop()
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
          let (direct, mixed) = (ServedMix.onsets(in: heard, 0), ServedMix.onsets(in: heard, 1))
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
        let mix = try ServedMix(on: kind, usesQueue: usesQueue)
        let (server, context, source) = (mix.server, mix.context, mix.source)
        let short = try SoundSource(playing: Scenes.silence(frames: 48_000, in: context), in: context)
        var events = context.events().makeAsyncIterator()
        try await mix.untilHeard()
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
        let played = mix.probe.playedFrames
        try await mix.untilHeard(by: Tape(of: server))
        #expect(mix.probe.playedFrames > played && source.state == .playing)
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
        let mix = try ServedMix(on: kind, usesQueue: usesQueue)
        let (server, context) = (mix.server, mix.context)
        context.device.keepsTimeWithoutOutput = false
        var events = context.events().makeAsyncIterator()
        try await mix.untilHeard()
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
        try await mix.untilHeard(by: Tape(of: server))
        #expect(context.mixedFrames > frame + 512)
      }
    }
  }

  @Test(.serialized, arguments: SoundServer.Kind.allCases, [false, true])
  func `A mix moves to another output and goes on there`(kind: SoundServer.Kind, isRebuilt: Bool) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind, isRebuilt] in
      try await recordingErrors {
        let mix = try ServedMix(
          on: kind,
          disabling: isRebuilt ? [.deviceReopening] : [],
          sinks: ["speakers", "headphones"]
        )
        let (context, source) = (mix.context, mix.source)
        var events = context.events().makeAsyncIterator()
        try await mix.untilHeard()
        #expect(throws: AudioError.self) { try context.device.move(to: "none") }
        let clock = context.clock
        for _ in 1...3 {
          for (name, tape) in [("headphones", mix.tapes[1]), ("speakers", mix.tapes[0])] {
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
        let mix = try ServedMix(on: kind, usesQueue: usesQueue)
        let (server, context) = (mix.server, mix.context)
        var events = context.events().makeAsyncIterator()
        try await mix.untilHeard()
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
        try await mix.untilHeard(by: Tape(of: server))
      }
    }
  }

  @Test(.serialized, arguments: SoundServer.Kind.allCases, [false, true])
  func `Twenty losses, with suspensions, leave no thread and no descriptor behind`(
    kind: SoundServer.Kind,
    usesQueue: Bool
  ) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind, usesQueue] in
      try await recordingErrors {
        let mix = try ServedMix(on: kind, usesQueue: usesQueue)
        let (server, context) = (mix.server, mix.context)
        var events = context.events().makeAsyncIterator()
        try await mix.untilHeard()
        mix.tape.end()
        var counts = SIMD2<Int>()
        for index in 1...20 {
          // An output that is suspended reports its loss once it resumes. The PipeWire backend would not return from
          // the resume of a stream whose server is gone, with or without a mix.
          let isSuspended = index % 2 == 0 && kind != .pipeWire
          if isSuspended { context.suspend() }
          try server.kill()
          if isSuspended { context.resume() }
          let lost = await events.next()?.kind
          #expect(lost == .deviceLost, "\(index): \(String(describing: lost))")
          try server.start()
          try server.add(sink: "main")
          let returned = await events.next()?.kind
          #expect(returned == .deviceReturned, "\(index): \(String(describing: returned))")
          // The library keeps some threads and descriptors from its first connections on.
          if index == 2 { counts = [try openFiles(), try threads()] }
        }
        let tape = try Tape(of: server)
        try await mix.untilHeard(by: tape)
        tape.end()
        // A thread that looks for an output may still run, and the recording too.
        try await eventually("threads and descriptors have ended", every: .milliseconds(10)) {
          try openFiles() <= counts.x + 3 && threads() <= counts.y + 3
        }
        #expect(mix.source.state == .playing, "the noise repeats")
        #expect(mix.probe.isConsecutive, "the mix goes on")
      }
    }
  }
}
