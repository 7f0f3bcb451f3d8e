import Testing

@testable import Spatial3D

/// Each transition of a stream's state, with all that it leaves behind.
@Suite struct StreamStateTests {
  /// A chunk of consecutive frames.
  private func chunk(_ start: Int, _ frames: Int, startsLap: Bool = false) -> StreamQueue.Chunk {
    [.init(start: start, frameCount: frames, startsLap: startsLap)]
  }

  /// A stream with one chunk of ten frames, after some calls.
  private func stream(
    start: Int = 0,
    frameCount: Int? = nil,
    _ body: (inout StreamState) -> Void = { _ in }
  ) -> StreamState {
    var stream = StreamState(frameCount: frameCount)
    stream.queue.append(chunk(start, 10))
    body(&stream)
    return stream
  }

  private func playing(_ stream: inout StreamState) {
    _ = stream.play()
    stream.isStarted = true
  }

  /// The flags of a stream as letters, and its numbers.
  private func summary(_ stream: StreamState) -> String {
    let flags = [
      (stream.isStarted, "s"), (stream.isReplacing, "r"), (stream.isEnded, "e"), (stream.hasFailed, "f"),
      (stream.hasEmptyLap, "l"), (stream.isLooping, "o"),
    ]
    let target = stream.target.map(String.init) ?? "-"
    let letters = flags.map { $0.0 ? $0.1 : "" }.joined()
    return "\(stream.state) \(letters) \(target) \(stream.nextFrame) \(stream.generation) \(stream.underrunCount)"
  }

  @Test func `A new stream begins at frame 0, and takes a loop that lies in its frames`() {
    #expect(summary(StreamState(frameCount: nil)) == "initial  0 0 0 0")
    #expect(StreamState.Order() == .init(flushes: false, verb: nil))
    let ranges: [(Range<Int>, Int?, Bool)] = [
      (0..<10, nil, true), (0..<10, 10, true), (0..<11, 10, false), (3..<3, nil, false), (-1..<5, nil, false),
      (9..<10, 10, true), (0..<Int.max, nil, true),
    ]
    for (range, count, isUsable) in ranges {
      #expect(StreamState.isUsable(range, in: count) == isUsable)
      let stream = StreamState(frameCount: count, loopRange: range)
      #expect(stream.loopRange == (isUsable ? range : nil) && stream.frameCount == count)
    }
  }

  @Test func `A stream plays what is ready, and starts over while it plays`() {
    var empty = StreamState(frameCount: nil)
    check(empty.play(), .init())
    #expect(summary(empty) == "playing  0 0 0 0")
    var ready = stream()
    check(ready.play(), .init(verb: .play))
    ready.isStarted = true
    #expect(summary(ready) == "playing s 0 0 0 0")
    // The queue goes on until there is a chunk from the beginning.
    check(ready.play(), .init())
    #expect(summary(ready) == "playing sr 0 0 1 0")
    check(ready.pause(), .init(verb: .pause))
    check(ready.play(), .init())
    check(ready.accept(0), nil)
    check(ready.accept(1), .init(flushes: true))
    check(ready.accept(1), .init(flushes: false))
    _ = ready.pause()
    check(ready.play(), .init(verb: .play))
    #expect(summary(ready) == "playing s 0 0 1 0")
  }

  @Test func `A stream that failed tries again when it is played, and one with a chunk goes on`() {
    var failed = StreamState(frameCount: nil)
    failed.readerEnded(failed: true, inEmptyLap: true)
    #expect(summary(failed) == "initial efl 0 0 0 0")
    check(failed.play(), .init())
    #expect(summary(failed) == "playing  0 0 1 0")
    var ended = stream { $0.readerEnded(failed: false) }
    check(ended.play(), .init(verb: .play))
    #expect(summary(ended) == "playing e 0 0 0 0")
  }

  @Test func `Only a playing stream pauses, and only a started source with it`() {
    for (body, order, state) in [
      ({ _ in }, .init(), .initial), ({ _ = $0.play() }, .init(), .paused),
      ({ playing(&$0) }, .init(verb: .pause), .paused),
      (
        {
          playing(&$0); _ = $0.pause()
        }, .init(), .paused
      ),
      (
        {
          playing(&$0); _ = $0.stop()
        }, .init(), .stopped
      ),
    ] as [((inout StreamState) -> Void, StreamState.Order, SourceState)] {
      var stream = stream(body)
      check(stream.pause(), order)
      #expect(stream.state == state)
    }
  }

