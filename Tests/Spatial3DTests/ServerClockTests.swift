import AudioSupport
import Spatial3DTesting
import TestServer
import TestSupport
import Testing

@testable import Spatial3D

/// A server that changes its rate or its quantum, or stands still, while a scene plays.
@Suite(.hangLimit)
struct ServerClockTests {
  @Test(.serialized, arguments: [SoundServer.Kind.pipeWirePulse, .pipeWire])
  func `A tone has its pitch again after the rate of the graph has changed`(kind: SoundServer.Kind) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind] in
      try await recordingErrors {
        let server = try SoundServer(kind)
        try server.lendToThisProcess()
        let context = try AudioContext()
        let reports = Lock<[Diagnostic]>([])
        context.onDiagnostic = { diagnostic in reports.withLock { $0.append(diagnostic) } }
        var events = context.events().makeAsyncIterator()
        let tone = TestSignal.sine(frequency: 1_000, duration: .seconds(1), format: Scenes.mono)
        let source = try SoundSource(playing: SoundBuffer(tone, in: context), in: context)
        source.isLooping = true
        source.play()
        let recording = try server.recording()
        _ = try recording.untilSound()
        try server.run("pw-metadata -n settings 0 clock.force-rate 44100")
        /// Whether a new recording has a frequency; a stream that began before the change may have a wrong rate itself.
        func hasTone(of frequency: Double) throws -> Bool {
          let recording = try server.recording()
          _ = try recording.untilSound()
          return abs((try recording.seconds(1).spectrum(ofChannel: 0).strongestFrequency ?? 0) - frequency) < 3
        }
        if kind == .pipeWirePulse {
          // The library, or the server, plays the frames of one rate at the other.
          try await eventually("the wrong rate is reported") { reports.withLock { !$0.isEmpty } }
          #expect(await events.next()?.kind == .outputChanged)
          #expect(reports.withLock { $0.map(\.code) } == [.outputRateWrong])
        }
        try await eventually("the tone has its pitch") { try hasTone(of: 1_000) }
        #expect(source.state == .playing)
      }
    }
  }

  @Test(.serialized, arguments: SoundServer.Kind.allCases)
  func `A scene goes on after its server has stood still for five seconds`(kind: SoundServer.Kind) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind] in
      try await recordingErrors {
        let server = try SoundServer(kind)
        try server.lendToThisProcess()
        let context = try AudioContext()
        let source = try Scenes.noise(in: context)
        _ = try server.recording().untilSound()
        try server.stop(forSeconds: 5)
        // The device may have left the output.
        try await eventually("the device is on an output") { context.device.isOnOutput }
        try await server.expectSound(of: source)
      }
    }
  }

  @Test(.serialized, arguments: [SoundServer.Kind.pipeWirePulse, .pipeWire])
  func `A tone goes on through changes of the graph's quantum`(kind: SoundServer.Kind) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind] in
      try await recordingErrors {
        let server = try SoundServer(kind)
        try server.lendToThisProcess()
        let context = try AudioContext()
        let source = try Scenes.noise(in: context)
        for quantum in [64, 2_048, 512] {
          try server.run("pw-metadata -n settings 0 clock.force-quantum \(quantum)")
          let recording = try server.recording()
          _ = try recording.untilSound()
          #expect(try recording.seconds(0.5).level > -40)
          #expect(source.state == .playing && context.device.handle.isConnected)
        }
      }
    }
  }
}
