import AudioSupport
import TestSupport
import Testing

@testable import Spatial3D

/// A stage that keeps the mix of a processed device as it is.
final class MixProbe: MixStage {
  struct Content: Sendable {
    /// The samples that the output plays, and the samples without an output.
    var (played, discarded): ([Float], [Float]) = ([], [])
    /// All samples.
    var samples: [Float] = []
    /// The frame behind the last piece, and whether each piece has followed the piece before it.
    var (next, isConsecutive) = (0, true)
  }

  private let content = Lock(Content())
  private let mixer: OutputDrivenMixer

  /// A probe of a device; it begins with the next piece.
  init(_ device: AudioDevice) throws {
    mixer = try #require(device.outputMixer)
    #expect(device.addMixStage(self))
  }

  var isEnding: Bool { false }
  var hasEnded: Bool { false }
  var format: PCMFormat { mixer.format }
  var samples: [Float] { content.withLock { $0.samples } }
  var played: [Float] { content.withLock { $0.played } }
  var frameCount: Int { content.withLock { $0.samples.count } / format.channelCount }
  var playedFrames: Int { content.withLock { $0.played.count } / format.channelCount }
  var discardedFrames: Int { content.withLock { $0.discarded.count } / format.channelCount }
  var isConsecutive: Bool { content.withLock { $0.isConsecutive } }

  func process(_ samples: inout MutableSpan<Float>, at frame: Int) {
    let (piece, isPlayed) = (samples.indices.map { samples[$0] }, mixer.isPlayingOnOutput)
    let count = piece.count / format.channelCount
    content.withLock { content in
      content.samples += piece
      if isPlayed { content.played += piece } else { content.discarded += piece }
      if content.next != frame, content.next > 0 { content.isConsecutive = false }
      content.next = frame + count
    }
  }
}
