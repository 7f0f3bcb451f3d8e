import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

@Suite struct NotificationTests {
  @Test func `The end of a sound is reported once at the frame after its last`() throws {
    for length in [1, 63, 64, 1_000, 1_023, 1_024, 1_025, 1_500, 5_000] {
      var offline = try OfflineRenderer(format: Scenes.mono)
      let source = try SoundSource(playing: Scenes.silence(frames: length, in: offline.context), in: offline.context)
      let log = NotificationLog()
      let token = source.record(in: log)
      _ = offline.render(frameCount: 700)
      source.play()
      #expect(log.kinds == [.stateChanged(.playing)])
      #expect(log.all[0].cause == .call)
      #expect(log.all[0].framePosition == 700)
      _ = offline.render(frameCount: length + 2_048)
      #expect(log.kinds == [.stateChanged(.playing), .stateChanged(.stopped)])
      let end = try #require(log.all.last)
      #expect(end.cause == .mix)
      #expect(end.framePosition == 700 + length)
      #expect(end.state == .stopped)
      #expect(end.source === source)
      #expect(log.all.map(\.sequence) == [1, 2])
      token.cancel()
    }
  }

  @Test func `Every sequence of five calls reports each change of state once`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let buffer = try Scenes.silence(frames: 1_000, in: offline.context)
    for sequence in 0..<1_024 {
      let source = try SoundSource(playing: buffer, in: offline.context)
      let log = NotificationLog()
      let token = source.record(in: log)
      var expected: [SourceState] = []
      var state = SourceState.initial
      for step in 0..<5 {
        let verb = PlaybackTests.Verb.allCases[(sequence >> (2 * step)) & 3]
        verb(source)
        let next = verb.next(after: state)
        if next != state { expected.append(next) }
        state = next
        #expect(log.states == expected, "step \(step) of sequence \(sequence)")
      }
      #expect(log.count == expected.count)
      #expect(log.all.allSatisfy { $0.cause == .call })
      #expect(log.all.map(\.sequence) == expected.indices.map { UInt64($0 + 1) })
      withExtendedLifetime(token) {}
    }
  }

  @Test func `A source without a sound reports stopped when it plays`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let source = try SoundSource(in: offline.context)
    let log = NotificationLog()
    let token = source.record(in: log)
    source.play()
    source.play()
    #expect(log.kinds == [.stateChanged(.stopped)])
    #expect(log.all[0].cause == .call)
    source.rewind()
    source.play()
    #expect(log.states == [.stopped, .initial, .stopped])
    withExtendedLifetime(token) {}
  }

  @Test func `An observer gets only its requested kinds until its token is released`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try SoundSource(playing: Scenes.silence(frames: 100, in: offline.context), in: offline.context)
    source.play()
    let (first, second, loops) = (NotificationLog(), NotificationLog(), NotificationLog())
    var token: NotificationToken? = source.record(in: first, of: .state)
    let other = source.record(in: loops, of: [.loop, .buffersProcessed])
    _ = offline.render(frameCount: 1_024)
    #expect(first.states == [.stopped])
    let late = source.record(in: second)
    source.play()
    #expect(first.states == [.stopped, .playing])
    #expect(second.states == [.playing])
    // Each observer has a count of its own.
    #expect(first.all.map(\.sequence) == [1, 2])
    #expect(second.all.map(\.sequence) == [1])
    token = nil
    source.stop()
    #expect(first.count == 2)
    #expect(second.states == [.playing, .stopped])
    #expect(loops.count == 0)
    late.cancel()
    late.cancel()
    source.play()
    #expect(second.count == 2)
    withExtendedLifetime((token, other)) {}
  }

  @Test func `The sequence numbers of each observer skip only the notifications that it missed`() async throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let source = try SoundSource(in: offline.context)
    try source.queue((0..<2).map { _ in try Scenes.silence(frames: 100, in: offline.context) })
    let others = [source.record(in: NotificationLog()), source.record(in: NotificationLog(), of: .buffersProcessed)]
    let states = NotificationLog()
    let token = source.record(in: states, of: .state)
    let sequence = source.events(.state)
    for _ in 0..<50 {
      source.play()
      source.stop()
    }
    // The handler takes every notification at once, and its numbers have no gap.
    #expect(states.all.map(\.sequence) == (1...100).map { UInt64($0) })
    var iterator = sequence.makeAsyncIterator()
    for number in 37...100 { #expect(await iterator.next()?.sequence == UInt64(number)) }
    withExtendedLifetime((others, token)) {}
  }

  @Test func `A released source reports its stop and leaves no observer behind`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let buffer = try Scenes.silence(frames: 100, in: offline.context)
    for verb in [PlaybackTests.Verb.play, .pause, .stop, .rewind] {
      var source: SoundSource? = try SoundSource(playing: buffer, in: offline.context)
      weak let gone = source
      let log = NotificationLog()
      let token = source?.record(in: log)
      source?.play()
      if let source { verb(source) }
      let before = log.count
      source = nil
      #expect(gone == nil)
      #expect(log.states.last == (verb == .rewind ? .initial : .stopped))
      #expect(log.count == before + (verb == .play || verb == .pause ? 1 : 0))
      #expect(log.all.allSatisfy { $0.source == nil })
      withExtendedLifetime(token) {}
      #expect(offline.context.inspector.observesNothing)
    }
  }

  @Test func `Four thousand sources that start and end within one mix report both states once`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono, settings: OutputSettings(sourceLimit: 4_096))
    let context = offline.context
    let buffer = try Scenes.silence(frames: 10, in: context)
    let logs = (0..<4_000).map { _ in NotificationLog() }
    let sources = try logs.map { _ in try SoundSource(playing: buffer, in: context) }
    let tokens = zip(sources, logs).map { $0.record(in: $1) }
    for round in 1...2 {
      context.play(sources)
      _ = offline.render(frameCount: 1_024)
      for log in logs {
        let states = log.take().map(\.state)
        #expect(states == [.playing, .stopped], "round \(round)")
      }
    }
    withExtendedLifetime(tokens) {}
  }

  @Test func `A source that reuses a library name gets no notifications of the previous source`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let buffer = try Scenes.silence(frames: 100, in: offline.context)
    var ids: Set<UInt32> = []
    for _ in 0..<200 {
      let source = try SoundSource(playing: buffer, in: offline.context)
      ids.insert(source.id)
      let log = NotificationLog()
      let token = source.record(in: log)
      source.play()
      #expect(log.states == [.playing])
      _ = offline.render(frameCount: 16)
      #expect(log.count == 1)
      withExtendedLifetime(token) {}
    }
    #expect(ids.count < 200)
  }

  @Test func `Every processed buffer is counted despite concurrent unqueueing`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let source = try SoundSource(in: context)
    let log = NotificationLog()
    let token = source.record(in: log, of: [.buffersProcessed, .state])
    var random = SplitMix64(seed: 7)
    var queued = 0
    var total = 0
    source.play()
    source.rewind()
    for _ in 0..<300 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1:
        let buffers = try (0..<1 + Int.random(in: 0..<4, using: &random)).map { _ in
          try Scenes.silence(frames: 1 + Int.random(in: 0..<900, using: &random), in: context)
        }
        // Buffers that are appended to an ended source would count as played.
        if source.state == .stopped { total += source.unqueueProcessed().count }
        if source.state == .stopped { source.rewind() }
        try source.queue(buffers)
        queued += buffers.count
        if source.state != .playing { source.play() }
      case 2: total += source.unqueueProcessed().count
      default: _ = offline.render(frameCount: Int.random(in: 0..<2_000, using: &random))
      }
    }
    _ = offline.render(frameCount: 600_000)
    total += source.unqueueProcessed().count
    #expect(total == queued)
    #expect(log.processed == queued)
    withExtendedLifetime(token) {}
  }

  @Test func `Buffers that end between a poll and their unqueueing are reported`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    for (frames, count) in [(500, 0), (1_000, 1), (2_500, 2), (9_000, 4)] {
      let source = try SoundSource(in: context)
      try source.queue((0..<4).map { _ in try Scenes.silence(frames: 1_000, in: context) })
      source.play()
      let log = NotificationLog()
      let token = source.record(in: log)
      context.inspector.unqueueProcessed(of: source, duringMixOf: frames, Scenes.mono)
      #expect(source.buffers.count == 4 - count)
      #expect(log.processed == count)
      #expect(log.states == (count == 4 ? [.stopped] : []))
      #expect(log.all.allSatisfy { $0.cause == .mix })
      withExtendedLifetime(token) {}
    }
  }

  @Test func `Buffers that end between a poll and a seek to the start are reported`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    for (frames, count) in [(500, 0), (1_000, 1), (2_500, 2)] {
      let source = try SoundSource(in: context)
      try source.queue((0..<4).map { _ in try Scenes.silence(frames: 1_000, in: context) })
      source.play()
      let log = NotificationLog()
      let token = source.record(in: log)
      context.inspector.mixUnpolled(frameCount: frames, Scenes.mono)
      source.playbackFrame = 0
      #expect(log.processed == count)
      #expect(log.all.allSatisfy { $0.cause == .mix })
      withExtendedLifetime(token) {}
    }
  }

  @Test func `A failed call that finds a source stopped ends the polling of the source`() throws {
    struct Refusal: Error {}
    let offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let source = try SoundSource(playing: Scenes.silence(frames: 1_000, in: context), in: context)
    let log = NotificationLog()
    let token = source.record(in: log)
    source.play()
    #expect(context.inspector.pollsPlayingSources)
    // The source stops outside of the context's calls, as if the mixer had stopped it.
    context.inspector.stopInLibrary(source)
    #expect(throws: Refusal.self) { try context.inspector.failCall(for: source, with: Refusal()) }
    #expect(log.states == [.playing, .stopped])
    #expect(!context.inspector.pollsPlayingSources)
    withExtendedLifetime(token) {}
  }

  @Test func `Buffers are reported at their last frames, and the rest when the queue stops`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try SoundSource(in: offline.context)
    let log = NotificationLog()
    let token = source.record(in: log)
    try source.queue([500, 1_000, 3_000, 200].map { try Scenes.silence(frames: $0, in: offline.context) })
    source.play()
    _ = offline.render(frameCount: 2_000)
    #expect(log.kinds == [.stateChanged(.playing), .buffersProcessed(1), .buffersProcessed(1)])
    #expect(log.all.map(\.framePosition) == [0, 500, 1_500])
    source.stop()
    #expect(log.kinds.suffix(2) == [.buffersProcessed(2), .stateChanged(.stopped)])
    #expect(log.all.suffix(2).map(\.cause) == [.call, .call])
    withExtendedLifetime(token) {}
  }

  @Test(arguments: StartScenes.libraries)
  func `A scheduled source reports playing at once, and its end and loops from its start frame`(
    disabled: DisabledFeatures
  ) throws {
    for start in [100, 1_024, 3_000] {
      var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
      let source = try SoundSource(playing: Scenes.silence(frames: 700, in: offline.context), in: offline.context)
      let loop = try SoundSource(playing: Scenes.silence(frames: 70, in: offline.context), in: offline.context)
      loop.isLooping = true
      let (log, loops) = (NotificationLog(), NotificationLog())
      let tokens = [source.record(in: log), loop.record(in: loops, of: .loop)]
      offline.context.play([source, loop], at: Scenes.mono.duration(ofFrames: start))
      let lateLoops = NotificationLog()
      let late = loop.record(in: lateLoops, of: .loop)
      #expect(log.states == [.playing])
      #expect(source.state == .playing)
      _ = offline.render(frameCount: 5_000)
      #expect(log.states == [.playing, .stopped])
      #expect(log.all[1].framePosition == start + 700)
      #expect(loops.loops == (5_000 - start) / 70)
      #expect(lateLoops.loops == loops.loops)
      late.cancel()
      source.play(at: Scenes.mono.duration(ofFrames: 9_000))
      source.pause()
      source.stop()
      #expect(log.states == [.playing, .stopped, .playing, .paused, .stopped])
      withExtendedLifetime(tokens) {}
    }
  }
}
