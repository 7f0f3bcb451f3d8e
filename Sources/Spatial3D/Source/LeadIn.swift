/// Silence that a source plays ahead of its sound, so that the sound begins at a moment of the clock: for libraries that start
/// a source with a mix alone.
///
/// As much of the silence is played as is left until that moment. Pure, but that it keeps the silence.
struct LeadIn: Sendable {
  /// Where the silence is.
  enum Place: Sendable {
    /// The first of a queue, of the program's or of the sound alone; it goes when it has been played.
    case queue
    /// The first of what a stream has queued, which goes as the rest of it does.
    case stream
    /// In a copy of the sound, whose loop is behind it.
    case copy(of: SoundBuffer)
  }

  /// Nanoseconds of the clock at which the sound is to begin.
  let time: Int64
  /// How many frames the silence has.
  let length: Int
  /// The silence, or the copy.
  let buffer: SoundBuffer
  let place: Place

  /// Where in the silence the source is to be instead of where it is, with some frames of the mix left; `nil` where it is right
  /// or it is too late to say.
  ///
  /// The frame is `nil` of one that does not play yet; a step is how many of its frames the mixer takes for one of the mix.
  func correction(of frame: Double?, left: Int, step: Double, framesPerMix: Int) -> Double? {
    let wanted = min(max(Double(length) - Double(left) * step, 0), Double(length))
    guard let frame else { return wanted }
    // One that was held over its moment has waited enough.
    if left <= 0, Double(length) - frame > Double(framesPerMix) * step { return wanted }
    // Older libraries fade in what starts in the middle, and that has to be over before the sound begins.
    guard left >= framesPerMix, abs(frame - wanted) >= step / 2, step > 0 else { return nil }
    return wanted
  }
}
