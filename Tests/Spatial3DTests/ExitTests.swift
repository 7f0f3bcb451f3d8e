import AudioSupport
import Foundation
import Spatial3DTesting
import Synchronization
import TestSupport
import Testing

@testable import Spatial3D

/// A process that exits while the library's threads and the module's run.
@Suite(.hangLimit) struct ExitTests {
  /// The number of rounds of a process's threads, and whether one failed.
  private final class Rounds: Sendable {
    let count = Atomic(0)
    let hasFailed = Flag()
  }

  /// The size of the process's address space in bytes.
  private static var addressSpace: UInt64 {
    let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).prefix { $0 != " " }
    return pages.flatMap { UInt64($0) }.map { $0 * UInt64(sysconf(Int32(_SC_PAGESIZE))) } ?? 0
  }

  private static func limitAddressSpace(to bytes: UInt64) {
    var limits = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    // The limits are a local variable, which the call reads before it returns.
    _ = unsafe setrlimit(.init(RLIMIT_AS.rawValue), &limits)
  }

  /// Exits the process, which must not wait for threads that cannot enter the library.
  private static func exitAtOnce(_ status: Int32) -> Never {
    _ = startThread {
      // The time is a little below the exit's own timeout for threads that do not leave.
      Thread.sleep(forTimeInterval: 1.8)
      _exit(8)
    }
    exit(status)
  }

  /// Runs a closure repeatedly on two threads, and exits the process while both run it.
  private static func exitDuring(_ work: @escaping @Sendable () throws -> Void) throws -> Never {
    let rounds = Rounds()
    for _ in 0..<2 {
      let isStarted = startThread {
        while true {
          do { try work() } catch { rounds.hasFailed.raise() }
          rounds.count.add(1, ordering: .relaxed)
        }
      }
      try #require(isStarted)
    }
    try eventually("the threads have made 20 rounds") { rounds.count.load(ordering: .relaxed) >= 20 }
    exitAtOnce(rounds.hasFailed.isRaised ? 9 : 7)
  }

  @Test(.disabled(if: ExitTests.addressSpace > 1 << 40, "A sanitizer takes more address space than may be limited."))
  func `A failed allocation of a sound throws an error without ending the process`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let renderer = try OfflineRenderer(format: Scenes.mono)
      let samples = [Float](repeating: 0.5, count: 1_000_000)
      let pcm = try PCMBuffer(samples: samples, format: Scenes.mono)
      ExitTests.limitAddressSpace(to: ExitTests.addressSpace + 100_000_000)
      var buffers: [SoundBuffer] = []
      do throws(AudioError) {
        while true { buffers.append(try SoundBuffer(pcm, in: renderer.context)) }
      } catch {
        exit(error.code == .outOfMemory && buffers.count > 2 ? 7 : 8)
      }
    }
  }

  @Test func `A process may exit while threads set and read source properties`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let contexts = try [AudioDevice.silent, (try? AudioDevice()) ?? .silent].map { try AudioContext(device: $0) }
      let sources = try contexts.map { context in
        try SoundSource(playing: Scenes.silence(frames: 4_800, in: context), in: context)
      }
      for source in sources { source.isLooping = true }
      try ExitTests.exitDuring {
        for step in 0..<100 {
          let source = sources[step % 2]
          source.gain = Gain(Float(step) / 100)
          source.context.withDeferredUpdates { source.position = [Float(step), 0, 0] }
          source.play()
          _ = (source.state, source.playbackFrame, source.context.output)
          source.stop()
        }
      }
    }
  }

  @Test func `A process may exit while threads open and close devices and contexts`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      try ExitTests.exitDuring {
        let context = try AudioContext(device: .silent)
        _ = try SoundSource(playing: Scenes.silence(frames: 480, in: context), in: context)
        _ = (AudioDevice.outputNames, AudioDevice.defaultOutputName)
      }
    }
  }

  @Test func `A process may exit while threads render`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      try ExitTests.exitDuring {
        var offline = try OfflineRenderer(format: .stereo(sampleRate: 11_025))
        let sound = try Scenes.silence(frames: 800, in: offline.context)
        for _ in 0..<10 {
          try offline.context.playOnce(sound)
          offline.render(frameCount: 100)
        }
      }
    }
  }

  @Test func `A process may exit while contexts end with their one-shots`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      try ExitTests.exitDuring {
        let context = try AudioContext(device: .silent)
        for frames in [1, 500, 1_000] { try context.playOnce(Scenes.silence(frames: frames, in: context)) }
      }
    }
  }

  @Test func `A process may exit while streams are fed, fail and are dropped`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let context = try AudioContext(device: .silent)
      context.onDiagnostic = { _ in }
      let kept = Lock<[SoundSource]>([])
      try ExitTests.exitDuring {
        var reader = SampleReader(frames: 48_000)
        reader.failingFrame = 12_000
        let source = try SoundSource(streaming: reader, in: context)
        source.play()
        let dropped = kept.withLock { all in
          all.append(source)
          return all.count > 8 ? all.removeFirst() : nil
        }
        withExtendedLifetime(dropped) {}
      }
    }
  }

  @Test(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"), arguments: [false, true])
  func `A process may exit while a device migrates`(hasBarrier: Bool) async {
    await #expect(processExitsWith: .exitCode(7)) { [hasBarrier] in
      if !hasBarrier { DisabledFeatures.disableBarrier() }
      let context = try AudioContext()
      let source = try SoundSource(playing: Scenes.silence(frames: 4_800, in: context), in: context)
      source.isLooping = true
      source.play()
      _ = Workers(count: 2) { index in
        while true { if index == 0 { _ = source.state } else { source.gain = Gain(.random(in: 0...1)) } }
      }
      let device = context.device
      try ExitTests.exitDuring {
        _ = device.migrate(keepsTime: true) { ReplacementDevice(placeholderFor: $0) }
        _ = device.migrate(keepsTime: true) { ReplacementDevice(for: $0, named: nil) }
        if source.state != .playing { throw CancellationError() }
      }
    }
  }

  private static let kept = Lock<(AudioContext, SoundSource)?>(nil)

  @Test func `An exit handler may call the library`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      // The registration precedes the first device, so this handler runs after any of the module's.
      atexit {
        guard let (context, source) = ExitTests.kept.withLock({ $0 }) else { _exit(9) }
        source.play()
        let isPlaying = source.state == .playing
        source.stop()
        context.listener.gain = 0
        if !isPlaying { _exit(9) }
      }
      let context = try AudioContext(device: .silent)
      let source = try SoundSource(playing: Scenes.silence(frames: 4_800, in: context), in: context)
      source.isLooping = true
      ExitTests.kept.withLock { $0 = (context, source) }
      ExitTests.exitAtOnce(7)
    }
  }

  @Test func `A diagnostic handler may exit the process without a deadlock`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let context = try AudioContext(device: .silent)
      context.onDiagnostic = { _ in ExitTests.exitAtOnce(7) }
      var reader = SampleReader(frames: 48_000)
      reader.failingFrame = 12_000
      let source = try SoundSource(streaming: reader, in: context)
      try await Task.sleep(for: .seconds(60))
      withExtendedLifetime(source) {}
    }
  }
}
