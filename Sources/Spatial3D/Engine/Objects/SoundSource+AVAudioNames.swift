// Names of AVAudioPlayerNode, AVAudioPlayer and AVAudio3DMixing, for programmers who type them first. Each is
// unavailable, and the compiler reports its replacement.
//
// Their types are optional, so that they are no witness of a game's own protocol, whose default would lose against it.
// They are implicitly unwrapped, so that they read like non-optional types. Like any member, each hides a global of its
// name in the game's extensions of the type. There are therefore few, and none with a name as common as `buffer`.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

extension SoundSource {
  @available(*, unavailable, renamed: "gain")
  public var volume: Gain! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, renamed: "pitch")
  public var rate: Float! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, message: "set 'isListenerRelative', and 'position' to the left or right")
  public var pan: Float! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, renamed: "spatialization")
  public var sourceMode: Spatialization! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, message: "ask for an HRTF with 'OutputSettings(hrtf:)'")
  public var renderingAlgorithm: OutputSettings.HRTF! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, message: "compare: 'state == .playing'")
  public var isPlaying: Bool! { fatalError() }

  @available(*, unavailable, renamed: "playbackTime")
  public var currentTime: Duration! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, message: "set 'isLooping'")
  public var numberOfLoops: Int! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, renamed: "attenuation.referenceDistance")
  public var referenceDistance: Float! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, renamed: "attenuation.maximumDistance")
  public var maximumDistance: Float! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, renamed: "attenuation.rolloffFactor")
  public var rolloffFactor: Float! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, message: "call 'stop(fadingOut:)' or 'pause(fadingOut:)'")
  @discardableResult
  public func fadeOut(_ duration: Any? = nil) -> Void? { fatalError() }

  @available(*, unavailable, message: "call 'stop(fadingOut:)' or 'pause(fadingOut:)'")
  @discardableResult
  public func fadeOut(duration: Any) -> Void? { fatalError() }

  @available(*, unavailable, message: "call 'queue([buffer, ...])'")
  @discardableResult
  public func scheduleBuffer(_ buffer: Any) -> Void? { fatalError() }

  @available(*, unavailable, message: "create the source with 'SoundSource(streaming:in:)'")
  @discardableResult
  public func scheduleFile(_ file: Any, at when: Any?) -> Void? { fatalError() }
}
