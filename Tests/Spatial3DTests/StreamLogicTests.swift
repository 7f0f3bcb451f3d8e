import TestSupport
import Testing

@testable import Spatial3D

@Suite struct StreamLogicTests {
  @Test func `A stream queue reports the positions and loops of a flat list of frames`() {
    for seed in 0..<150 {
      var random = SplitMix64(seed: UInt64(seed))
      let length = Int.random(in: 1...50, using: &random)
      var queue = StreamQueue()
      // The entry of each frame: its origin, and whether a loop iteration begins with it.
      var flat: [(frame: Int, startsLap: Bool)] = []
      var chunks: [Int] = []
      var next = 0
      var alreadyCounted = 0
      for _ in 0..<30 {
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          var chunk: StreamQueue.Chunk = []
          var left = Int.random(in: 1...60, using: &random)
          chunks.append(left)
          while left > 0 {
            let wraps = next == length
            if wraps { next = 0 }
            let count = min(left, length - next)
            chunk.append(.init(start: next, frameCount: count, startsLap: wraps))
            for frame in next..<next + count { flat.append((frame, wraps && frame == 0)) }
            next += count
            left -= count
          }
          queue.append(chunk)
        case 1:
          let position = Int.random(in: alreadyCounted...max(flat.count, alreadyCounted), using: &random)
          let expected = (alreadyCounted..<max(position, alreadyCounted)).filter { flat[$0].startsLap }
          let counted = queue.laps(before: position)
          #expect(counted == expected)
          alreadyCounted = max(position, alreadyCounted)
        default:
          guard let first = chunks.first, alreadyCounted >= first else { continue }
          chunks.removeFirst()
          flat.removeFirst(first)
          alreadyCounted -= first
          queue.removeFirst(1)
        }
        #expect(queue.frameCount == flat.count)
        #expect(queue.chunkCount == chunks.count)
        for (index, position) in flat.enumerated() { #expect(queue.position(at: index) == position.frame) }
        #expect(queue.position(at: flat.count) == (flat.last?.frame ?? -1) + 1)
      }
    }
  }

  @Test func `A stream's states are those of OpenAL, whatever the reader and the mixer do`() {
    for seed in 0..<3_000 {
      var random = SplitMix64(seed: UInt64(seed))
      var stream = StreamState(frameCount: nil)
      var expected = SourceState.initial
      var wanted = 0
      var turn: StreamState.Filling?
      for _ in 0..<30 {
        var order = StreamState.Order()
        switch Int.random(in: 0..<9, using: &random) {
        case 0:
          order = stream.play()
          expected = .playing
        case 1:
          order = stream.pause()
          if expected == .playing { expected = .paused }
        case 2:
          order = stream.stop()
          if expected != .initial { expected = .stopped }
        case 3:
          order = stream.rewind()
          expected = .initial
        case 4: order = stream.seek(to: Int.random(in: 0...100, using: &random))
        case 5:
          let range = [nil, 0..<5, 3..<20].randomElement(using: &random) ?? nil
          order = stream.setLoop(isOn: !stream.isLooping, range: range)
        case 6:
          if turn == nil { turn = stream.beginFilling(on: 1) }
          guard turn != nil, let request = stream.nextRequest(queueLength: 80) else {
            turn = nil
            break
          }
          // A second thread gets no turn meanwhile.
          let other = stream.beginFilling(on: 2)
          #expect(other == nil)
          wanted = request.generation
        case 7 where turn != nil:
          guard let accepted = stream.accept(wanted) else { break }
          order = accepted
          let hasFailed = Bool.random(using: &random) && Bool.random(using: &random)
          if Int.random(in: 0..<4, using: &random) == 0 {
            stream.readerEnded(failed: hasFailed, inEmptyLap: Bool.random(using: &random))
          } else {
            if accepted.flushes { stream.queue.removeAll() }
            stream.queue.append([.init(start: 0, frameCount: 10, startsLap: Bool.random(using: &random))])
          }
        case 8 where stream.isStarted:
          let (isEnded, hasFailed) = (stream.isEnded, stream.hasFailed)
          switch stream.playedOut() {
          case .ends(let end):
            #expect(isEnded)
            #expect(end == (hasFailed ? .readerFailed : .finished))
            expected = .stopped
          case .underruns: #expect(expected == .playing && !isEnded)
          case .waits: #expect(!isEnded)
          }
        default: break
        }
        if order.flushes {
          stream.queue.removeAll()
          stream.isStarted = false
        }
        if order.verb == .play {
          #expect(stream.queue.chunkCount > 0)
          stream.isStarted = true
        }
        #expect(stream.state == expected)
        #expect(stream.queue.frameCount <= 80)
      }
    }
  }

