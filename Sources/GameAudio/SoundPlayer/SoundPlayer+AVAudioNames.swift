// Names of AVAudioPlayer and AVAudioMixing, for programmers who type them first. Each is unavailable, and the compiler
// reports its replacement.
//
// Their types are optional, so that they are no witness of a game's own protocol, whose default would lose against it.
// They are implicitly unwrapped, so that they read like non-optional types.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Spatial3D

extension SoundPlayer {
  @available(*, unavailable, renamed: "volume")
  public var gain: Gain! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, renamed: "pitch")
  public var rate: Float! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, renamed: "playbackTime")
  public var currentTime: Duration! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, message: "set 'repeats', to '.forever' for a loop without an end")
  public var numberOfLoops: Int! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, message: "set 'repeats', to '.forever' for a loop without an end")
  public var isLooping: Bool! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, message: "set 'pitch': each player follows it")
  public var enableRate: Bool! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, message: "observe the player: 'observe { event in }' or 'for await event in events()'")
  public var delegate: AnyObject! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, message: "call 'fade(to: 0.5, Fade(.seconds(1)))'")
  @discardableResult
  public func setVolume(_ volume: Any, fadeDuration: Any) -> Void? { fatalError() }

  @available(*, unavailable, message: "call 'play(at:)' with a moment of 'AudioContext.clock'")
  @discardableResult
  public func play(atTime time: Any) -> Void? { fatalError() }
}
