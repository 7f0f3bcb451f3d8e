import AudioSupport
import Spatial3DTesting
import TestServer
import TestSupport
import Testing

@testable import Spatial3D

/// A sound server that is killed while a scene plays, and starts again later.
@Suite(.hangLimit)
struct ServerLossTests {
  @Test(.serialized, arguments: SoundServer.Kind.allCases)
  func `A scene continues without its server and is audible after the server returns`(kind: SoundServer.Kind)
    async throws
  {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind] in
      try await recordingErrors {
        let server = try SoundServer(kind)
        try server.lendToThisProcess()
        let context = try AudioContext()
        context.listener.gain = 0.8
        context.reverb = Reverb(.plate)
        let tone = TestSignal.sine(frequency: 440, duration: .seconds(1), format: Scenes.mono)
        let source = try SoundSource(playing: SoundBuffer(tone, in: context), in: context)
        source.isLooping = true
        source.position = [3, 0, 0]
        source.play()
        let music = try SoundSource(streaming: SampleReader(frames: 30 * 48_000), in: context)
        music.gain = 0
        music.isLooping = true
        music.play()
        var events = context.events().makeAsyncIterator()
        let first = try server.recording()
        _ = try first.untilSound()

        /// Expects that the music advances by the length of another sound while the music plays.
        func expectMusicAdvances() async throws {
          let frame = music.playbackFrame
          let once = try context.playOnce(Scenes.silence(frames: 9_600, in: context))
          await once.waitUntilStopped()
          let distance = (music.playbackFrame - frame + 30 * 48_000) % (30 * 48_000)
          #expect(distance >= 9_600 - 4_096)
        }
        try server.kill()
        #expect(await events.next()?.kind == .deviceLost)
        #expect(source.state == .playing)
        #expect(music.state == .playing)
        // New sounds play too, and property changes meanwhile apply.
        try await expectMusicAdvances()
        source.position = [-3, 0, 0]
        try server.start()
        try server.add(sink: "main")
        #expect(await events.next()?.kind == .deviceReturned)
        try await expectMusicAdvances()
        let second = try server.recording()
        _ = try second.untilSound()
        let mix = try second.seconds(0.5)
        #expect(mix.level(ofChannel: 0) - mix.level(ofChannel: 1) > 6)
        let frequency = try #require(mix.spectrum(ofChannel: 0).strongestFrequency)
        #expect(abs(frequency - 440) < 2)
        #expect(source.state == .playing)
        // A sink of a server that just started takes a second to play its first stream, whichever client owns that.
        #expect(music.state == .playing)
      }
    }
  }

  @Test(.serialized, arguments: SoundServer.Kind.allCases)
  func `Losses of a server leave no thread and no descriptor behind`(kind: SoundServer.Kind) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind] in
      try await recordingErrors {
        let server = try SoundServer(kind)
        try server.lendToThisProcess()
        let context = try AudioContext()
        let source = try Scenes.noise(in: context)
        var events = context.events().makeAsyncIterator()
        var counts: [SIMD2<Int>] = []
        for _ in 1...6 {
          try server.kill()
          #expect(await events.next()?.kind == .deviceLost)
          try server.start()
          try server.add(sink: "main")
          #expect(await events.next()?.kind == .deviceReturned)
          let recording = try server.recording()
          _ = try recording.untilSound()
          counts.append([try openFiles(), try threads()])
        }
        // The library may keep some threads and descriptors from its first connection on.
        #expect(counts[5].x - counts[1].x <= 3)
        #expect(counts[5].y - counts[1].y <= 3)
        #expect(source.state == .playing)
      }
    }
  }

  @Test(.serialized, arguments: SoundServer.Kind.allCases)
  func `A device follows the default output and detects a loss after a server restart`(kind: SoundServer.Kind)
    async throws
  {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind] in
      try await recordingErrors {
        let server = try SoundServer(kind, sink: "headphones")
        try server.lendToThisProcess(allowsMoves: kind.moves)
        let context = try AudioContext()
        let source = try Scenes.noise(in: context)
        var events = context.events().makeAsyncIterator()
        try server.kill()
        #expect(await events.next()?.kind == .deviceLost)
        try server.start()
        try server.add(sink: "headphones")
        #expect(await events.next()?.kind == .deviceReturned)
        try server.add(sink: "speakers")
        for name in ["speakers", "headphones"] {
          let recording = try server.recording(of: name)
          try server.setDefault(sink: name)
          // The PipeWire backend receives nothing of this server. The server moves its streams by itself.
          if kind != .pipeWire {
            #expect(await events.next()?.kind == .outputChanged)
            #expect(context.device.name == name)
          }
          _ = try recording.untilSound()
        }
        // With stale lists, the library opens a missing output of PipeWire by name, and the server plays it elsewhere.
        guard kind == .pulseAudio || !context.capabilities.contains(.systemEvents) else {
          try server.remove(sink: "headphones")
          _ = try server.recording(of: "speakers").untilSound()
          #expect(source.state == .playing)
          return
        }
        context.device.policy = .pauseOnOutputLoss
        var notifications = source.events(.state).makeAsyncIterator()
        try await eventually("a poll has found the output") { context.device.inspector.foundOutput == "headphones" }
        try server.remove(sink: "headphones")
        #expect(await notifications.next()?.kind == .stateChanged(.paused))
        await events.expectMove()
        // The recording starts now, but includes the frames that the server has stored.
        let speakers = try server.recording(of: "speakers")
        _ = try speakers.seconds(1)
        #expect(try speakers.seconds(0.2).level == .silence)
        #expect(source.state == .paused)
        // OpenAL Soft 1.25 receives no events of this server.
        #expect(!DeviceInspector.trustsOutputEvents)
      }
    }
  }

  @Test(.serialized, arguments: SoundServer.Kind.allCases)
  func `The events of a doubted server are trusted again after it reports outputs`(kind: SoundServer.Kind) async throws
  {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind] in
      try await recordingErrors {
        let server = try SoundServer(kind, sink: "speakers")
        try server.lendToThisProcess()
        let context = try AudioContext()
        let source = try Scenes.noise(in: context)
        var events = context.events().makeAsyncIterator()
        _ = try server.recording(of: "speakers").untilSound()
        guard context.capabilities.contains(.systemEvents) else {
          DeviceInspector.doubtOutputEvents()
          #expect(!DeviceInspector.hasOutputEvents)
          return
        }
        try await eventually("the system sends events") { DeviceInspector.trustsOutputEvents }
        DeviceInspector.doubtOutputEvents()
        #expect(DeviceInspector.hasOutputEvents && !DeviceInspector.trustsOutputEvents)
        try await eventually("the events are trusted again", every: .milliseconds(500)) {
          try server.add(sink: "others")
          try server.remove(sink: "others")
          return DeviceInspector.trustsOutputEvents
        }
        try server.add(sink: "headphones")
        try server.setDefault(sink: "headphones")
        #expect(await events.next()?.kind == .outputChanged)
        #expect(context.device.name == "headphones")
        _ = try server.recording(of: "headphones").untilSound()
        #expect(source.state == .playing)
        #expect(DeviceInspector.trustsOutputEvents)
      }
    }
  }
}
