// A call that programmers type first, and that is unavailable here: see SoundSource+AVAudioNames.swift.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

extension SoundBuffer {
  @available(*, unavailable, renamed: "init(reading:in:)")
  public convenience init<Reader: PCMReader & ~Copyable>(
    _ reader: consuming Reader,
    in context: AudioContext
  ) throws(AudioError) { fatalError() }
}
