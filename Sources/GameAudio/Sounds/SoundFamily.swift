internal import Glibc
internal import Spatial3D

/// A sound of several variations, or with a change of pitch or level at each play.
struct SoundFamily: Sendable {
  /// The properties by which two families differ.
  struct Key: Hashable, Sendable {
    private(set) var first: SoundEntry.Key
    /// The variations: another sound of a bank's key has the identity of the first.
    private let contents: [Int]
    let choice: Sound.Choice
    let pitch: ClosedRange<Float>
    let gain: ClosedRange<Decibels>

    init?(_ sound: Sound, _ first: SoundEntry.Key) {
      pitch = sound.pitchVariation.lowerBound.within(-48, 48)...sound.pitchVariation.upperBound.within(-48, 48)
      gain = sound.levelVariation.usable
      guard sound.variations.count > 1 || pitch != 0...0 || gain != 0...0 else { return nil }
      (self.first, choice, contents) = (first, sound.choice, sound.variations.map(\.identity))
    }

    /// The key of a family with the same choices from other samples.
    func beginning(with first: SoundEntry.Key) -> Key {
      var key = self
      key.first = first
      return key
    }
  }

  /// The values of one play.
  struct Draw: Sendable {
    let index: SoundIndex
    /// The factor of the frequency.
    let pitch: Float
    /// The factor of the amplitude.
    let gain: Float
  }

  let key: Key
  /// The indices of the entries, one for each variation.
  var members: [SoundIndex]
  var users = 1

  /// Draws the values of a play.
  func draw(after history: inout VariationHistory, using random: inout RandomSequence) -> Draw {
    let number = history.next(of: members.count, by: key.choice, using: &random)
    let pitch = random.number(in: key.pitch)
    let gain = random.number(in: key.gain.lowerBound.rawValue...key.gain.upperBound.rawValue)
    return Draw(index: members[number], pitch: pow(2, pitch / 12), gain: Decibels(gain).factor)
  }
}
