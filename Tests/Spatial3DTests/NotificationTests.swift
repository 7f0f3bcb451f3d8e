import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

@Suite struct NotificationTests {
  @Test func `A sound that ends is told once, at the frame after its last`() throws {
    for length in [1, 63, 64, 1_000, 1_023, 1_024, 1_025, 1_500, 5_000] {
      var offline = try OfflineRenderer(format: Scenes.mono)
      let source = try SoundSource(playing: Scenes.silence(frames: length, in: offline.context), in: offline.context)
      let journal = Journal()
      let token = source.keep(journal)
      _ = offline.render(frameCount: 700)
      source.play()
      #expect(journal.kinds == [.stateChanged(.playing)])
      #expect(journal.all[0].cause == .call)
      #expect(journal.all[0].framePosition == 700)
      _ = offline.render(frameCount: length + 2_048)
      #expect(journal.kinds == [.stateChanged(.playing), .stateChanged(.stopped)])
      let end = try #require(journal.all.last)
      #expect(end.cause == .mix)
      #expect(end.framePosition == 700 + length)
      #expect(end.state == .stopped)
      #expect(end.source === source)
      #expect(journal.all.map(\.sequence) == [1, 2])
      token.cancel()
    }
  }

  @Test func `Every sequence of five verbs tells each change of state once, and nothing else`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let buffer = try Scenes.silence(frames: 1_000, in: offline.context)
    for sequence in 0..<1_024 {
      let source = try SoundSource(playing: buffer, in: offline.context)
      let journal = Journal()
      let token = source.keep(journal)
      var expected: [SourceState] = []
      var state = SourceState.initial
      for step in 0..<5 {
        let verb = PlaybackTests.Verb.allCases[(sequence >> (2 * step)) & 3]
        verb(source)
        let next = verb.next(after: state)
        if next != state { expected.append(next) }
        state = next
        #expect(journal.states == expected, "step \(step) of sequence \(sequence)")
      }
      #expect(journal.count == expected.count)
      #expect(journal.all.allSatisfy { $0.cause == .call })
      #expect(journal.all.map(\.sequence) == expected.indices.map { UInt64($0 + 1) })
      withExtendedLifetime(token) {}
    }
  }

  @Test func `Playing nothing is told as stopped`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let source = try SoundSource(in: offline.context)
    let journal = Journal()
    let token = source.keep(journal)
    source.play()
    source.play()
    #expect(journal.kinds == [.stateChanged(.stopped)])
    #expect(journal.all[0].cause == .call)
    source.rewind()
    source.play()
    #expect(journal.states == [.stopped, .initial, .stopped])
    withExtendedLifetime(token) {}
  }

  @Test func `A source tells what was asked for, from then on, until the token goes`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try SoundSource(playing: Scenes.silence(frames: 100, in: offline.context), in: offline.context)
    source.play()
    let (first, second, loops) = (Journal(), Journal(), Journal())
    var token: NotificationToken? = source.keep(first, of: .state)
    let other = source.keep(loops, of: [.loop, .buffersProcessed])
    _ = offline.render(frameCount: 1_024)
    #expect(first.states == [.stopped])
    let late = source.keep(second)
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

  @Test func `A gap in the numbers is what was not taken, whoever else observes`() async throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let source = try SoundSource(in: offline.context)
    try source.queue((0..<2).map { _ in try Scenes.silence(frames: 100, in: offline.context) })
    let others = [source.keep(Journal()), source.keep(Journal(), of: .buffersProcessed)]
    let states = Journal()
    let token = source.keep(states, of: .state)
    let sequence = source.notifications(.state)
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

  @Test func `A released source is told to have stopped, and keeps nobody`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let buffer = try Scenes.silence(frames: 100, in: offline.context)
    for verb in [PlaybackTests.Verb.play, .pause, .stop, .rewind] {
      var source: SoundSource? = try SoundSource(playing: buffer, in: offline.context)
      weak let gone = source
      let journal = Journal()
      let token = source?.keep(journal)
      source?.play()
      if let source { verb(source) }
      let before = journal.count
      source = nil
      #expect(gone == nil)
      #expect(journal.states.last == (verb == .rewind ? .initial : .stopped))
      #expect(journal.count == before + (verb == .play || verb == .pause ? 1 : 0))
      #expect(journal.all.allSatisfy { $0.source == nil })
      withExtendedLifetime(token) {}
      #expect(offline.context.inspector.observesNothing)
    }
  }

  @Test func `Four thousand sources that start and end within one mix tell both, each once`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono, settings: OutputSettings(sourceLimit: 4_096))
    let context = offline.context
    let buffer = try Scenes.silence(frames: 10, in: context)
    let journals = (0..<4_000).map { _ in Journal() }
    let sources = try journals.map { _ in try SoundSource(playing: buffer, in: context) }
    let tokens = zip(sources, journals).map { $0.keep($1) }
    for round in 1...2 {
      context.play(sources)
      _ = offline.render(frameCount: 1_024)
      for journal in journals {
        let states = journal.take().map(\.state)
        #expect(states == [.playing, .stopped], "round \(round)")
      }
    }
    withExtendedLifetime(tokens) {}
  }

  @Test func `A source that has the number of one before gets nothing of it`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let buffer = try Scenes.silence(frames: 100, in: offline.context)
    var ids: Set<UInt32> = []
    for _ in 0..<200 {
      let source = try SoundSource(playing: buffer, in: offline.context)
      ids.insert(source.id)
      let journal = Journal()
      let token = source.keep(journal)
      source.play()
      #expect(journal.states == [.playing])
      _ = offline.render(frameCount: 16)
      #expect(journal.count == 1)
      withExtendedLifetime(token) {}
    }
    #expect(ids.count < 200)
  }

  @Test func `Played buffers are counted, whatever is taken from the queue meanwhile`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let source = try SoundSource(in: context)
    let journal = Journal()
    let token = source.keep(journal, of: [.buffersProcessed, .state])
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
    #expect(journal.processed == queued)
    withExtendedLifetime(token) {}
  }

  @Test func `Buffers that end between a look and their unqueueing are told`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    for (frames, count) in [(500, 0), (1_000, 1), (2_500, 2), (9_000, 4)] {
      let source = try SoundSource(in: context)
      try source.queue((0..<4).map { _ in try Scenes.silence(frames: 1_000, in: context) })
      source.play()
      let journal = Journal()
      let token = source.keep(journal)
      context.inspector.unqueueProcessed(of: source, duringMixOf: frames, Scenes.mono)
      #expect(source.buffers.count == 4 - count)
      #expect(journal.processed == count)
      #expect(journal.states == (count == 4 ? [.stopped] : []))
      #expect(journal.all.allSatisfy { $0.cause == .mix })
      withExtendedLifetime(token) {}
    }
  }

  @Test func `A source that is found stopped by a call that fails is not watched on`() throws {
    struct Refusal: Error {}
    let offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let source = try SoundSource(playing: Scenes.silence(frames: 1_000, in: context), in: context)
    let journal = Journal()
    let token = source.keep(journal)
    source.play()
    #expect(context.inspector.pollsPlayingSources)
    // The source stops outside of the context's calls, as if the mixer had stopped it.
    context.inspector.stopInLibrary(source)
    #expect(throws: Refusal.self) { try context.inspector.failCall(for: source, with: Refusal()) }
    #expect(journal.states == [.playing, .stopped])
    #expect(!context.inspector.pollsPlayingSources)
    withExtendedLifetime(token) {}
  }

  @Test func `Buffers are told at the frames where they end, and all of them when the queue is stopped`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try SoundSource(in: offline.context)
    let journal = Journal()
    let token = source.keep(journal)
    try source.queue([500, 1_000, 3_000, 200].map { try Scenes.silence(frames: $0, in: offline.context) })
    source.play()
    _ = offline.render(frameCount: 2_000)
    #expect(journal.kinds == [.stateChanged(.playing), .buffersProcessed(1), .buffersProcessed(1)])
    #expect(journal.all.map(\.framePosition) == [0, 500, 1_500])
    source.stop()
    #expect(journal.kinds.suffix(2) == [.buffersProcessed(2), .stateChanged(.stopped)])
    #expect(journal.all.suffix(2).map(\.cause) == [.call, .call])
    withExtendedLifetime(token) {}
  }

  @Test(arguments: StartScenes.libraries)
  func `A source that starts at a frame plays at once, and ends and loops by that frame`(disabled: DisabledFeatures)
    throws
  {
    for start in [100, 1_024, 3_000] {
      var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
      let source = try SoundSource(playing: Scenes.silence(frames: 700, in: offline.context), in: offline.context)
      let loop = try SoundSource(playing: Scenes.silence(frames: 70, in: offline.context), in: offline.context)
      loop.isLooping = true
      let (journal, laps) = (Journal(), Journal())
      let tokens = [source.keep(journal), loop.keep(laps, of: .loop)]
      offline.context.play([source, loop], at: Scenes.mono.duration(ofFrames: start))
      let lateLaps = Journal()
      let late = loop.keep(lateLaps, of: .loop)
      #expect(journal.states == [.playing])
      #expect(source.state == .playing)
      _ = offline.render(frameCount: 5_000)
      #expect(journal.states == [.playing, .stopped])
      #expect(journal.all[1].framePosition == start + 700)
      #expect(laps.loops == (5_000 - start) / 70)
      #expect(lateLaps.loops == laps.loops)
      late.cancel()
      source.play(at: Scenes.mono.duration(ofFrames: 9_000))
      source.pause()
      source.stop()
      #expect(journal.states == [.playing, .stopped, .playing, .paused, .stopped])
      withExtendedLifetime(tokens) {}
    }
  }
}
