import Foundation
import Spatial3DTesting
import Synchronization
import Testing

@testable import Spatial3D

/// Goes with the context that holds it, and takes its time.
private final class Farewell: Sendable {
  static let isEnding = Flag()
  static let hasEnded = Flag()

  deinit {
    Self.isEnding.raise()
    Thread.sleep(forTimeInterval: 0.3)
    Self.hasEnded.raise()
  }
}

/// A process that ends while a thread of the module's own ends a context, or calls the program.
@Suite(.timeLimit(.minutes(5))) struct ExitTests {
  /// Plays a sound that is all that keeps its context, and ends the process while the context ends.
  private static func exitAfterOneShot(on open: () throws -> AudioDevice) throws {
    // Before the module registers its own, as it does when a device opens, so that it runs after.
    atexit { _exit(Farewell.hasEnded.isRaised ? 7 : 9) }
    func play() throws {
      let context = try AudioContext(device: open())
      let farewell = Farewell()
      context.onDiagnostic = { _ in withExtendedLifetime(farewell) {} }
      try context.playOnce(Scenes.silence(frames: 4_800, in: context))
    }
    try play()
    while !Farewell.isEnding.isRaised { Thread.sleep(forTimeInterval: 0.001) }
    exit(0)
  }

  @Test func `An exit waits for a context that ends with its one-shot on a silent device`() async {
    await #expect(processExitsWith: .exitCode(7)) { try ExitTests.exitAfterOneShot { try .silent } }
  }

  @Test(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"))
  func `An exit waits for a context that ends with its one-shot on an output`() async {
    await #expect(processExitsWith: .exitCode(7)) { try ExitTests.exitAfterOneShot { try AudioDevice() } }
  }

  @Test func `An exit waits for a context that ends with its stream`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      atexit { _exit(Farewell.hasEnded.isRaised ? 7 : 9) }
      final class Kept: Sendable {
        let source = Lock<SoundSource?>(nil)
        let isAlone = Flag()
      }
      let kept = Kept()
      func stream() throws {
        let context = try AudioContext(device: .silent)
        let farewell = Farewell()
        // On the stream's thread, which holds the source meanwhile.
        context.onDiagnostic = { _ in
          while !kept.isAlone.isRaised { Thread.sleep(forTimeInterval: 0.001) }
          let source = kept.source.withLock { source in
            defer { source = nil }
            return source
          }
          withExtendedLifetime((farewell, source)) {}
        }
        var reader = SampleReader(frames: 48_000)
        reader.failingFrame = 12_000
        let source = try SoundSource(streaming: reader, in: context)
        kept.source.withLock { $0 = source }
      }
      try stream()
      kept.isAlone.raise()
      while !Farewell.isEnding.isRaised { await Task.yield() }
      exit(0)
    }
  }

  private static let began = Lock<ContinuousClock.Instant?>(nil)

  @Test func `A program that exits where it is told of a failure does not wait`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      atexit {
        let elapsed = ExitTests.began.withLock { $0.map { ContinuousClock.now - $0 } }
        // Who waits for the exiting thread itself waits a second.
        _exit(elapsed.map { $0 < .seconds(1) } == true ? 7 : 9)
      }
      let context = try AudioContext(device: .silent)
      context.onDiagnostic = { _ in
        ExitTests.began.withLock { $0 = .now }
        exit(0)
      }
      var reader = SampleReader(frames: 48_000)
      reader.failingFrame = 12_000
      let source = try SoundSource(streaming: reader, in: context)
      try await Task.sleep(for: .seconds(60))
      withExtendedLifetime(source) {}
    }
  }
}
