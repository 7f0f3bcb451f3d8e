import AudioSupport
import Foundation
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Audible streams, each read on a thread of its own.
@Suite(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"), .hangLimit)
struct LiveStreamTests {
  @Test(arguments: LiveNotificationTests.Path.allCases)
  func `Sixty-four streams play to their ends at once without an underrun`(
    path: LiveNotificationTests.Path
  ) async throws {
    let context = try path.context()
    let sources = try (0..<64).map { index in
      try SoundSource(streaming: SampleReader(frames: 20_000 + 100 * index), in: context)
    }
    let sequences = sources.map { $0.events() }
    context.play(sources)
    for (source, sequence) in zip(sources, sequences) {
      var kinds: [SourceNotification.Kind] = []
      for await notification in sequence {
        kinds.append(notification.kind)
        if notification.state == .stopped { break }
      }
      #expect(kinds.filter { $0 != .underrun } == [.stateChanged(.playing), .stateChanged(.stopped)])
      #expect(source.state == .stopped)
    }
  }

  @Test(arguments: LiveNotificationTests.Path.allCases)
  func `A stream reports an underrun and resumes at its position`(path: LiveNotificationTests.Path) async throws {
    let context = try path.context()
    var reader = SampleReader(frames: 48_000)
    let gate = Gate()
    reader.gate = gate
    let source = try SoundSource(streaming: reader, in: context)
    let sequence = source.events()
    gate.close()
    source.play()
    var iterator = sequence.makeAsyncIterator()
    let started = await iterator.next()
    #expect(started?.kind == .stateChanged(.playing))
    let starved = await iterator.next()
    #expect(starved?.kind == .underrun)
    #expect(starved?.state == .playing)
    #expect(source.state == .playing)
    // All read frames were audible, each exactly once.
    var position = source.playbackFrame
    #expect(position == 2_400 * (gate.count - 1))
    #expect(position > 0)
    for _ in 0..<3 {
      gate.admit(2)
      position += 4_800
      // On a busy machine the stream may underrun between the two reads, but then once more after them.
      while source.playbackFrame != position {
        #expect(await iterator.next()?.kind == .underrun)
        #expect(source.playbackFrame <= position)
      }
    }
    gate.open()
    while let next = await iterator.next() {
      guard next.kind != .underrun else { continue }
      #expect(next.kind == .stateChanged(.stopped))
      #expect(next.cause == .mix)
      // No frame was left out.
      let frames = next.framePosition - (started?.framePosition ?? 0)
      #expect(frames > 48_000 - 4_096)
      break
    }
  }

  @Test(arguments: LiveNotificationTests.Path.allCases)
  func `A looping stream reports its loop iterations`(path: LiveNotificationTests.Path) async throws {
    let context = try path.context()
    let source = try SoundSource(streaming: SampleReader(frames: 3_000), in: context)
    source.isLooping = true
    let sequence = source.events(.loop)
    source.play()
    var loops = 0
    for await notification in sequence {
      if case .looped(let count) = notification.kind { loops += count }
      if loops >= 5 { break }
    }
    #expect((0..<3_000).contains(source.playbackFrame))
    source.stop()
    #expect(source.state == .stopped)
  }

  @Test func `A blocked reader does not retain a dropped source`() throws {
    final class Witness: Sendable {
      let ended: AudioSupport.Semaphore
      init(_ ended: AudioSupport.Semaphore) { self.ended = ended }
      deinit { ended.signal() }
    }
    let gate = Gate()
    defer { gate.open() }
    let ended = AudioSupport.Semaphore()
    weak var witness: Witness?
    try {
      let context = try AudioContext()
      let kept = Witness(ended)
      witness = kept
      context.onDiagnostic = { _ in withExtendedLifetime(kept) {} }
      var reader = SampleReader(frames: 48_000)
      reader.gate = gate
      // `SoundSource(streaming:in:)` returns after the first read.
      gate.close()
      gate.admit(1)
      let source = try SoundSource(streaming: reader, in: context)
      source.play()
      gate.waitForReads(2)
    }()
    // The thread may have kept the objects alive for a moment.
    ended.wait(atMost: 10_000_000_000)
    #expect(witness == nil)
  }

  @Test func `The library's threads do not block the signals of their own faults`() {
    let done = AudioSupport.Semaphore()
    let blocked = Lock<[Int32]>([])
    let isStarted = startThread {
      var mask = sigset_t()
      // The call only reads the mask; no signal is changed.
      unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
      let signals = [SIGSEGV, SIGILL, SIGTRAP, SIGPROF, SIGINT, SIGTERM, SIGUSR1]
      let found = signals.filter { unsafe sigismember(&mask, $0) == 1 }
      blocked.withLock { $0 = found }
      done.signal()
    }
    #expect(isStarted)
    done.wait()
    #expect(blocked.withLock { $0 } == [SIGINT, SIGTERM, SIGUSR1])
  }

  @Test func `Streams may be moved, stopped and dropped while their readers are blocked`() async throws {
    let context = try AudioContext()
    let gate = Gate()
    var sequences: [NotificationSequence<SourceNotification>] = []
    for round in 0..<20 {
      var reader = SampleReader(frames: 48_000)
      reader.gate = gate
      let source = try SoundSource(streaming: reader, in: context)
      sequences.append(source.events(.underrun))
      source.play()
      gate.close()
      source.playbackFrame = 1_000 * round
      #expect(source.playbackFrame >= 1_000 * round)
      source.pause()
      #expect(source.state == .paused)
      if round % 2 == 0 { source.stop() }
      if round % 3 == 0 { source.play() }
      if round % 4 == 0 { gate.open() }
      gate.open()
    }
    // Each sequence ends with its source, which the reader's thread may have kept alive for a moment.
    for sequence in sequences { for await _ in sequence {} }
    #expect(context.inspector.observesNothing)
  }
}
