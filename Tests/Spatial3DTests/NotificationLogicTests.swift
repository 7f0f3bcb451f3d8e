import AudioSupport
import TestSupport
import Testing

@testable import Spatial3D

@Suite struct NotificationLogicTests {
  @Test func `A tracker reports states in order and every processed buffer at any polling rate`() {
    for seed in 0..<5_000 {
      var random = SplitMix64(seed: UInt64(seed))
      var tracker = SourceTracker(state: .initial, processed: 0)
      var reported = SourceState.initial
      var sum = 0
      // The numbers of buffers that were ever queued, that are played, and that are unqueued.
      var (queued, processed, taken) = (0, 0, 0)
      // The number of buffers that have ended; a buffer that was played twice counts twice.
      var ended = 0
      var state = SourceState.initial

      func expect(_ changes: SourceTracker.Changes) {
        for next in [changes.before, changes.after].compactMap(\.self) {
          #expect(next != reported)
          reported = next
        }
        #expect(changes.processed >= 0)
        sum += changes.processed
      }
      func reading() -> SourceTracker.Reading { .init(state: state, processed: processed - taken) }
      func mix() {
        let more = Int.random(in: 0...queued - processed, using: &random)
        processed += more
        ended += more
        if processed == queued, queued > taken { state = .stopped }
      }

      for _ in 0..<30 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0 where state != .playing:
          expect(tracker.update(to: reading()))
          // A paused queue resumes at its position; any other starts from its first buffer.
          if state != .paused { processed = taken }
          state = .playing
          let hasFrames = queued > taken
          if hasFrames, Bool.random(using: &random) { mix() }
          if !hasFrames { state = .stopped }
          expect(tracker.played(hasFrames: hasFrames, then: reading()))
        case 1 where state != .stopped: queued += Int.random(in: 0...3, using: &random)
        case 2 where state == .playing: mix()
        case 3:
          expect(tracker.update(to: reading()))
          // More buffers may have ended since.
          if state == .playing { mix() }
          expect(tracker.unqueued(processed - taken))
          taken = processed
          expect(tracker.update(to: reading()))
        case 4 where state == .playing:
          expect(tracker.update(to: reading()))
          state = .paused
          expect(tracker.update(to: reading()))
        default:
          expect(tracker.update(to: reading()))
          #expect(reported == state)
          #expect(sum == ended)
        }
      }
      expect(tracker.update(to: reading()))
      #expect(reported == state)
      #expect(sum == ended)
    }
  }

  @Test func `A tracker reports playing before stopped for a source that ended before the poll`() {
    for state in SourceState.allCases {
      for processed in 0...3 {
        var tracker = SourceTracker(state: state, processed: 2)
        let changes = tracker.played(hasFrames: true, then: .init(state: .stopped, processed: processed))
        #expect(changes.before == (state == .playing ? nil : .playing))
        #expect(changes.after == .stopped)
        // A paused queue resumes. Any other starts over, and its buffers count again.
        #expect(changes.processed == (state == .paused ? max(processed - 2, 0) : processed))
        tracker = SourceTracker(state: state, processed: 0)
        let nothing = tracker.played(hasFrames: false, then: .init(state: .stopped, processed: nil))
        #expect(nothing == .init(before: nil, processed: 0, after: state == .stopped ? nil : .stopped))
      }
    }
  }

  @Test func `A loop counter counts iterations for any loop, step and position`() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<20_000 {
      let start = Int.random(in: 0...500, using: &random)
      let loop = LoopCounter.Loop(range: start..<start + Int.random(in: 1...3_000, using: &random), isOn: true)
      let step = Double.random(in: 0.001...10, using: &random)
      var position = Double.random(in: 0..<Double(loop.range.upperBound), using: &random)
      var counter = LoopCounter(position: position)
      for _ in 0..<5 {
        let way = step * Double(Int.random(in: 1...1_024, using: &random))
        var loops = 0
        position += way
        while position >= Double(loop.range.upperBound) {
          position -= Double(loop.range.count)
          loops += 1
        }
        // The known distance is off by less than half a loop.
        let error = Double.random(in: -0.45...0.45, using: &random) * min(Double(loop.range.count), 1)
        let counted = counter.advance(by: way + error, to: position, in: loop)
        #expect(counted == loops)
      }
      let counted = counter.advance(by: 5_000, to: position, in: .init(range: loop.range, isOn: false))
      #expect(counted == 0)
    }
  }

  @Test func `A source that is still in its introduction has not looped, however late it is`() {
    for late in 0...30_000 {
      var counter = LoopCounter(position: 0)
      let loop = LoopCounter.Loop(range: 4_000..<8_000, isOn: true)
      #expect(counter.advance(by: Double(late + 3_000), to: 3_000, in: loop) == 0)
      // The next count begins at the found position.
      #expect(counter.advance(by: 6_000, to: 5_000, in: loop) == 1)
    }
  }

  @Test func `A loop counter counts iterations across a call in the middle of a mix`() {
    var random = SplitMix64(seed: 2)
    for _ in 0..<5_000 {
      let loop = LoopCounter.Loop(range: 0..<Int.random(in: 100...3_000, using: &random), isOn: true)
      let step = [0.5, 1, 2, 3.1][Int.random(in: 0..<4, using: &random)]
      let steps = Int.random(in: 1...4, using: &random)
      let mixed = Double(1_024 * steps) * step
      var ways = [0, mixed, 64 * step]
      for count in 2...8 { ways += (1..<count).map { mixed * Double($0) / Double(count) } }
      let way = Double(1_024 * Int.random(in: 0...steps, using: &random)) * step
      let position = Double(Int.random(in: loop.range, using: &random))
      let length = Double(loop.range.count)
      let loops = ((position + way) / length).rounded(.down)
      // If two distances lead to the same position, the counter cannot distinguish them.
      let others = ways.filter { abs((($0 - way) / length).rounded() * length - ($0 - way)) < 3 && abs($0 - way) > 1 }
      guard others.isEmpty else { continue }
      var counter = LoopCounter(position: position)
      let counted = counter.advance(byPartOf: mixed, or: 64 * step, to: position + way - loops * length, in: loop)
      #expect(counted == Int(loops))
    }
  }

  @Test func `The arrival at a frame is the first mix frame at or behind it`() {
    for (position, frame, step, expected) in [
      (0, 1_500, 1, 1_500), (0, 1_500, 2, 750), (0, 1_501, 2, 751), (0.5, 100, 0.25, 398), (100, 100, 1, 0),
      (100, 5, 1, 0),
      (0, 10, 0, 0), (0, 10, .infinity, 0),
    ] as [(Double, Double, Double, Int)] {
      #expect(Arrival.frames(from: position, to: frame, step: step) == expected)
    }
    #expect(Arrival.frames(from: 0, to: .greatestFiniteMagnitude, step: 1) == .max)
  }

  /// A notification of a kind.
  private func note(_ kind: SourceNotification.Kind, _ sequence: Int) -> SourceNotification {
    let state: SourceState = if case .stateChanged(let state) = kind { state } else { .playing }
    return SourceNotification(
      kind: kind,
      reference: Weak<SoundSource>(nil),
      state: state,
      sequence: UInt64(sequence),
      framePosition: sequence,
      cause: .mix
    )
  }

  @Test func `An unread queue stays bounded, keeps all counts and ends with the last state`() {
    for seed in 0..<200 {
      var random = SplitMix64(seed: UInt64(seed))
      var list = CoalescingQueue<SourceNotification>()
      var (loops, buffers, takenLoops, takenBuffers) = (0, 0, 0, 0)
      var last: SourceState?
      var lastTaken: SourceState?
      var number: UInt64 = 0

      func take() {
        guard let next = list.popFirst() else { return }
        #expect(next.sequence > number)
        number = next.sequence
        switch next.kind {
        case .looped(let count): takenLoops += count
        case .buffersProcessed(let count): takenBuffers += count
        case .stateChanged(let state): lastTaken = state
        case .underrun: break
        }
      }

      for sequence in 1...1_000 {
        let count = Int.random(in: 1...5, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          loops += count
          list.append(note(.looped(count), sequence))
        case 1:
          buffers += count
          list.append(note(.buffersProcessed(count), sequence))
        case 2: list.append(note(.underrun, sequence))
        default:
          last = SourceState.allCases[count % 4]
          list.append(note(.stateChanged(SourceState.allCases[count % 4]), sequence))
        }
        #expect(list.count <= 64)
        if seed % 2 == 0, Int.random(in: 0..<3, using: &random) == 0 { take() }
      }
      while !list.isEmpty { take() }
      #expect(takenLoops == loops)
      #expect(takenBuffers == buffers)
      #expect(lastTaken == last)
    }
  }

  @Test func `A queue merges consecutive counts and drops the oldest states beyond its limit`() {
    var list = CoalescingQueue<SourceNotification>()
    list.append(note(.buffersProcessed(1), 1))
    list.append(note(.buffersProcessed(1), 2))
    #expect(list.count == 1)
    let sum = list.popFirst()
    #expect(sum?.kind == .buffersProcessed(2))
    for sequence in 1...64 { list.append(note(.stateChanged(sequence % 2 == 0 ? .playing : .stopped), sequence)) }
    #expect(list.count == 64)
    list.append(note(.stateChanged(.stopped), 65))
    #expect(list.count == 64)
    let oldest = list.popFirst()
    #expect(oldest?.sequence == 2)
    list.removeAll()
    #expect(list.isEmpty)
  }

  /// A count, a state or an end with a number.
  private struct Item: Coalescing, Hashable {
    enum Kind: CaseIterable { case count, state, end }
    let kind: Kind
    var value: Int

    var isJoinable: Bool { kind != .end }
    var isCount: Bool { kind == .count }

    func joined(with later: Item) -> Item? {
      guard kind == later.kind, isJoinable else { return nil }
      return isCount ? Item(kind: kind, value: value + later.value) : later
    }
  }

  @Test func `Ends among counts and states keep their order, and a bound counts those that it drops`() {
    for seed in 0..<300 {
      var random = SplitMix64(seed: UInt64(seed))
      let bound = [nil, 1, 5, 100][seed % 4]
      var queue = CoalescingQueue<Item>(bound: bound)
      var (counted, takenCount, lastState, takenState) = (0, 0, 0, 0)
      var (ends, takenEnds) = ([Int](), [Int]())
      var (lost, latest) = (0, 0)

      func take() {
        guard let item = queue.popFirst() else { return }
        switch item.kind {
        case .count: takenCount += item.value
        case .state:
          #expect(item.value > latest)
          (takenState, latest) = (item.value, item.value)
        case .end:
          #expect(item.value > latest)
          latest = item.value
          takenEnds.append(item.value)
        }
      }

      for number in 1...2_000 {
        let kind = Item.Kind.allCases.randomElement(using: &random) ?? .end
        let wasFull = queue.count
        let hasLost = queue.append(Item(kind: kind, value: kind == .count ? 1 : number))
        if hasLost { lost += 1 }
        switch kind {
        case .count: counted += 1
        case .state: lastState = number
        case .end: ends.append(number)
        }
        #expect(queue.count <= 64 + (bound ?? .max / 2))
        #expect(queue.count <= wasFull + 1)
        if seed % 3 != 0, Int.random(in: 0..<4, using: &random) == 0 { take() }
      }
      while !queue.isEmpty { take() }
      #expect(queue.lostCount == lost && takenEnds.count + lost == ends.count)
      #expect(bound == nil ? takenEnds == ends : Set(takenEnds).isSubset(of: ends))
      #expect(takenEnds.last == ends.last)
      #expect(takenCount == counted && takenState == lastState)
    }
  }

  @Test func `A hundred thousand ends that wait cost the same each`() {
    var queue = CoalescingQueue<Item>()
    let time = ContinuousClock().measure {
      for number in 0..<100_000 {
        queue.append(Item(kind: .end, value: number))
        queue.append(Item(kind: .state, value: number))
      }
      #expect(queue.count == 100_064)
      for number in 0..<100_000 where queue.popFirst() == nil { Issue.record("\(number) is missing") }
    }
    // All pairs of them would take hours.
    #expect(time < .seconds(20))
  }

  @Test func `The Doppler effect is OpenAL's`() {
    var scene = Scene()
    var values = SourceValues()
    func shift() -> Double { scene.dopplerShift(of: values) }
    func set(_ body: (inout SourceValues) -> Void) { body(&values) }
    let newest = MixStep(version: LibraryVersion(1, 25, 2))
    #expect(shift() == 1)
    set { $0.position = [0, 0, -10] }
    set { $0.velocity = [0, 0, 34.33] }
    #expect(abs(shift() - 343.3 / (343.3 - 34.33)) < 1e-5)
    set { $0.velocity = [0, 0, -34.33] }
    #expect(abs(shift() - 343.3 / (343.3 + 34.33)) < 1e-5)
    set { $0.velocity = [34.33, 0, 0] }
    #expect(shift() == 1)
    set { $0.velocity = [0, 0, 400] }
    #expect(shift() == .infinity)
    #expect(scene.step(of: values, soundRate: 48_000, mixRate: 48_000, isPlaced: true, by: newest) == 10)
    #expect(
      scene.step(of: values, soundRate: 44_100, mixRate: 48_000, isPlaced: false, by: newest) == 0.9187469482421875
    )
    #expect(scene.step(of: values, soundRate: 0, mixRate: 48_000, isPlaced: false, by: newest) == 0)
    set { $0.isListenerRelative = true }
    #expect(shift() == .infinity)
    // A listener-relative source moves with the listener. Here the listener moves forward, and the source approaches at
    // the same speed.
    set { $0.velocity = [0, 0, 34.33] }
    _ = scene.setListener(Listener(velocity: [0, 0, -34.33]))
    #expect(abs(shift() - 1.1) < 1e-5)
    // The source's velocity is in the head's coordinates: this listener faces right, and moves there.
    let toTheRight = Orientation(forward: [1, 0, 0], up: [0, 1, 0])
    _ = scene.setListener(Listener(velocity: [34.33, 0, 0], orientation: toTheRight))
    #expect(abs(shift() - 1.1) < 1e-5)
    _ = scene.setListener(Listener())
    set { $0.dopplerFactor = 0 }
    #expect(shift() == 1)
    set { $0.isListenerRelative = false }
    set { $0.dopplerFactor = 1 }
    set { $0.velocity = .zero }
    _ = scene.setListener(Listener(velocity: [0, 0, 400]))
    #expect(shift() == 0)
    _ = scene.setListener(Listener(velocity: [0, 0, -400]))
    #expect(shift() > 2)
  }
}
