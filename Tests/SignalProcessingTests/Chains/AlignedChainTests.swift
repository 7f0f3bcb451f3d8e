import PCM
import TestSupport
import Testing

@testable import SignalProcessing

/// Chains of one latency, and what an owner reads of them during an exchange.
@Suite struct AlignedChainTests {
  private static let format = PCMFormat.stereo(sampleRate: 48_000)

  private static func aligned(_ steps: [ProcessorStep], latency: Int = 0, keyChannelCount: Int = 2) -> AlignedChain {
    AlignedChain(ProcessorChain(steps, format: format, keyChannelCount: keyChannelCount), latency: latency)
  }

  private static let limiter = ProcessorStep(.limiter(LookAheadLimiter.Settings()))

  private static let width: ProcessorStep = {
    var settings = StereoWidth.Settings()
    settings.gain = -3
    return ProcessorStep(.stereoWidth(settings))
  }()

  @Test(arguments: [400, 512, 1_024, 1_400])
  func `The sound of the alignment leaves in time, wherever a block rests`(block: Int) {
    for length in [300, 1_100, 1_500, 2_010] {
      let part = noise(2 * length) + [Float](repeating: 0, count: 40_000)
      let sound = part + part + noise(4_000, seed: 2)
      for list in [[], [Self.width], [Self.limiter]] {
        var chain = Self.aligned(list, latency: 333)
        let result = play(sound, blocks: [block]) { chain.process(&$0, keys: $1, at: $2) }
        var plain = ProcessorChain(list, format: Self.format, rests: false)
        let expected = delayed(plain.played(sound), by: 333 - plain.latency, channels: 2)
        let different = result.indices.first { result[$0] != expected[$0] }
        #expect(different == nil, "\(length)")
      }
    }
  }

  @Test func `An exchange rests when no sound is left, and no chain waits`() {
    var exchange = ChainExchange(Self.aligned([], latency: 2_000))
    _ = exchange.played(noise(2 * 512))
    let silence = [Float](repeating: 0, count: 2 * 500)
    var isRestingEarly = false
    for _ in 0..<3 {
      _ = exchange.played(silence)
      isRestingEarly = isRestingEarly || exchange.isResting
    }
    _ = exchange.played(silence)
    let isResting = exchange.isResting
    _ = exchange.exchange(to: Self.aligned([], latency: 2_000), over: 0)
    let isRestingStill = exchange.isResting
    #expect(!isRestingEarly && isResting && !isRestingStill)
  }

  @Test func `The gain change of a step that the played chain lacks is absent`() {
    var exchange = ChainExchange(Self.aligned([Self.width]))
    _ = exchange.exchange(to: Self.aligned([Self.width, Self.limiter]), over: 0)
    let changes = [0, 1, -1].map { exchange.gainChange(ofStep: StepIndex($0)) }
    #expect(changes == [0, nil, nil])
  }

  @Test func `Chains with keys of different channels do not exchange each other`() async {
    await #expect(processExitsWith: .failure) {
      let format = PCMFormat.stereo(sampleRate: 48_000)
      var exchange = ChainExchange(AlignedChain(ProcessorChain([], format: format)))
      _ = exchange.exchange(to: AlignedChain(ProcessorChain([], format: format, keyChannelCount: 1)), over: 0)
    }
  }

  @Test func `A fault of the chain that has left names its processor`() {
    // 480 frames of the warm-up and 480 of the fade: the chain leaves in the block in which it fails.
    let custom = CustomProcessor("late") { _ in FaultAfter(frame: 900) }
    var exchange = ChainExchange(Self.aligned([Self.width, ProcessorStep(.custom(custom))]))
    _ = exchange.exchange(to: Self.aligned([]), over: 0)
    _ = exchange.played([Float](repeating: 0.5, count: 2 * 2_048), blocks: [2_048])
    let (fault, again) = (exchange.takeFault(), exchange.takeFault())
    let isLeaving = exchange.takeRetired() != nil
    #expect(fault?.processor.name == "late" && again == nil && isLeaving)
  }
}

/// Fails in the block that holds a frame.
private final class FaultAfter: CustomProcessing, @unchecked Sendable {
  private let frame: Int

  init(frame: Int) { self.frame = frame }

  func process(_ samples: inout MutableSpan<Float>, at start: Int) {
    if start + samples.count / 2 > frame { samples[0] = .nan }
  }
}
