/// The properties of the output that a context depends on.
struct OutputState: Sendable {
  /// The loudspeakers, which decide where direct channels go.
  var loudspeakers: Loudspeakers = []
  /// How many frames a real output mixes at once at a rate of the mix; `nil` until it is first read.
  private var mixLength: (rate: Int, frames: Int)?

  /// How many frames a real output mixes at once.
  mutating func framesPerMix(by handle: ContextHandle) -> Int {
    let rate = handle.sampleRate
    if let (known, frames) = mixLength, known == rate { return frames }
    let frames = rate / (handle.refreshRate ?? 50)
    mixLength = (rate, frames)
    return frames
  }

  /// Forgets the length of a mix, because the output is another.
  mutating func forgetMixLength() { mixLength = nil }
}
