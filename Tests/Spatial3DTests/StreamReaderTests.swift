import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Streams from readers without a length, or without a second lap.
@Suite struct StreamReaderTests {
  /// A reader without a length, which delivers noise at every frame.
  private struct EndlessReader: PCMReader, Sendable {
    let format = Scenes.mono
    let frameCount: Int? = nil

    mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) -> Int {
      buffer.removeAll(adopting: format)
      buffer.append(frames: maxFrames) { room in for index in 0..<maxFrames { room.append(Float(index % 7) / 10) } }
      return maxFrames
    }

    mutating func seek(toFrame frame: Int) {}
  }

  @Test func `A seek beyond every length neither traps nor ends a stream without a length`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try SoundSource(streaming: EndlessReader(), in: offline.context)
    source.play()
    for seek in 0..<4 {
      switch seek {
      case 0: source.playbackFrame = .max
      case 1: source.playbackTime = .seconds(Int64.max)
      case 2: source.playbackFrame = .min
      default: source.playbackTime = .seconds(Int64.min)
      }
      let mix = offline.render(frameCount: 4_800)
      #expect(mix.samples.contains { $0 != 0 })
      #expect(source.state == .playing)
      #expect((0...Ranges.lastStreamFrame + 4_800).contains(source.playbackFrame))
    }
  }

  /// A reader that has no frames after it was moved back to its beginning.
  private struct OneLapReader: PCMReader, Sendable {
    let format = Scenes.mono
    let frameCount: Int? = nil
    private var left = 6_000

    mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) -> Int {
      buffer.removeAll(adopting: format)
      let count = min(left, maxFrames)
      buffer.append(frames: count) { room in for _ in 0..<count { room.append(0.5) } }
      left -= count
      return count
    }

    mutating func seek(toFrame frame: Int) { if left < 6_000 { left = 0 } }
  }

  @Test(.hangLimit) func `A looping stream ends after a lap in which its reader has no frame`() throws {
    for seek in [0, 2_400] {
      var offline = try OfflineRenderer(format: Scenes.mono)
      let source = try SoundSource(streaming: OneLapReader(), in: offline.context)
      source.isLooping = true
      if seek > 0 { source.playbackFrame = seek }
      source.play()
      let mix = offline.render(frameCount: 10_000)
      #expect(source.state == .stopped)
      let frames = seek > 0 ? 0 : 6_000
      #expect(mix.samples[..<frames].allSatisfy { $0 > 0.49 })
      // A sound that ends may fade out.
      #expect(mix.samples[(frames + 1_024)...].allSatisfy { $0 == 0 })
    }
  }
}
