import Spatial3DTesting
import TestSupport
import Testing

@Suite struct NotificationTimelineTests {
  private typealias Entry = NotificationTimeline.Entry

  /// A source that plays a sound of a given length.
  private func source(frames: Int, in offline: borrowing OfflineRenderer) throws -> SoundSource {
    let sound = try Signals.mono([Float](repeating: 0.25, count: frames))
    return try SoundSource(playing: SoundBuffer(sound, in: offline.context), in: offline.context)
  }

  @Test func `A timeline has the notifications of two sources in the order of the mix, at its frames`() throws {
    var offline = try OfflineRenderer(format: Signals.stereo)
    let (intro, loop) = (try source(frames: 3_000, in: offline), try source(frames: 1_200, in: offline))
    loop.isLooping = true
    let timeline = NotificationTimeline()
    timeline.observe(intro, as: "intro")
    timeline.observe(loop, as: "loop")
    offline.context.play([intro, loop])
    _ = offline.render(frameCount: 4_000)
    loop.pause()
    #expect(
      timeline.entries == [
        Entry("intro", .stateChanged(.playing), at: 0),
        Entry("loop", .stateChanged(.playing), at: 0),
        Entry("loop", .looped(1), at: 1_200),
        Entry("loop", .looped(1), at: 2_400),
        Entry("intro", .stateChanged(.stopped), at: 3_000),
        Entry("loop", .looped(1), at: 3_600),
        Entry("loop", .stateChanged(.paused), at: 4_000),
      ],
      "\(timeline)"
    )
  }

  @Test func `A timeline orders many notifications from one mixing block by frame`() throws {
    var generator = SplitMix64(seed: 5)
    for _ in 0..<20 {
      var offline = try OfflineRenderer(format: Signals.mono)
      let timeline = NotificationTimeline()
      var expected: [Entry] = []
      var sources: [SoundSource] = []
      for label in ["a", "b", "c"] {
        let queue = try SoundSource(in: offline.context)
        let lengths = (0..<6).map { _ in Int.random(in: 1...150, using: &generator) }
        try queue.queue(
          lengths.map { try SoundBuffer(Signals.mono([Float](repeating: 0, count: $0)), in: offline.context) }
        )
        timeline.observe(queue, as: label, .state)
        sources.append(queue)
        expected.append(Entry(label, .stateChanged(.playing), at: 0))
        expected.append(Entry(label, .stateChanged(.stopped), at: lengths.reduce(0, +)))
      }
      offline.context.play(sources)
      _ = offline.render(frameCount: 1_024)
      expected.sort { $0.framePosition < $1.framePosition }
      #expect(timeline.entries == expected, "\(timeline)")
      let frames = timeline.entries.map(\.framePosition)
      #expect(frames == frames.sorted())
    }
  }

  @Test func `A timeline has each processed buffer at the frame where it ends`() throws {
    var offline = try OfflineRenderer(format: Signals.mono)
    let timeline = NotificationTimeline()
    let queues = try ["first", "second"].map { label in
      let queue = try SoundSource(in: offline.context)
      let lengths = label == "first" ? [100, 300] : [200]
      try queue.queue(
        lengths.map { try SoundBuffer(Signals.mono([Float](repeating: 0, count: $0)), in: offline.context) }
      )
      timeline.observe(queue, as: label, [.buffersProcessed, .state])
      return queue
    }
    offline.context.play(queues)
    _ = offline.render(frameCount: 150)
    _ = offline.render(frameCount: 850)
    #expect(
      timeline.entries == [
        Entry("first", .stateChanged(.playing), at: 0),
        Entry("second", .stateChanged(.playing), at: 0),
        Entry("first", .buffersProcessed(1), at: 100),
        Entry("second", .buffersProcessed(1), at: 200, state: .stopped),
        Entry("second", .stateChanged(.stopped), at: 200),
        Entry("first", .buffersProcessed(1), at: 400, state: .stopped),
        Entry("first", .stateChanged(.stopped), at: 400),
      ],
      "\(timeline)"
    )
  }

  @Test func `Two renderings of one scene have one timeline`() throws {
    func timeline() throws -> [Entry] {
      var offline = try OfflineRenderer(format: Signals.stereo)
      let timeline = NotificationTimeline()
      let sources = try (0..<40).map { index in
        let source = try source(frames: 37 * (index + 1), in: offline)
        source.isLooping = index % 3 == 0
        source.pitch = 0.5 + Float(index) / 20
        timeline.observe(source, as: "\(index % 7)")
        return source
      }
      for source in sources {
        source.play()
        _ = offline.render(frameCount: 211)
      }
      return timeline.entries
    }
    let first = try timeline()
    #expect(first.count > 100)
    #expect(try timeline() == first)
  }

  @Test func `A timeline has only notifications of the observed kinds from the start of the observation`() throws {
    var offline = try OfflineRenderer(format: Signals.mono)
    let source = try source(frames: 500, in: offline)
    source.isLooping = true
    source.play()
    _ = offline.render(frameCount: 600)
    let timeline = NotificationTimeline()
    timeline.observe(source, as: "loops", .loop)
    _ = offline.render(frameCount: 900)
    source.stop()
    // One piece of the mix reports its loops together.
    #expect(timeline.entries == [Entry("loops", .looped(2), at: 1_500)])
  }

  @Test func `A timeline records the stop of a released source, and neither retains the other`() throws {
    let offline = try OfflineRenderer(format: Signals.mono)
    var timeline: NotificationTimeline? = NotificationTimeline()
    weak let goneTimeline = timeline
    var source: SoundSource? = try source(frames: 500, in: offline)
    weak let goneSource = source
    if let source { timeline?.observe(source, as: "short") }
    source?.play()
    source = nil
    #expect(goneSource == nil)
    #expect(
      timeline?.entries == [
        Entry("short", .stateChanged(.playing), at: 0),
        Entry("short", .stateChanged(.stopped), at: 0),
      ]
    )
    let other = try self.source(frames: 500, in: offline)
    timeline?.observe(other, as: "other")
    timeline = nil
    #expect(goneTimeline == nil)
    // The source has no observer any more, and still plays.
    other.play()
    #expect(other.state == .playing)
  }

  @Test func `A timeline reads as a table, and an entry as a sentence`() throws {
    let timeline = NotificationTimeline()
    #expect(timeline.description == "Nothing happened.")
    var offline = try OfflineRenderer(format: Signals.mono)
    let (door, hum) = (try source(frames: 12_000, in: offline), try source(frames: 9_600, in: offline))
    hum.isLooping = true
    timeline.observe(door, as: "door")
    timeline.observe(hum, as: "a hum")
    offline.context.play([door, hum])
    _ = offline.render(frameCount: 12_800)
    #expect(
      timeline.description == """
        frame  source  what     state
            0  door    playing  playing
            0  a hum   playing  playing
         9600  a hum   looped   playing
        12000  door    stopped  stopped
        """
    )
    #expect(timeline.entries[2].description == "a hum: looped at frame 9600, playing")
    #expect(timeline.entries[3].description == "door: stopped at frame 12000")
  }

  @Test func `An entry has its label, its kind, its frame and its state`() {
    let entry = Entry("door", .looped(2), at: 300, state: .paused)
    #expect(entry.label == "door" && entry.kind == .looped(2) && entry.framePosition == 300 && entry.state == .paused)
  }

  @Test func `The state of an entry about a new state is that state`() {
    #expect(Entry("x", .stateChanged(.paused), at: 1, state: .stopped).state == .paused)
    #expect(Entry("x", .looped(2), at: 1).state == .playing)
    #expect(Entry("x", .underrun, at: 1, state: .stopped).state == .stopped)
  }
}
