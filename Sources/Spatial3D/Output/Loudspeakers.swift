internal import PCM

/// The loudspeakers of a layout that have a direction.
///
/// The low-frequency channel has none. An ambisonic layout has no loudspeakers.
struct Loudspeakers: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  static let frontLeft = Loudspeakers(rawValue: 1 << 0)
  static let frontRight = Loudspeakers(rawValue: 1 << 1)
  static let frontCentre = Loudspeakers(rawValue: 1 << 2)
  static let backLeft = Loudspeakers(rawValue: 1 << 3)
  static let backRight = Loudspeakers(rawValue: 1 << 4)
  static let backCentre = Loudspeakers(rawValue: 1 << 5)
  static let sideLeft = Loudspeakers(rawValue: 1 << 6)
  static let sideRight = Loudspeakers(rawValue: 1 << 7)

  private static let front: Loudspeakers = [.frontLeft, .frontRight]
  private static let sides: Loudspeakers = [.sideLeft, .sideRight]
  private static let back: Loudspeakers = [.backLeft, .backRight]
}

extension Loudspeakers {
  /// The loudspeakers of an output.
  init(of layout: ChannelLayout) {
    self =
      switch layout {
      case .mono: .frontCentre
      case .stereo: Self.front
      case .quad: Self.front.union(Self.back)
      case .surround51: Self.front.union(Self.sides).union(.frontCentre)
      case .surround61: Self.front.union(Self.sides).union([.frontCentre, .backCentre])
      case .surround71: Self.front.union(Self.sides).union(Self.back).union(.frontCentre)
      default: []
      }
  }

  /// The loudspeakers to which the channels of a sound go while they are direct.
  ///
  /// The library never sends a mono sound or a B-Format to loudspeakers directly.
  init(forSoundOf layout: ChannelLayout?) {
    guard let layout, layout != .mono else { self = []; return }
    self.init(of: layout)
  }
}
