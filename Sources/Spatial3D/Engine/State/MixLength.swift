/// The number of frames that a real output mixes at once.
struct MixLength: Sendable {
  /// The length at a rate of the mix; `nil` until it is first read.
  private var known: (rate: Int, frames: Int)?

  /// The length at the present rate of the mix.
  mutating func frames(by handle: ContextHandle) -> Int {
    let rate = handle.sampleRate
    if let (known, frames) = known, known == rate { return frames }
    let frames = rate / (handle.refreshRate ?? 50)
    known = (rate, frames)
    return frames
  }

  /// Forgets the length, because the output is another.
  mutating func forget() { known = nil }
}
