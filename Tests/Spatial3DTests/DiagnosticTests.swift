import AudioSupport
import Spatial3D
import Spatial3DTesting
import Synchronization
import Testing

@Suite struct DiagnosticTests {
  private let unusable = Listener(position: [.nan, 0, 0])

  @Test func `A diagnostic handler may use its own context`() throws {
    let renderer = try OfflineRenderer(format: Scenes.mono)
    let context = renderer.context
    let source = try Scenes.noise(in: context)
    let calls = Mutex(0)
    context.onDiagnostic = { [weak context] _ in
      calls.withLock { $0 += 1 }
      context?.withDeferredUpdates { context?.listener.position.x += 1 }
      source.gain = Gain(.nan)
      source.stop()
    }
    context.listener = unusable
    context.onDiagnostic = nil
    #expect(calls.withLock { $0 } == 2)
    #expect(context.listener.position == [2, 0, 0])
    #expect(source.state == .stopped)
  }

  @Test func `A diagnostic prints its message, and a code its name`() throws {
    let renderer = try OfflineRenderer(format: Scenes.mono)
    let log = DiagnosticLog()
    renderer.context.onDiagnostic = { log.add($0) }
    renderer.context.listener = unusable
    let diagnostic: Diagnostic = try #require(log.all.first)
    #expect(diagnostic.description == diagnostic.message && !diagnostic.message.isEmpty)
    #expect(Diagnostic.Code.valueNotUsable.description == "valueNotUsable")
    #expect(AudioError.Code.wrongDevice.description == "wrongDevice")
    #expect(ContextEvent.Kind.deviceReturned.description == "deviceReturned")
  }

  @Test func `Several observers receive each diagnostic, beside the handler, until they end`() throws {
    let renderer = try OfflineRenderer(format: Scenes.mono)
    let context = renderer.context
    let calls = Mutex<[String]>([])
    func observer(_ name: String) -> NotificationToken {
      context.observeDiagnostics { _ in calls.withLock { $0.append(name) } }
    }
    context.onDiagnostic = { _ in calls.withLock { $0.append("handler") } }
    let first = observer("first")
    var second: NotificationToken? = observer("second")
    context.listener.position = [.nan, 0, 0]
    #expect(calls.withLock { $0 } == ["handler", "first", "second"])
    second = nil
    #expect(second == nil)
    context.listener.gain = Gain(.nan)
    #expect(calls.withLock { $0 }.suffix(2) == ["handler", "first"])
    first.cancel()
    first.cancel()
    context.listener.velocity = [.nan, 0, 0]
    #expect(calls.withLock { $0 }.last == "handler")
    #expect(calls.withLock { $0 }.count == 6)
  }

  @Test func `An observer of diagnostics may end itself`() throws {
    let renderer = try OfflineRenderer(format: Scenes.mono)
    let context = renderer.context
    context.onDiagnostic = { _ in }
    let token = Mutex<NotificationToken?>(nil)
    let calls = Mutex(0)
    token.withLock {
      $0 = context.observeDiagnostics { _ in
        calls.withLock { $0 += 1 }
        let own = token.withLock { token in
          defer { token = nil }
          return token
        }
        own?.cancel()
      }
    }
    context.listener.position = [.nan, 0, 0]
    context.listener.gain = Gain(.nan)
    #expect(calls.withLock { $0 } == 1)
  }

