import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Notifications that a thread takes when it asks for them.
@Suite struct NotificationInboxTests {
  /// The state of a game, which belongs to one thread.
  private final class Game {
    var received: [SourceNotification] = []
    var events: [ContextEvent.Kind] = []
  }

  @Test func `An inbox delivers what was posted before the call, in order, on the calling thread`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try SoundSource(playing: Scenes.silence(frames: 1_000, in: offline.context), in: offline.context)
    source.isLooping = true
    let (inbox, game, log) = (NotificationInbox(), Game(), NotificationLog())
    let thread = currentThread()
    let tokens = [
      inbox.observe(source) {
        game.received.append($0)
        #expect(currentThread() == thread)
      },
      source.record(in: log),
    ]
    #expect(inbox.deliver() == 0)
    source.play()
    _ = offline.render(frameCount: 1_500)
    source.pause()
    source.play()
    _ = offline.render(frameCount: 1_000)
    source.stop()
    #expect(game.received.isEmpty)
    #expect(inbox.deliver() == log.count)
    #expect(game.received.map(\.kind) == log.kinds)
    #expect(game.received.map(\.framePosition) == log.all.map(\.framePosition))
    #expect(game.received.map(\.sequence) == log.all.map(\.sequence))
    #expect(inbox.deliver() == 0)
    withExtendedLifetime(tokens) {}
  }

  @Test func `A notification that a closure causes comes with the next call`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let sources = try (0..<3).map { _ in
      try SoundSource(playing: Scenes.silence(frames: 1_000, in: offline.context), in: offline.context)
    }
    let (inbox, game) = (NotificationInbox(), Game())
    var tokens: [NotificationToken] = []
    for (index, source) in sources.enumerated() {
      tokens.append(
        inbox.observe(source, .state) { notification in
          game.received.append(notification)
          if notification.state == .playing, index < 2 { sources[index + 1].play() }
        }
      )
    }
    sources[0].play()
    for count in 1...3 {
      #expect(inbox.deliver() == 1)
      #expect(game.received.count == count && game.received.last?.source === sources[count - 1])
    }
    #expect(inbox.deliver() == 0)
  }

  @Test func `An ended observation delivers nothing, and the next call releases its closure`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let source = try SoundSource(playing: Scenes.silence(frames: 1_000, in: offline.context), in: offline.context)
    let inbox = NotificationInbox()
    weak var gone: Game?
    for endsInside in [false, true] {
      var calls = 0
      do {
        let game = Game()
        gone = game
        var token: NotificationToken?
        token = inbox.observe(source, .state) {
          game.received.append($0)
          calls += 1
          if endsInside { token?.cancel() }
        }
        source.play()
        source.stop()
        if !endsInside { token?.cancel() }
        inbox.deliver()
        source.play()
        source.stop()
        inbox.deliver()
        token = nil
      }
      #expect(calls == (endsInside ? 1 : 0))
      #expect(gone == nil)
    }
    #expect(offline.context.inspector.observesNothing)
  }

  @Test func `The stop of a released source and the events of a context reach an inbox`() throws {
    let context = try AudioContext(device: .silent)
    let (inbox, game) = (NotificationInbox(), Game())
    var source: SoundSource? = try SoundSource(playing: Scenes.silence(frames: 480_000, in: context), in: context)
    let token = source.map { inbox.observe($0, .state) { game.received.append($0) } }
    source?.play()
    source = nil
    inbox.deliver()
    #expect(game.received.map(\.state) == [.playing, .stopped])
    withExtendedLifetime(token) {}
  }

  @Test(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"), .hangLimit)
  func `An inbox receives each loop and each event of a device that plays`() async throws {
    let context = try LossTests.Library.asItIs.context()
    let (inbox, game) = (NotificationInbox(), Game())
    let source = try SoundSource(playing: Scenes.silence(frames: 480, in: context), in: context)
    source.isLooping = true
    let log = NotificationLog()
    let tokens = [
      inbox.observe(source, .loop) { game.received.append($0) },
      source.record(in: log, of: .loop),
      inbox.observe(context) { game.events.append($0.kind) },
    ]
    func deliver(until isDone: () -> Bool) async throws {
      while !isDone() {
        try await Task.sleep(for: .milliseconds(1))
        inbox.deliver()
      }
    }
    source.play()
    try await deliver { game.received.loops >= 100 }
    source.stop()
    inbox.deliver()
    let loops = game.received.loops
    try await eventually("the closure has all loops") { log.loops == loops }
    context.lose()
    try await deliver { game.events == [.deviceLost] }
    context.inspector.forceUnplugged(false)
    try await deliver { game.events == [.deviceLost, .deviceReturned] }
    withExtendedLifetime(tokens) {}
  }
}
