// A name that programmers type first, and that is unavailable here: see SoundSource+AVAudioNames.swift.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

extension Listener {
  @available(*, unavailable, renamed: "gain")
  public var volume: Float! {
    get { fatalError() }
    set { fatalError() }
  }
}
