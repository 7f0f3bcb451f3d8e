#if DesktopSession

  import GameAudio
  import TestServer
  import Spatial3DTesting
  import TestSupport
  import Testing

  @testable import AudioSessions

  /// A world that follows a session on a sound server of its own, which records the world's output.
  @Suite(.hangLimit, .enabled(if: SoundServer.installed.contains(.pulseAudio), "PulseAudio is not installed"))
  struct DesktopFollowingTests {
    @Test func `A call silences the world within 50 ms, and its end brings the sound back within 100 ms`() async throws
    {
      await #expect(processExitsWith: .success) {
        try await recordingErrors {
          let server = try SoundServer(.pulseAudio)
          try server.lendToThisProcess()
          try server.run("pactl load-module module-role-cork")
          let world = AudioWorld(in: try AudioContext())
          let session = AudioSession(try DesktopSession(named: "Test", server: nil, bus: "unix:path=/nonexistent"))
          try session.activate()
          let following = world.follow(session)
          let format = PCMFormat.mono(sampleRate: 48_000)
          let tone = TestSignal.sine(frequency: 440, duration: .seconds(1), format: format, amplitude: 0.4)
          let hum = Emitter(playing: Sound(tone), in: world)
          hum.repeats = .forever
          hum.play()
          let subscription = try server.subscription()
          try await eventually("the server lists its changes", every: .milliseconds(20)) {
            try server.run("pactl info")
            return !subscription.changes.isEmpty
          }
          let recording = try server.recording()
          var (delays, returns): ([Duration], [Duration]) = ([], [])
          for _ in 0..<5 {
            try recording.untilSound()
            let known = subscription.changes.count
            try server.run(
              "pacat --property=media.role=phone --client-name=phone --raw --latency-msec=20 </dev/zero >/dev/null 2>&1 & echo $! >phone"
            )
            // The last moment at which a piece with sound has come from the monitor of the sink.
            var lastSound = ContinuousClock.now
            for _ in 0..<100 where try !recording.seconds(0.005).isSilent(below: -60) { lastSound = .now }
            let call = try #require(subscription.changes[known...].first { $0.text.contains("'new' on sink-input") })
            delays.append(lastSound - call.moment)
            #expect(session.state == .interrupted(by: [.phone]))
            let listed = subscription.changes.count
            try server.run("kill $(cat phone)")
            while try recording.seconds(0.005).isSilent(below: -60) {}
            let firstSound = ContinuousClock.now
            func end() -> ContinuousClock.Instant? {
              subscription.changes[listed...].first { $0.text.contains("'remove' on sink-input") }?.moment
            }
            try await eventually("the server lists the end of the call") { end() != nil }
            returns.append(firstSound - (try #require(end())))
          }
          // A busy machine runs the recorder, the server or this process late in some of the calls.
          let fastest = try #require(delays.min())
          #expect(fastest < .milliseconds(50), "\(delays)")
          // The list of the server may be late too: the median of the returns, which are 20 to 30 ms.
          #expect(returns.sorted()[2] < .milliseconds(100), "\(returns)")
          withExtendedLifetime(following) {}
        }
      }
    }
  }

#endif