  @Test func `A stop and a rewind clear the queue, and go to the beginning`() {
    var stream = stream()
    check(stream.stop(), .init())
    check(summary(stream), "initial  0 0 0 0")
    playing(&stream)
    check(stream.stop(), .init(flushes: true))
    check(summary(stream), "stopped s 0 0 1 0")
    check(stream.stop(), .init())
    check(stream.generation, 1)
    check(stream.rewind(), .init(flushes: true))
    check(summary(stream), "initial s 0 0 2 0")
    check(stream.rewind(), .init(flushes: true))
    check(stream.generation, 3)
    _ = stream.play()
    _ = stream.pause()
    check(stream.stop(), .init(flushes: true))
    check(stream.state, .stopped)
    check(stream.end(), .init(flushes: true))
    check(stream.state, .stopped)
    check(stream.generation, 5)
  }

  @Test func `A seek replaces the queue of a playing stream later, and clears any other now`() {
    var stream = stream { $0.readerEnded(failed: true, inEmptyLap: true) }
    check(stream.seek(to: 70), .init(flushes: true))
    check(summary(stream), "initial  70 70 1 0")
    playing(&stream)
    check(stream.seek(to: 80), .init())
    check(summary(stream), "playing sr 80 80 2 0")
    #expect(stream.position(at: 5) == 80)
    _ = stream.pause()
    check(stream.seek(to: 90), .init(flushes: true))
    check(summary(stream), "paused s 90 90 3 0")
  }

