import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

@Suite(.hangLimit) struct MixStageTests {
  /// A stage that adds the number of the frame to each sample.
  private final class FrameNumbers: MixStage {
    let pieces = Lock<[Range<Int>]>([])
    private let end = Lock((isEnding: false, hasEnded: false))

    var isEnding: Bool { end.withLock { $0.isEnding } }
    var hasEnded: Bool { end.withLock { $0.hasEnded } }

    func end(isOver: Bool) { end.withLock { $0 = (true, isOver) } }

    func process(_ samples: inout MutableSpan<Float>, at frame: Int) {
      let count = samples.count / 2
      pieces.withLock { $0.append(frame..<frame + count) }
      for index in samples.indices { samples[index] += Float(frame + index / 2) }
    }
  }

  private static func renderer() throws -> OfflineRenderer { try OfflineRenderer(format: Scenes.stereo) }

  @Test func `A stage changes each frame of an offline mix once`() throws {
    var renderer = try Self.renderer()
    var other = try Self.renderer()
    let stage = FrameNumbers()
    #expect(renderer.context.device.addMixStage(stage))
    let noise = TestSignal.noise(duration: .seconds(1), format: Scenes.mono)
    let sources = try [renderer.context, other.context].map { context in
      let source = try SoundSource(playing: SoundBuffer(noise, in: context), in: context)
      source.play()
      return source
    }
    // Ticks and notifications end pieces.
    let tokens: [NotificationToken] = [
      renderer.context.onTick(every: 700) { _ in }, sources[0].observe(.all) { _ in },
      other.context.onTick(every: 700) { _ in }, sources[1].observe(.all) { _ in },
    ]
    var frame = 0
    for count in [1, 512, 3, 4_096, 0, 1_000] {
      let (mix, plain) = (renderer.render(frameCount: count), other.render(frameCount: count))
      let expected = plain.samples.enumerated().map { $0.element + Float(frame + $0.offset / 2) }
      #expect(mix.samples == expected)
      frame += count
    }
    let pieces = stage.pieces.withLock { $0 }
    #expect(pieces.first?.lowerBound == 0 && pieces.last?.upperBound == frame)
    for (piece, next) in zip(pieces, pieces.dropFirst()) { #expect(piece.upperBound == next.lowerBound) }
    #expect(pieces.allSatisfy { !$0.isEmpty })
    withExtendedLifetime(tokens) {}
  }

  @Test func `A buffer that is rendered into again has only its new frames changed`() throws {
    var renderer = try Self.renderer()
    #expect(renderer.context.device.addMixStage(FrameNumbers()))
    var mix = PCMBuffer<Float>(format: Scenes.stereo)
    renderer.render(into: &mix, frameCount: 600)
    renderer.render(into: &mix, frameCount: 600)
    let numbers = (0..<1_200).map { Float(600 + $0 / 2) }
    #expect(mix.samples == numbers)
  }

  @Test func `The oldest stage of a device processes its mix`() throws {
    var renderer = try Self.renderer()
    let (stage, other) = (FrameNumbers(), FrameNumbers())
    let device = renderer.context.device
    #expect(device.addMixStage(stage) && device.hasOnly(stage))
    #expect(device.addMixStage(other) && device.isProcessed(by: stage) && !device.hasOnly(stage))
    renderer.render(frameCount: 512)
    device.removeMixStage(stage)
    #expect(device.isProcessed(by: other))
    renderer.render(frameCount: 512)
    #expect(stage.pieces.withLock { $0 } == [0..<512] && other.pieces.withLock { $0 } == [512..<1_024])
    device.removeMixStage(other)
    #expect(renderer.render(frameCount: 512).samples.allSatisfy { $0 == 0 })
  }

  @Test func `A stage that is ending gives way, and a stage that has ended is removed`() throws {
    var renderer = try Self.renderer()
    let stages = (0..<3).map { _ in FrameNumbers() }
    let device = renderer.context.device
    #expect(device.addMixStage(stages[0]))
    stages[0].end(isOver: false)
    renderer.render(frameCount: 512)
    #expect(device.isProcessed(by: stages[0]))
    #expect(device.addMixStage(stages[1]) && device.hasOnly(stages[1]))
    stages[1].end(isOver: true)
    renderer.render(frameCount: 1)
    #expect(!device.isProcessed(by: stages[1]))
    #expect(device.addMixStage(stages[2]) && device.hasOnly(stages[2]))
  }

  @Test func `A stage stands still while its renderer is suspended`() throws {
    var renderer = try Self.renderer()
    let stage = FrameNumbers()
    #expect(renderer.context.device.addMixStage(stage))
    renderer.context.suspend()
    #expect(renderer.render(frameCount: 512).samples.allSatisfy { $0 == 0 })
    renderer.context.resume()
    renderer.render(frameCount: 512)
    #expect(stage.pieces.withLock { $0.map(\.count) } == [512])
  }

  @Test func `A device that does not return its mix has no stage`() throws {
    for device in try [AudioDevice.silent, AudioDevice(named: nil)] {
      #expect(!device.addMixStage(FrameNumbers()))
    }
  }
}
