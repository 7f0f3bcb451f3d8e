import Foundation
import Spatial3D
import Spatial3DTesting
import TestServer
import TestSupport
import Testing

/// A real sound server: the library plays to it through its PulseAudio backend, and the tests measure a recording.
///
/// Each test has a process and a server of its own, because the library keeps its driver for the life of a process.
@Suite(.hangLimit)
struct ServerTests {
  @Test(.serialized, arguments: SoundServer.Kind.allCases)
  func `A server receives a sound on its side, at its pitch and without gaps`(kind: SoundServer.Kind) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind] in
      try await recordingErrors {
        let server = try SoundServer(kind)
        try server.lendToThisProcess()
        let recording = try server.recording()
        let context = try AudioContext()
        let tone = TestSignal.sine(frequency: 440, duration: .seconds(1), format: Scenes.mono)
        let source = try SoundSource(playing: SoundBuffer(tone, in: context), in: context)
        source.isLooping = true
        source.gain = 0.5
        for (x, near, far) in [(3, 1, 0), (-3, 0, 1)] as [(Float, Int, Int)] {
          source.position = [x, 0, 0]
          source.play()
          try recording.untilSound()
          let mix = try recording.uninterruptedSecond()
          #expect(mix.level(ofChannel: near) - mix.level(ofChannel: far) > 20)
          let frequency = try #require(mix.spectrum(ofChannel: near).strongestFrequency)
          #expect(abs(frequency - 440) < 1)
          source.stop()
          try recording.untilSilence()
        }
      }
    }
  }

  @Test(.serialized, arguments: SoundServer.Kind.allCases)
  func `The sinks of the server are the outputs, and each plays its own device`(kind: SoundServer.Kind) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind] in
      try await recordingErrors {
        let server = try SoundServer(kind, sink: "speakers")
        try server.lendToThisProcess()
        try server.add(sink: "headphones")
        #expect(Set(AudioDevice.outputNames) == ["speakers", "headphones"])
        #expect(AudioDevice.defaultOutputName == "speakers")
        let recordings = try (server.recording(of: "speakers"), server.recording(of: "headphones"))
        let context = try AudioContext(device: AudioDevice(named: "headphones"))
        let source = try Scenes.noise(in: context)
        try recordings.1.untilSound()
        #expect(try recordings.1.seconds(0.5).level > -40)
        #expect(try recordings.0.seconds(0.5).level == .silence)
        withExtendedLifetime(source) {}
      }
    }
  }

  @Test(.serialized, arguments: SoundServer.Kind.allCases)
  func `A forked child that drops its context does not affect its parent`(kind: SoundServer.Kind) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind] in
      try await recordingErrors {
        let server = try SoundServer(kind)
        try server.lendToThisProcess()
        let recording = try server.recording()
        var source: SoundSource? = try Scenes.noise(in: AudioContext())
        var token = source?.observe { _ in }
        var unit: EffectUnit? = try source.map { try EffectUnit(.echo(Effect.Echo()), in: $0.context) }
        source?.effectSends = unit.map { [EffectSend(to: $0, gain: 0.1)] } ?? []
        try recording.untilSound()
        // Swift hides `fork`, because the child of a process with threads may do next to nothing.
        guard let symbol = unsafe dlsym(nil, "fork") else {
          Issue.record("There is no fork.")
          return
        }
        // The symbol is the C function of that name and type.
        let fork = unsafe unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
        let child = fork()
        if child == 0 {
          token = nil
          unit = nil
          source = nil
          _exit(0)
        }
        var status: Int32 = 1
        _ = unsafe waitpid(child, &status, 0)
        #expect(status == 0)
        // One second is more than the server has stored.
        _ = try recording.seconds(1)
        #expect(try recording.seconds(0.5).level > -40)
        #expect(source?.state == .playing)
        #expect(unit?.gain == 1)
        #expect(token != nil)
      }
    }
  }

  @Test(.serialized, arguments: SoundServer.Kind.allCases)
  func `A restarted server plays a newly opened device`(kind: SoundServer.Kind) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind] in
      try await recordingErrors {
        let server = try SoundServer(kind)
        try server.lendToThisProcess()
        for _ in 1...2 {
          let recording = try server.recording()
          let context = try AudioContext()
          let source = try Scenes.noise(in: context)
          try recording.untilSound()
          try server.kill()
          #expect(throws: SoundServerError.self) { try recording.untilSilence(below: -1) }
          withExtendedLifetime(source) {}
          try server.start()
          try server.add(sink: "main")
        }
      }
    }
  }
}

extension Recording {
  /// The first of the next 20 seconds without a gap.
  ///
  /// A machine that runs neither the server nor the mixer for a third of a second leaves a gap in one recording. A
  /// fault of the mix or of the loop is in each.
  fileprivate func uninterruptedSecond() throws -> PCMBuffer<Float> {
    for _ in 1...20 {
      let mix = try seconds(1)
      let hasGap = !mix.silences(below: -60, lasting: .milliseconds(1)).isEmpty
      if !hasGap, mix.clicks(highestFrequency: 1_000).isEmpty { return mix }
    }
    Issue.record("Each of 20 seconds has a gap or a click.")
    return try seconds(1)
  }
}
