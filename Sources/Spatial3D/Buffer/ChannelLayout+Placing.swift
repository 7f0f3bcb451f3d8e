extension ChannelLayout {
  /// How many channels sound from a source's place while it is always placed.
  ///
  /// The low-frequency channel goes to no place, and a B-Format is all around whatever happens.
  var placedChannelCount: Int {
    switch self {
    case .bFormat2D, .bFormat3D: 1
    case .surround51, .surround61, .surround71: channelCount - 1
    default: channelCount
    }
  }
}
