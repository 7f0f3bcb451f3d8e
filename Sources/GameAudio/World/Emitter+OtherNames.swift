// Names of AVAudioPlayerNode, AVAudioMixing, FMOD and Unity, for programmers who type them first. Each is unavailable,
// and the compiler reports its replacement.
//
// Their types are optional, so that they are no witness of a game's own protocol, whose default would lose against it.
// They are implicitly unwrapped, so that they read like non-optional types.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Spatial3D

extension Emitter {
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

  @available(*, unavailable, renamed: "playbackTime")
  public var currentTime: Duration! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, message: "set 'repeats', to '.forever' for a loop without an end")
  public var isLooping: Bool! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, message: "set 'repeats', to '.forever' for a loop without an end")
  public var numberOfLoops: Int! {
    get { fatalError() }
    set { fatalError() }
  }
}

extension Bus {
  @available(*, unavailable, renamed: "gain")
  public var volume: Gain! {
    get { fatalError() }
    nonmutating set { fatalError() }
  }

  @available(*, unavailable, renamed: "gain")
  public var outputVolume: Gain! {
    get { fatalError() }
    nonmutating set { fatalError() }
  }
}

extension AudioWorld {
  @available(*, unavailable, message: "nothing has to be called in each frame: the world follows the clock of the mix")
  public func update() { fatalError() }
}
