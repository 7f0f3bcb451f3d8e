import Spatial3D
import Spatial3DTesting
import Synchronization
import Testing

@Suite struct DiagnosticTests {
  private let unusable = Listener(position: [.nan, 0, 0])

  @Test func `A handler may use the context that it is told about`() throws {
    let renderer = try OfflineRenderer(format: Scenes.mono)
    let context = renderer.context
    let source = try Scenes.noise(in: context)
    let calls = Mutex(0)
    context.onDiagnostic = { [weak context] _ in
      calls.withLock { $0 += 1 }
      context?.withDeferredUpdates { context?.listener.position.x += 1 }
      source.gain = .nan
      source.stop()
    }
    context.listener = unusable
    context.onDiagnostic = nil
    #expect(calls.withLock { $0 } == 2)
    #expect(context.listener.position == [2, 0, 0])
    #expect(source.state == .stopped)
  }

  @Test func `A handler is as quick and as whole after it was read and called ten thousand times`() throws {
    let renderer = try OfflineRenderer(format: Scenes.mono)
    let context = renderer.context
    let buffer = try Scenes.silence(frames: 10, in: context)
    let calls = Mutex(0)
    context.onDiagnostic = { _ in calls.withLock { $0 += 1 } }
    for _ in 0..<100_000 { #expect(context.onDiagnostic != nil) }
    for _ in 0..<10_000 { try SoundSource(playing: buffer, in: context).gain = .nan }
    #expect(calls.withLock { $0 } == 10_000)
  }

  @Test func `What a handler held may change the handler when it goes`() throws {
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
}
