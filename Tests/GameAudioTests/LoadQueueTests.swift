import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The order in which files and readers of the game are opened.
@Suite struct LoadQueueTests {
  private static func work(_ name: String, _ lane: LoadQueue.Lane, line: LoadQueue.Line? = nil) -> LoadQueue.Work {
    LoadQueue.Work(lane: lane, name: name, line: line, fileUse: lane == .files ? .decoded : nil) {}
  }

  private static let limit = LoadQueue.Lane.readers.mostThreads

  @Test func `Files are opened one after the other, beside readers that block`() {
    var queue = LoadQueue()
    for index in 0..<Self.limit + 2 { queue.add(Self.work("reader \(index)", .readers), at: 0) }
    for index in 0..<3 { queue.add(Self.work("file \(index)", .files), at: 0) }
    var begun: [LoadQueue.Begun] = []
    while let next = queue.begin(at: 0) { begun.append(next) }
    #expect(begun.map(\.work.name) == ["file 0"] + (0..<Self.limit).map { "reader \($0)" })
    queue.end(begun[0], at: 1)
    #expect(queue.begin(at: 1)?.work.name == "file 1")
    #expect(queue.begin(at: 1) == nil)
    queue.end(begun[5], at: 2)
    #expect(queue.begin(at: 2)?.work.name == "reader \(Self.limit)")
  }

  @Test func `No file waits for samples that are made anew, and these are made one after the other`() {
    var queue = LoadQueue()
    for index in 0..<3 { queue.add(Self.work("old \(index)", .renewals), at: 0) }
    let first = queue.begin(at: 0)
    #expect(first?.work.name == "old 0" && queue.begin(at: 0) == nil)
    queue.add(Self.work("shot.wav", .files), at: 1)
    #expect(queue.begin(at: 1)?.work.name == "shot.wav")
    if let first { queue.end(first, at: 2) }
    #expect(queue.begin(at: 2)?.work.name == "old 1" && queue.begin(at: 2) == nil)
    // They are no sound that a play waits for.
    #expect(queue.delays(at: 2 + LoadQueue.patience) == [.file("shot.wav", .decoded)])
  }

  @Test func `A file that blocks is reported once, and holds up the others no longer`() {
    var queue = LoadQueue()
    queue.add(Self.work("dead.wav", .files), at: 0)
    queue.add(Self.work("good.wav", .files), at: 0)
    let dead = queue.begin(at: 10)
    #expect(dead?.work.name == "dead.wav")
    #expect(queue.delays(at: 9 + LoadQueue.patience).isEmpty)
    #expect(queue.begin(at: 9 + LoadQueue.patience) == nil)
    #expect(queue.delays(at: 10 + LoadQueue.patience) == [.file("dead.wav", .decoded)])
    #expect(queue.begin(at: 10 + LoadQueue.patience)?.work.name == "good.wav")
    #expect(queue.delays(at: 11 + LoadQueue.patience).isEmpty)
  }

  @Test func `A player that waits for a file is reported once, beside readers of the game`() {
    var queue = LoadQueue()
    queue.add(Self.work("reader", .readers), at: 0)
    queue.add(LoadQueue.Work(lane: .readers, name: "music.ogg", fileUse: .streamed) {}, at: 0)
    while queue.begin(at: 0) != nil {}
    #expect(queue.delays(at: LoadQueue.patience - 1).isEmpty)
    #expect(queue.delays(at: LoadQueue.patience) == [.file("music.ogg", .streamed)])
    #expect(queue.delays(at: 2 * LoadQueue.patience).isEmpty)
  }

  @Test func `A file is decoded or streamed, and samples and readers of the game are neither`() {
    let noise = TestSignal.noise(duration: .milliseconds(50), format: .mono(sampleRate: 48_000))
    let sounds = [
      Sound("shot.wav"), Sound("music.ogg", streamed: true), Sound(noise),
      Sound(streaming: "reader") { SampleReader(noise) },
    ]
    #expect(sounds.map { $0.variations[0].fileUse } == [.decoded, .streamed, nil, nil])
  }

  @Test func `Files that block take at most so many threads`() {
    var queue = LoadQueue()
    for index in 0..<100 { queue.add(Self.work("\(index)", .files), at: 0) }
    var count = 0
    for round in 0..<200 {
      while queue.begin(at: Int64(round) * LoadQueue.patience) != nil { count += 1 }
      _ = queue.delays(at: Int64(round + 1) * LoadQueue.patience)
    }
    #expect(count == LoadQueue.Lane.files.mostThreads)
  }

  @Test func `A stream that waits for readers that block is reported once`() {
    var queue = LoadQueue()
    for index in 0..<Self.limit + 3 { queue.add(Self.work("\(index)", .readers), at: 7) }
    while queue.begin(at: 7) != nil {}
    #expect(queue.delays(at: 6 + LoadQueue.patience).isEmpty)
    #expect(queue.delays(at: 7 + LoadQueue.patience) == [.reader("\(Self.limit)")])
    #expect(queue.delays(at: 8 + 2 * LoadQueue.patience).isEmpty)
  }

  @Test(arguments: 0..<200) func `All works are done once, each line in its order, within the limits`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var queue = LoadQueue()
    var (time, added): (Int64, [LoadQueue.Work]) = (0, [])
    var running: [LoadQueue.Begun] = []
    var done: [String] = []
    while added.count < 300 || !queue.isEmpty {
      time += .random(in: 0..<LoadQueue.patience / 4, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<3 where added.count < 300:
        let lane: LoadQueue.Lane = Bool.random(using: &random) ? .files : .readers
        let player = Int.random(in: -4..<4, using: &random)
        let line = player < 0 ? nil : LoadQueue.Line(player: player)
        added.append(Self.work("\(added.count)", lane, line: line))
        queue.add(added[added.count - 1], at: time)
      case 3..<5:
        guard let begun = queue.begin(at: time) else { break }
        if Int.random(in: 0..<10, using: &random) == 0 { queue.putBack(begun, at: time) } else { running.append(begun) }
      case 5: _ = queue.delays(at: time)
      default:
        guard let index = running.indices.randomElement(using: &random) else { break }
        done.append(running[index].work.name)
        queue.end(running.remove(at: index), at: time)
      }
      for lane in LoadQueue.Lane.allCases {
        #expect(running.count { $0.work.lane == lane } <= lane.mostThreads)
      }
      let lines = running.compactMap(\.work.line)
      #expect(Set(lines).count == lines.count)
    }
    #expect(Set(done) == Set(added.map(\.name)) && done.count == added.count)
    for line in Set(added.compactMap(\.line)) {
      let order = added.filter { $0.line == line }.map(\.name)
      #expect(done.filter { order.contains($0) } == order)
    }
  }
}
