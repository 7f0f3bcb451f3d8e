import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

@Suite struct LoopNotificationTests {
  struct Case: CustomStringConvertible, Sendable {
    var lengths: [Int]
    var range: Range<Int>?
    var pitch: Float = 1
    var rate = 48_000
    /// Whether the sound is a queue.
    var isQueue: Bool { range == nil }

    var description: String { "\(lengths) \(range.map { "\($0)" } ?? "queue") pitch \(pitch) rate \(rate)" }

    static let all: [Case] = {
      var all: [Case] = []
      for pitch in [1, 0.25, 0.37, 1.5, 2, 7.3] as [Float] {
        for rate in [48_000, 44_100] {
          for length in [1, 2, 3, 50, 1_023, 1_024, 1_025, 5_000] {
            all.append(Case(lengths: [length], range: 0..<length, pitch: pitch, rate: rate))
            all.append(Case(lengths: [length], pitch: pitch, rate: rate))
          }
          all.append(Case(lengths: [3_000], range: 1_000..<1_100, pitch: pitch, rate: rate))
          all.append(Case(lengths: [3_000], range: 2_500..<3_000, pitch: pitch, rate: rate))
          all.append(Case(lengths: [50, 60, 70], pitch: pitch, rate: rate))
          all.append(Case(lengths: [1, 1_500, 3], pitch: pitch, rate: rate))
        }
      }
      return all
    }()

    func source(in context: AudioContext) throws -> SoundSource {
      let format = PCMFormat.mono(sampleRate: rate)
      let buffers = try lengths.map { length in
        let samples = [Int16](repeating: 0, count: length)
        return try SoundBuffer(PCMBuffer(samples: samples, format: format), loopRange: range, in: context)
      }
      let source = try range == nil ? SoundSource(in: context) : SoundSource(playing: buffers[0], in: context)
      if range == nil { try source.queue(buffers) }
      source.isLooping = true
      source.pitch = pitch
      return source
    }

    /// How often the mix passes the end of the loop within a number of frames.
    func loops(in frames: Int, at pitch: Double) -> Double {
      let total = lengths.reduce(0, +)
      let loop = range ?? 0..<total
      let way = Double(frames) * pitch * Double(rate) / 48_000
      return (way - Double(loop.upperBound)) / Double(loop.count) + 1
    }
  }