  @Test func `A diagnostic handler still works after ten thousand reads and calls`() throws {
    let renderer = try OfflineRenderer(format: Scenes.mono)
    let context = renderer.context
    let buffer = try Scenes.silence(frames: 10, in: context)
    let calls = Mutex(0)
    context.onDiagnostic = { _ in calls.withLock { $0 += 1 } }
    for _ in 0..<100_000 { #expect(context.onDiagnostic != nil) }
    for _ in 0..<10_000 { try SoundSource(playing: buffer, in: context).gain = Gain(.nan) }
    #expect(calls.withLock { $0 } == 10_000)
  }

  @Test func `The deinitializer of a captured object may replace the diagnostic handler`() throws {
    final class Holder: Sendable {
      let context: AudioContext

      init(_ context: AudioContext) { self.context = context }

      deinit { context.onDiagnostic = nil }
    }
    let renderer = try OfflineRenderer(format: Scenes.mono)
    let context = renderer.context
    let holder = Mutex<Holder?>(Holder(context))
    context.onDiagnostic = { [kept = holder.withLock { $0 }] _ in _ = kept }
    holder.withLock { $0 = nil }
    context.onDiagnostic = { _ in }
    #expect(context.onDiagnostic == nil)
  }

  // MARK: Sounds that are not placed

  /// The diagnostics of a scene with a stereo sound.
  private func collectDiagnostics(
    layout: ChannelLayout = .stereo,
    named name: String? = "birds.ogg",
    _ play: (AudioContext, SoundBuffer) throws -> Void
  ) throws -> [Diagnostic] {
    let renderer = try OfflineRenderer(format: Scenes.stereo)
    let diagnostics = Mutex<[Diagnostic]>([])
    renderer.context.onDiagnostic = { diagnostic in diagnostics.withLock { $0.append(diagnostic) } }
    let format = PCMFormat(sampleRate: 48_000, layout: layout)
    let silence = [Float](repeating: 0, count: 4_800 * format.channelCount)
    let pcm = try PCMBuffer(samples: silence, format: format)
    try play(renderer.context, SoundBuffer(pcm, named: name, in: renderer.context))
    return diagnostics.withLock { $0 }
  }

  @Test(arguments: [false, true])
  func `A positioned source with a stereo sound logs one diagnostic that names the sound`(isDeferred: Bool) throws {
    let diagnostics = try collectDiagnostics { context, buffer in
      for step in 1...3 {
        let source = try SoundSource(playing: buffer, in: context)
        if isDeferred {
          context.withDeferredUpdates {
            source.position = [0, 0, Float(step)]
            if step == 2 { source.play() }
          }
        } else {
          source.position = [0, 0, Float(step)]
        }
        source.position = [0, 1, 0]
      }
    }
    #expect(diagnostics.map(\.code) == [.soundNotPlaced])
    #expect(diagnostics.allSatisfy { $0.message.contains("\"birds.ogg\" is stereo") })
  }

  @Test(arguments: [false, true])
  func `A context logs one diagnostic for gains above their limits`(isDeferred: Bool) throws {
    let diagnostics = try collectDiagnostics(layout: .mono) { context, buffer in
      let meant = try SoundSource(playing: buffer, in: context)
      meant.gainLimits = 0...4
      meant.gain = 4
      for gain: Gain in [1, 100, 0.5, 8] {
        let source = try SoundSource(playing: buffer, in: context)
        for _ in 1...2 {
          if isDeferred { context.withDeferredUpdates { source.gain = gain } } else { source.gain = gain }
        }
        #expect(source.gain == min(gain, 16))
        source.gainLimits = 0...Gain(.infinity)
        #expect(source.gainLimits == 0...16)
      }
      try context.playOnce(buffer, gain: 2)
    }
    #expect(diagnostics.map(\.code) == [.gainLimited])
    // The message states the resulting gain.
    #expect(diagnostics.allSatisfy { $0.message.contains("set to 16.0") && $0.message.contains("0...16.0") })
  }

  @Test func `A queue and a source played in a batch log the diagnostic about a stereo sound`() throws {
    #expect(
      try collectDiagnostics { context, buffer in
        let source = try SoundSource(in: context)
        source.position = [1, 0, 0]
        try source.queue([buffer])
      }.map(\.code) == [.soundNotPlaced]
    )
    let diagnostics = try collectDiagnostics(named: nil) { context, buffer in
      let source = try SoundSource(playing: buffer, in: context)
      context.withDeferredUpdates {
        source.position = [1, 0, 0]
        source.play()
      }
    }
    #expect(diagnostics.map(\.code) == [.soundNotPlaced])
    #expect(diagnostics[0].message.hasPrefix("A sound of 0.1 seconds is stereo"))
  }

  @Test func `Explicit spatialization or a mono sound logs no diagnostic`() throws {
    for layout in [ChannelLayout.mono, .bFormat2D, .bFormat3D] {
      let diagnostics = try collectDiagnostics(layout: layout) {
        try SoundSource(playing: $1, in: $0).position = [1, 0, 0]
      }
      #expect(diagnostics.isEmpty)
    }
    let settings: [@Sendable (SoundSource) -> Void] = [
      { $0.spatialization = .always }, { $0.spatialization = .never }, { $0.usesDirectChannels = true },
      { $0.position = .zero },
    ]
    for set in settings {
      let diagnostics = try collectDiagnostics { context, buffer in
        let source = try SoundSource(playing: buffer, in: context)
        context.withDeferredUpdates {
          source.position = [1, 0, 0]
          set(source)
        }
        source.velocity = [1, 0, 0]
      }
      #expect(diagnostics.isEmpty)
    }
  }
}
