internal import PCM
internal import Synchronization

/// The data for a diagnostic about a sound of several channels, which is only placed on a source's request.
final class MultichannelWarning: Sendable {
  let name: String?
  let format: PCMFormat
  let duration: Duration
  private let wasReported = Atomic(false)

  /// `nil` for a mono sound, which is placed, and for a B-Format, which is all around.
  init?(name: String?, format: PCMFormat, frameCount: Int) {
    guard format.layout.placedChannelCount > 1 else { return nil }
    self.name = name
    self.format = format
    duration = format.duration(ofFrames: frameCount)
  }

  /// Whether to report that a source of the sound has a position without effect: true once.
  func takeFirstReport() -> Bool { !wasReported.exchange(true, ordering: .relaxed) }
}

extension ChannelLayout {
  /// The number of channels that sound from a source's position while it is always placed.
  ///
  /// The low-frequency channel has no position, and a B-Format is always all around the listener.
  var placedChannelCount: Int {
    switch self {
    case .bFormat2D, .bFormat3D: 1
    case .surround51, .surround61, .surround71: channelCount - 1
    default: channelCount
    }
  }
}
