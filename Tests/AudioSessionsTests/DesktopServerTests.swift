import Spatial3DTesting
import TestServer
import TestSupport
import Testing

@testable import AudioSessions

#if DesktopSession

  /// A session on a sound server of its own.
  @Suite(.hangLimit, .enabled(if: SoundServer.installed.contains(.pulseAudio), "PulseAudio is not installed"))
  struct DesktopServerTests {
    /// A server with modules, and an active session that has received its route.
    private func start(_ modules: String...) async throws -> (SoundServer, AudioSession, EventLog) {
      let server = try SoundServer(.pulseAudio)
      for module in modules { try server.run("pactl load-module \(module)") }
      let address = try server.run("printf 'unix:%s/native' \"$PWD\"")
      let session = AudioSession(try DesktopSession(named: "Test", server: address, bus: "unix:path=/nonexistent"))
      let log = EventLog(session)
      try session.activate()
      try await eventually("the route is known") { session.route.outputs == ["main"] }
      return (server, session, log)
    }

    /// A program that plays silence, or other samples, in a role; `end` ends it.
    private func play(_ role: String, on server: SoundServer, from samples: String = "/dev/zero") throws {
      try server.run(
        "pacat --property=media.role=\(role) --client-name=\(role) --raw --latency-msec=20 <\(samples) >/dev/null 2>&1 & echo $! >\(role)"
      )
    }

    private func end(_ role: String, on server: SoundServer) throws { try server.run("kill $(cat \(role))") }

    @Test func `A call interrupts the session, and its end permits it to resume`() async throws {
      let (server, session, log) = try await start("module-role-cork")
      #expect(session.otherAudioEffect == .paused && session.isOtherAudioPlaying == false)
      for _ in 0..<3 {
        try play("phone", on: server)
        try await eventually("the session is interrupted") { session.state == .interrupted(by: [.phone]) }
        #expect(session.isOtherAudioPlaying == true)
        try end("phone", on: server)
        try await eventually("the interruption ends") { log.events.last == .interruptionEnded(shouldResume: true) }
        try session.activate()
      }
      withExtendedLifetime(server) {}
    }

    @Test func `Others are lowered by 20 dB while the session asks for it`() async throws {
      let (server, session, _) = try await start("module-role-ducking")
      #expect(session.otherAudioEffect == .ducked)
      try play("music", on: server, from: "/dev/urandom")
      let recording = try server.recording()
      try recording.untilSound()
      let level = try recording.seconds(0.5).level
      /// The level of the music, against that at the start; a change of it may lie within the piece.
      func change() throws -> Float { try recording.seconds(0.2).level.rawValue - level.rawValue }
      #expect(try abs(change()) < 1)
      try session.setCategory(.playback, options: .duckOthers)
      try await eventually("the music is lowered by 20 dB") { try abs(change() + 20) <= 1 }
      session.deactivate()
      try await eventually("the music is back") { try abs(change()) <= 1 }
      try end("music", on: server)
    }

    @Test func `The own stream that lowers others is no call`() async throws {
      let (server, session, log) = try await start("module-role-cork")
      try play("music", on: server)
      try await eventually("the music plays") { session.isOtherAudioPlaying == true }
      try session.setCategory(.playback, options: .duckOthers)
      try await eventually("the music is paused") { session.isOtherAudioPlaying == false }
      #expect(session.state == .active)
      try play("phone", on: server)
      try await eventually("the session is interrupted") { session.state == .interrupted(by: [.phone]) }
      try end("phone", on: server)
      try await eventually("the interruption ends") { log.events.last == .interruptionEnded(shouldResume: true) }
      withExtendedLifetime(server) {}
    }

    @Test func `A program with the number of this process in another container is another program`() async throws {
      let (server, session, _) = try await start("module-role-cork")
      let number = "application.process.id=\(DesktopHandle.process)"
      try server.run(
        "pacat --property=media.role=music --property=\(number) --raw </dev/zero >/dev/null 2>&1 & echo $! >music"
      )
      try await eventually("the music plays") { session.isOtherAudioPlaying == true }
      try end("music", on: server)
      try await eventually("the music ends") { session.isOtherAudioPlaying == false }
    }

    @Test func `A server that ends and begins during a call leaves a session that may be active again`() async throws {
      let (server, session, log) = try await start("module-role-cork")
      try play("phone", on: server)
      try await eventually("the session is interrupted") { session.state == .interrupted(by: [.phone]) }
      try server.kill()
      try await eventually("the services are lost") { log.events.last == .servicesLost }
      try server.start()
      try await eventually("the services are reset") { log.events.last == .servicesReset }
      #expect(session.directives.shouldReactivate)
      try session.activate()
    }

    @Test func `A backend serves one session, and a second one gets a diagnostic`() throws {
      let backend = try DesktopSession(named: "Test", server: "unix:/nonexistent", bus: "unix:path=/nonexistent")
      let first = AudioSession(backend)
      let diagnostics = Record<SessionDiagnostic>()
      let second = AudioSession(backend, onDiagnostic: { diagnostics.append($0) })
      #expect(diagnostics.values.map(\.code) == [.backendInUse])
      withExtendedLifetime((first, second)) {}
    }

    @Test func `The route follows the default output, with its reasons`() async throws {
      let (server, session, log) = try await start()
      func reasons() -> [RouteChange.Reason] {
        log.events.compactMap { if case .routeChanged(let change) = $0 { change.reason } else { nil } }
      }
      try server.add(sink: "headset")
      try server.setDefault(sink: "headset")
      try await eventually("the new output is in use") { session.route.outputs == ["headset"] }
      try server.remove(sink: "headset")
      try await eventually("the old output is back") { session.route.outputs == ["main"] }
      // The route is the new one before its event arrives.
      try await eventually("each change is reported") { reasons().count == 3 }
      #expect(reasons() == [.unknown, .newDeviceAvailable, .oldDeviceUnavailable])
    }

    @Test func `Fifty ends of the server are as many losses and resets`() async throws {
      let (server, session, log) = try await start("module-role-cork")
      func count(_ event: SessionEvent) -> Int { log.events.count { $0 == event } }
      for turn in 1...50 {
        try server.kill()
        try await eventually("the services are lost") { count(.servicesLost) == turn }
        try server.start()
        try await eventually("the services are reset") { count(.servicesReset) == turn }
      }
      // The connection is whole again.
      try server.add(sink: "main")
      try server.run("pactl load-module module-role-cork")
      try await eventually("the modules are known") { session.otherAudioEffect == .paused }
      try session.activate()
      try play("phone", on: server)
      try await eventually("the session is interrupted") { session.state == .interrupted(by: [.phone]) }
    }

    @Test func `Without a server and a login manager the session works, and reports both`() async throws {
      let backend = try DesktopSession(named: "Test", server: "unix:/nonexistent", bus: "unix:path=/nonexistent")
      let diagnostics = Record<SessionDiagnostic>()
      let session = AudioSession(backend, onDiagnostic: { diagnostics.append($0) })
      try await eventually("both are reported") { diagnostics.values.count == 2 }
      #expect(diagnostics.values.allSatisfy { $0.code == .systemUnavailable })
      try session.activate()
      #expect(session.state == .active && session.otherAudioEffect == .nothing && session.isOtherAudioPlaying == nil)
    }

    @Test(.enabled(if: SoundServer.Kind.pipeWirePulse.isInstalled, "PipeWire is not installed"))
    func `A native stream of PipeWire is a call, and its program is known by its connection`() async throws {
      let server = try SoundServer(.pipeWirePulse)
      let address = try server.run("printf 'unix:%s/native' \"$PWD\"")
      let session = AudioSession(try DesktopSession(named: "Test", server: address, bus: "unix:path=/nonexistent"))
      try session.activate()
      try await eventually("the route is known") { session.route.outputs == ["main"] }
      // A WAV file of ten seconds of silence: 8000 Hz, mono, 16 bits.
      try server.run(
        #"{ printf 'RIFF\044\161\002\000WAVEfmt \020\000\000\000\001\000\001\000\100\037\000\000\200\076\000\000\002\000\020\000data\000\161\002\000'; head -c 160000 /dev/zero; } >call.wav"#
      )
      try server.run("pw-cat -p --media-role=Communication call.wav >/dev/null 2>&1 & echo $! >Communication")
      try await eventually("the session is interrupted") { session.state == .interrupted(by: [.phone]) }
      #expect(session.isOtherAudioPlaying == true)
      try end("Communication", on: server)
      try await eventually("the call is over") { session.directives.shouldReactivate }
    }

    @Test(.enabled(if: LoginManager.isInstalled, "python3 is not installed"))
    func `A system bus that accepts a connection and never answers holds back no report of the server`() async throws {
      let server = try SoundServer(.pulseAudio)
      let program =
        "import socket, time; bus = socket.socket(socket.AF_UNIX); bus.bind('bus'); bus.listen(); time.sleep(90)"
      try server.run("/usr/bin/python3 -c \"\(program)\" >/dev/null 2>&1 & echo $! >python")
      try server.run("until [ -S bus ]; do sleep 0.01; done")
      let (address, bus) = (
        try server.run("printf 'unix:%s/native' \"$PWD\""), try server.run("printf 'unix:path=%s/bus' \"$PWD\"")
      )
      let session = AudioSession(try DesktopSession(named: "Test", server: address, bus: bus))
      try await eventually("the route is known", within: .seconds(20)) { session.route.outputs == ["main"] }
      try end("python", on: server)
    }

    @Test func `Sessions come and go while the server sends events`() async throws {
      let server = try SoundServer(.pulseAudio)
      let address = try server.run("printf 'unix:%s/native' \"$PWD\"")
      for turn in 0..<20 {
        let session = AudioSession(try DesktopSession(named: "Test", server: address, bus: "unix:path=/nonexistent"))
        if turn.isMultiple(of: 2) { try await eventually("the route is known") { !session.route.outputs.isEmpty } }
      }
      try await eventually("no stream is left", every: .milliseconds(20)) {
        try server.run("pactl list short sink-inputs").isEmpty
      }
    }
  }

#else

  @Suite struct DesktopServerTests {
    @Test func `Without the trait, the backend names it`() {
      let error = #expect(throws: SessionError.self) { try AudioSession(.desktop) }
      #expect(error?.code == .traitNeeded)
      #expect(error?.message.contains("traits: [\"DesktopSession\"]") == true)
      let named = #expect(throws: SessionError.self) { try DesktopSession(named: "Growl") }
      #expect(named == error)
    }
  }

#endif
