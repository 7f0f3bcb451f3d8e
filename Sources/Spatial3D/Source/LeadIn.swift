/// Silence that a source plays ahead of its sound, so that the sound begins at a frame of the mix: for libraries that start a
/// source with a mix alone.
///
/// As much of the silence is played as is left until that frame. Pure, but that it keeps the silence.
struct LeadIn: Sendable {
  /// The frame of the mix at which the sound is to begin.
  let frame: Int
  /// How many frames the silence has.
  let length: Int
  /// The silence, or the whole sound after it.
  let buffer: SoundBuffer
  /// Whether it is the first of a queue of the program's, from which it goes when it has been played.
  let isQueued: Bool

  /// Where in the silence the source is to be instead of where it is, at a frame of the mix; `nil` where it is right or it is
  /// too late to say.
  ///
  /// The place is `nil` for one that does not play yet; a step is how many of its frames the mixer takes for one of the mix.
  func correction(of place: Double?, at now: Int, step: Double, framesPerMix: Int) -> Double? {
    let left = frame - now
    let wanted = min(max(Double(length) - Double(left) * step, 0), Double(length))
    guard let place else { return wanted }
    // One that was held over its moment has waited enough.
    if left <= 0, Double(length) - place > Double(framesPerMix) * step { return wanted }
    // Older libraries fade in what starts in the middle, and that has to be over before the sound begins.
    guard left >= framesPerMix, abs(place - wanted) >= step / 2, step > 0 else { return nil }
    return wanted
  }
}