  @Test func `A pending seek survives an underrun`() {
    for frame in [0, 7, 7_000] {
      var stream = StreamState(frameCount: nil)
      _ = stream.play()
      stream.queue.append([.init(start: 0, frameCount: 10, startsLap: false)])
      stream.isStarted = true
      let order = stream.seek(to: frame)
      #expect(!order.flushes)
      #expect(stream.position(at: 5) == frame)
      let next = stream.playedOut()
      #expect(next == .waits)
      #expect(stream.position(at: 0) == frame)
    }
  }

  @Test func `A loop that changes while a chunk is read discards that chunk`() {
    for range in [0..<100, nil] as [Range<Int>?] {
      var stream = StreamState(frameCount: 1_000)
      _ = stream.beginFilling(on: 1)
      let request = stream.nextRequest(queueLength: 1_000)
      let order = stream.setLoop(isOn: true, range: range)
      #expect(order.flushes)
      let accepted = request.flatMap { stream.accept($0.generation) }
      #expect(accepted == nil)
    }
  }

  @Test func `A stream asks its reader again after a lap without a frame once its loop has changed`() {
    var stream = StreamState(frameCount: nil)
    _ = stream.setLoop(isOn: true, range: 0..<10)
    _ = stream.play()
    stream.queue.append([.init(start: 0, frameCount: 10, startsLap: false)])
    stream.isStarted = true
    stream.readerEnded(failed: false, inEmptyLap: true)
    _ = stream.beginFilling(on: 1)
    let ended = stream.nextRequest(queueLength: 1_000)
    #expect(ended == nil)
    _ = stream.setLoop(isOn: true, range: 5..<20)
    _ = stream.beginFilling(on: 1)
    let next = stream.nextRequest(queueLength: 1_000)
    #expect(next?.loop == 5..<20)
  }

  @Test func `An ended filling turn does not end the next one`() {
    var stream = StreamState(frameCount: nil)
    guard let first = stream.beginFilling(on: 1) else {
      Issue.record("The first turn is not free")
      return
    }
    let isMine = stream.awaitsFilling(on: 1)
    #expect(!isMine)
    let request = stream.nextRequest(queueLength: 0)
    #expect(request == nil)
    guard let second = stream.beginFilling(on: 2) else {
      Issue.record("The first turn has not ended")
      return
    }
    let isAwaited = stream.endFilling(first)
    #expect(!isAwaited)
    let third = stream.beginFilling(on: 3)
    #expect(third == nil)
    let waits = stream.awaitsFilling(on: 3)
    #expect(waits)
    let wakesWaiter = stream.endFilling(second)
    #expect(wakesWaiter)
    #expect(stream.filling == nil)
    let isOver = stream.awaitsFilling(on: 3)
    #expect(!isOver)
  }

  @Test func `A stream queue releases only chunks whose loops are counted to the end`() {
    var queue = StreamQueue()
    for index in 0..<4 { queue.append([.init(start: 0, frameCount: 10, startsLap: index > 0)]) }
    #expect(queue.countedChunks == 0)
    for (position, count) in [(9, 0), (10, 1), (35, 3), (40, 4)] {
      _ = queue.laps(before: position)
      #expect(queue.countedChunks == count)
    }
    queue.removeFirst(3)
    #expect(queue.countedChunks == 1)
  }
}