  @Test(arguments: Case.all) func `Loops are counted exactly, however short and at any pitch`(_ example: Case) throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try example.source(in: offline.context)
    let log = NotificationLog()
    let token = source.record(in: log, of: .loop)
    source.play()
    for frames in [1, 700, 3_000, 1_024, 2_048, 5_000] { _ = offline.render(frameCount: frames) }
    // The library rounds the pitch to 1 / 4,096 or finer.
    let step = Double(example.pitch) * Double(example.rate) / 48_000
    let slack = 11_773 / 4_096 / Double(example.range?.count ?? example.lengths.reduce(0, +)) + 0.02
    let expected = example.loops(in: 11_773, at: Double(example.pitch))
    let isSame = (step * 4_096).rounded() == step * 4_096
    #expect(Double(log.loops) <= expected + (isSame ? 0 : slack))
    #expect(Double(log.loops) > expected - 1 - (isSame ? 0 : slack))
    // The count also matches the source's position.
    let total = example.lengths.reduce(0, +)
    let loop = example.range ?? 0..<total
    let position = Double(source.playbackFrame)
    let way = position + Double(log.loops * loop.count)
    #expect(abs(way - 11_773 * step) < 2 + 11_773 / 4_096)
    withExtendedLifetime(token) {}
  }

  @Test func `Loops are counted over pauses, seeks and changes of pitch`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let example = Case(lengths: [1_000], range: 200..<700)
    let source = try example.source(in: offline.context)
    let log = NotificationLog()
    let token = source.record(in: log, of: .loop)
    source.play()
    var random = SplitMix64(seed: 3)
    var position = 0.0
    var expected = 0
    var pitch = 1.0
    for step in 0..<200 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        source.pause()
        _ = offline.render(frameCount: 1_024)
        source.play()
        // Some versions fade out, and consume some of the sound.
        position = Double(source.playbackFrame)
        expected = log.loops
      case 1:
        position = Double(Int.random(in: 0..<650, using: &random))
        source.playbackFrame = Int(position)
      case 2:
        pitch = [0.5, 1, 2, 3][Int.random(in: 0..<4, using: &random)]
        source.pitch = Float(pitch)
      default: break
      }
      let frames = 1 + Int.random(in: 0..<3_000, using: &random)
      _ = offline.render(frameCount: frames)
      position += Double(frames) * pitch
      while position >= 700 {
        position -= 500
        expected += 1
      }
      #expect(log.loops == expected, "step \(step)")
      #expect(abs(Double(source.playbackFrame) - position) < 1, "step \(step)")
      expected = log.loops
    }
    withExtendedLifetime(token) {}
  }

  /// The properties that the Doppler effect depends on.
  struct Motion: CustomStringConvertible, Sendable {
    var velocity: SIMD3<Float> = .zero
    var listener = Listener()
    var isListenerRelative = false
    var spatialization = Spatialization.automatic
    var isStereo = false

    var description: String {
      "\(velocity), \(listener.velocity) \(isListenerRelative) \(spatialization) stereo \(isStereo)"
    }

    static let all: [Motion] = {
      var all: [Motion] = []
      let velocities: [SIMD3<Float>] = [.zero, [0, 0, 170], [60, 0, -80]]
      let orientation = Orientation(forward: [1, 0, 0.5], up: [0, 1, 0.2])
      for (velocity, ofListener) in velocities.flatMap({ one in velocities.map { (one, $0) } }) {
        let listener = Listener(position: [1, 2, 3], velocity: ofListener, orientation: orientation)
        for isListenerRelative in [false, true] {
          for spatialization in Spatialization.allCases {
            for isStereo in [false, true] {
              all.append(
                Motion(
                  velocity: velocity,
                  listener: listener,
                  isListenerRelative: isListenerRelative,
                  spatialization: spatialization,
                  isStereo: isStereo
                )
              )
            }
          }
        }
      }
      return all
    }()

    func apply(to source: SoundSource) {
      source.context.listener = listener
      source.position = [0, 0, -5]
      source.velocity = velocity
      source.isListenerRelative = isListenerRelative
      source.spatialization = spatialization
    }
  }

  @Test(arguments: Motion.all) func `Loops are counted at the pitch of the Doppler effect`(_ motion: Motion) throws {
    let format = motion.isStereo ? Scenes.stereo : Scenes.mono
    var offline = try OfflineRenderer(format: Scenes.stereo)
    let context = offline.context
    context.onDiagnostic = { _ in }
    func source(frames: Int) throws -> SoundSource {
      let samples = [Int16](repeating: 0, count: frames * format.channelCount)
      let source = try SoundSource(
        playing: SoundBuffer(PCMBuffer(samples: samples, format: format), in: context),
        in: context
      )
      motion.apply(to: source)
      return source
    }
    // The second source does not loop, and its position is the distance that the first one played.
    let (source, straight) = try (source(frames: 100), source(frames: 100_000))
    source.isLooping = true
    let log = NotificationLog()
    let token = source.record(in: log, of: .loop)
    context.play([source, straight])
    _ = offline.render(frameCount: 10_000)
    #expect(log.loops * 100 + source.playbackFrame == straight.playbackFrame)
    withExtendedLifetime(token) {}
  }

  @Test func `Only a change that moves the next loop resets the time of the next poll`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let source = try Case(lengths: [1_500], range: 500..<1_500).source(in: context)
    source.play()
    /// Whether a change resets the time of the next poll.
    func resetsPoll(_ change: () -> Void) -> Bool { context.inspector.recomputesNextLoop(after: change) }
    let states = source.record(in: NotificationLog(), of: .state)
    #expect(!resetsPoll { source.pitch = 2 })
    let loops = source.record(in: NotificationLog(), of: .loop)
    #expect(!resetsPoll { source.pitch = 2 })
    #expect(resetsPoll { source.pitch = 3 })
    #expect(!resetsPoll { source.gain = 0.5 })
    // Without a velocity, the position does not change the speed.
    #expect(!resetsPoll { source.position = [0, 0, -3] })
    #expect(resetsPoll { source.velocity = [0, 0, 30] })
    #expect(!resetsPoll { source.position = [0, 0, -4] })
    #expect(resetsPoll { source.position = [0, 1, -4] })
    #expect(resetsPoll { source.isLooping = false })
    #expect(!resetsPoll { source.pitch = 1 })
    withExtendedLifetime((states, loops)) {}
  }

  @Test func `The next poll comes for the shortest of the observed loops`() throws {
    let context = try AudioContext(device: .silent)
    let sources = try [4_800, 2_880_000].map {
      try SoundSource(playing: Scenes.silence(frames: $0, in: context), in: context)
    }
    let tokens = sources.map { source in
      source.isLooping = true
      return source.record(in: NotificationLog(), of: .loop)
    }
    context.play(sources)
    #expect(try #require(context.inspector.timeUntilNextLoop) <= .milliseconds(101))
    withExtendedLifetime((sources, tokens)) {}
  }

  @Test func `A loop is reported at the frame where it begins`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try Case(lengths: [1_500], range: 500..<1_500).source(in: offline.context)
    let log = NotificationLog()
    let token = source.record(in: log, of: .loop)
    source.play()
    _ = offline.render(frameCount: 5_000)
    #expect(log.kinds == [.looped(1), .looped(1), .looped(1), .looped(1)])
    #expect(log.all.map(\.framePosition) == [1_500, 2_500, 3_500, 4_500])
    #expect(log.all.allSatisfy { $0.state == .playing && $0.cause == .mix })
    source.isLooping = false
    _ = offline.render(frameCount: 5_000)
    #expect(log.count == 4)
    withExtendedLifetime(token) {}
  }
}