  @Test func `A new loop clears a queue that it would have cut, and leaves any other`() {
    // The queue has the frames 20 to 29.
    let cases: [(isOn: Bool, range: Range<Int>?, flushes: Bool)] = [
      (true, 0..<30, true), (true, 0..<29, true), (true, 0..<31, false), (true, 0..<21, true), (true, 0..<20, false),
      (true, nil, false), (false, 0..<30, false), (false, nil, false),
    ]
    for (isOn, range, flushes) in cases {
      for body in [
        { _ in },
        {
          playing(&$0); _ = $0.stop()
        },
      ] as [(inout StreamState) -> Void] {
        var stream = stream(start: 20, body)
        let generation = stream.generation
        check(stream.setLoop(isOn: isOn, range: range), .init(flushes: flushes), "\(String(describing: range))")
        #expect(stream.isLooping == isOn && stream.loopRange == range)
        #expect(stream.generation == generation + (flushes ? 1 : 0))
        if flushes { #expect(stream.target == 20 && stream.nextFrame == 20) }
      }
      var played = stream(start: 20) { playing(&$0) }
      check(played.setLoop(isOn: isOn, range: range), .init())
      check(played.generation, 0)
    }
    // A queue with a lap of the old loop, and a chunk that is being read with it, are cleared, too.
    var lap = StreamState(frameCount: nil)
    lap.queue.append(chunk(20, 10) + chunk(0, 5, startsLap: true))
    check(lap.setLoop(isOn: false, range: nil), .init(flushes: true))
    var read = stream(start: 20) { _ = $0.beginFilling(on: 1) }
    check(read.setLoop(isOn: false, range: nil), .init(flushes: true))
    var after = stream(start: 20) { $0.readerEnded(failed: false, inEmptyLap: true) }
    _ = after.setLoop(isOn: true, range: 0..<100)
    #expect(!after.hasEmptyLap && after.isEnded)
  }

  @Test func `A request has the target once, the loop, and comes while the queue is short or replaced`() {
    var stream = stream(frameCount: 50)
    let turn = stream.beginFilling(on: 7)
    #expect(turn == .init(number: 1, thread: 7) && stream.filling == turn)
    check(stream.nextRequest(queueLength: 11), .init(generation: 0, target: 0, loop: nil))
    #expect(stream.target == nil)
    check(stream.nextRequest(queueLength: 11), .init(generation: 0, target: nil, loop: nil))
    #expect(stream.filling == turn)
    check(stream.nextRequest(queueLength: 10), nil)
    #expect(stream.filling == nil)
    check(stream.beginFilling(on: 8), .init(number: 2, thread: 8))
    _ = stream.setLoop(isOn: true, range: nil)
    check(stream.nextRequest(queueLength: 99)?.loop, 0..<Int.max)
    _ = stream.setLoop(isOn: true, range: 3..<40)
    check(stream.nextRequest(queueLength: 99)?.loop, 3..<40)
    _ = stream.setLoop(isOn: false, range: 3..<40)
    check(stream.nextRequest(queueLength: 99)?.loop, nil)
    _ = stream.play()
    _ = stream.seek(to: 9)
    let request = stream.nextRequest(queueLength: 1)
    #expect(request == .init(generation: stream.generation, target: 9, loop: nil))
  }

  @Test func `A reader at its end is asked again only in a loop, with a chunk, and without a failure or an empty lap`()
  {
    for bits in 0..<16 {
      let (isLooping, failed, inEmptyLap, hasChunk) = (bits & 1 > 0, bits & 2 > 0, bits & 4 > 0, bits & 8 > 0)
      var stream = StreamState(frameCount: nil)
      _ = stream.setLoop(isOn: isLooping, range: nil)
      if hasChunk { stream.queue.append(chunk(0, 10)) }
      stream.readerEnded(failed: failed, inEmptyLap: inEmptyLap)
      let isAsked = isLooping && !failed && !inEmptyLap && hasChunk
      check((stream.nextRequest(queueLength: 99) != nil), isAsked, "\(bits)")
      #expect(stream.isEnded == !isAsked && stream.hasFailed == failed && stream.hasEmptyLap == inEmptyLap)
    }
  }

  @Test func `The frame after a loop's last one is its first`() {
    let cases: [(frameCount: Int?, isLooping: Bool, range: Range<Int>?, next: Int)] = [
      (nil, true, 5..<30, 5), (nil, true, 5..<31, 30), (30, true, nil, 0), (31, true, nil, 30), (30, false, nil, 30),
      (nil, false, 5..<30, 30), (30, true, 5..<31, 30), (nil, true, nil, 30),
    ]
    for (frameCount, isLooping, range, next) in cases {
      var stream = stream(start: 20, frameCount: frameCount) { playing(&$0) }
      _ = stream.setLoop(isOn: isLooping, range: range)
      #expect(stream.position(at: 10) == next && stream.position(at: 11) == next)
      #expect(stream.position(at: 9) == 29 && stream.position(at: 0) == 20)
      check(stream.playedOut(), .underruns)
      check(stream.nextFrame, next)
    }
    // The same frame in the middle of the queue is no end.
    var middle = StreamState(frameCount: nil)
    middle.queue.append(chunk(0, 10) + chunk(30, 10))
    _ = middle.play()
    _ = middle.setLoop(isOn: true, range: 5..<30)
    #expect(middle.position(at: 10) == 30)
  }

  @Test func `A queue that has played out waits, underruns or ends`() {
    var waits = stream {
      playing(&$0); _ = $0.pause()
    }
    check(waits.playedOut(), .waits)
    check(summary(waits), "paused  0 10 0 0")
    check(waits.queue.chunkCount, 0)
    var replacing = stream {
      playing(&$0); _ = $0.seek(to: 70)
    }
    check(replacing.playedOut(), .waits)
    check(summary(replacing), "playing r 70 70 1 0")
    var underrun = stream(start: 100) { playing(&$0) }
    check(underrun.playedOut(), .underruns)
    check(summary(underrun), "playing  0 110 0 1")
    check(underrun.playedOut(), .underruns)
    check(underrun.underrunCount, 2)
    check(underrun.position(at: 3), 110)
    var finished = stream {
      playing(&$0); $0.readerEnded(failed: false)
    }
    check(finished.playedOut(), .ends(.finished))
    check(summary(finished), "stopped  0 0 1 0")
    var failed = stream {
      playing(&$0); $0.readerEnded(failed: true)
    }
    check(failed.playedOut(), .ends(.readerFailed))
    check(summary(failed), "stopped ef 0 10 0 0")
    var lost = stream { playing(&$0) }
    check(lost.lostDevice(), .ends(.lostDevice))
    check(summary(lost), "stopped s 0 0 1 0")
  }

  @Test func `A turn ends once, and tells whether another thread waits for it`() {
    var stream = StreamState(frameCount: nil)
    guard let first = stream.beginFilling(on: 1) else {
      Issue.record("The turn is not free")
      return
    }
    check(stream.awaitsFilling(on: 1), false)
    check(stream.awaitsFilling(on: 2), true)
    check(stream.endFilling(first), true)
    check(stream.endFilling(first), false)
    check(stream.awaitsFilling(on: 2), false)
    guard let second = stream.beginFilling(on: 1) else {
      Issue.record("The turn is not free")
      return
    }
    #expect(second.number == 2)
    check(stream.endFilling(first), false)
    check(stream.filling, second)
  }
}
