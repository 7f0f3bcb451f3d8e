/// The gains that mix the channels of one layout into another layout.
struct ChannelMix: Hashable, Sendable {
  /// For each channel of the result, its gain from each channel of the source.
  let gains: [[Float]]

  let sourceCount: Int

  /// The gains from one layout to another; `nil` if the positions of the channels are unknown.
  init?(from source: ChannelLayout, to target: ChannelLayout) {
    sourceCount = source.channelCount
    if source.channelCount == target.channelCount {
      gains = (0..<target.channelCount).map { row in (0..<source.channelCount).map { $0 == row ? 1 : 0 } }
    } else if source.channelCount == 1 {
      // A mono sound is audible in front: from the centre if there is one, else from both sides of it.
      let speakers = Speaker.list(of: target) ?? [Speaker](repeating: .any, count: target.channelCount)
      let fronts: [Speaker] = speakers.contains(.centre) ? [.centre] : [.left, .right]
      gains = speakers.map { [fronts.contains($0) || $0 == .any ? 1 : 0] }
    } else if let speakers = Speaker.list(of: source), let targets = Speaker.list(of: target) {
      gains = ChannelMix.gains(from: speakers, to: targets)
    } else if target.channelCount == 1 {
      gains = [[Float](repeating: 1 / Float(source.channelCount), count: source.channelCount)]
    } else {
      return nil
    }
  }

  private static func gains(from source: [Speaker], to target: [Speaker]) -> [[Float]] {
    var gains = target.map { _ in [Float](repeating: 0, count: source.count) }
    for (column, speaker) in source.enumerated() {
      for (place, gain) in speaker.places(in: target) {
        if let row = target.firstIndex(of: place) { gains[row][column] = gain }
      }
    }
    // The largest sum scales all channels, so that their balance stays.
    let loudest = gains.map { $0.reduce(0, +) }.max() ?? 0
    return loudest > 1 ? gains.map { row in row.map { $0 / loudest } } : gains
  }

  /// Appends the mix of whole frames.
  func append(_ samples: Span<Float>, to output: inout OutputSpan<Float>) {
    var start = 0
    while start < samples.count {
      for row in gains {
        var sum: Float = 0
        for (column, gain) in row.enumerated() where gain != 0 { sum += gain * samples[start + column] }
        output.append(sum)
      }
      start += sourceCount
    }
  }
}

/// The position of a channel around the listener.
private enum Speaker {
  case left, right, centre, lowFrequency, backLeft, backRight, backCentre, sideLeft, sideRight
  /// A channel without a position.
  case any

  /// The positions of a layout's channels; `nil` if they are unknown.
  static func list(of layout: ChannelLayout) -> [Speaker]? {
    switch layout {
    case .mono: [.centre]
    case .stereo: [.left, .right]
    case .quad: [.left, .right, .backLeft, .backRight]
    case .surround51: [.left, .right, .centre, .lowFrequency, .sideLeft, .sideRight]
    case .surround61: [.left, .right, .centre, .lowFrequency, .backCentre, .sideLeft, .sideRight]
    case .surround71: [.left, .right, .centre, .lowFrequency, .backLeft, .backRight, .sideLeft, .sideRight]
    default: nil
    }
  }

  /// The target positions of a channel in a layout, and their gains.
  func places(in target: [Speaker]) -> [(Speaker, Float)] {
    if target.contains(self) { return [(self, 1)] }
    let half = Float(0.5).squareRoot()
    let alternatives: [[(Speaker, Float)]] =
      switch self {
      case .left, .right: [[(.centre, half)]]
      case .centre: [[(.left, half), (.right, half)]]
      case .lowFrequency, .any: []
      case .backLeft: [[(.sideLeft, 1)], [(.left, half)], [(.centre, 0.5)]]
      case .backRight: [[(.sideRight, 1)], [(.right, half)], [(.centre, 0.5)]]
      case .sideLeft: [[(.backLeft, 1)], [(.left, half)], [(.centre, 0.5)]]
      case .sideRight: [[(.backRight, 1)], [(.right, half)], [(.centre, 0.5)]]
      case .backCentre:
        [
          [(.backLeft, half), (.backRight, half)], [(.sideLeft, half), (.sideRight, half)],
          [(.left, 0.5), (.right, 0.5)],
          [(.centre, 0.5)],
        ]
      }
    return alternatives.first { $0.allSatisfy { target.contains($0.0) } } ?? []
  }
}
