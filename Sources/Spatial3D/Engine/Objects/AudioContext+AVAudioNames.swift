// Names of AVAudioEngine and AVAudioEnvironmentNode that are unavailable here: see SoundSource+AVAudioNames.swift.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

extension AudioContext {
  @available(*, unavailable, renamed: "listener.position")
  public var listenerPosition: SIMD3<Float>! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, renamed: "listener.orientation")
  public var listenerVectorOrientation: Orientation! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, renamed: "listener.orientation")
  public var listenerAngularOrientation: Orientation! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, renamed: "listener.gain")
  public var outputVolume: Float! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, renamed: "listener.gain")
  public var masterVolume: Float! {
    get { fatalError() }
    set { fatalError() }
  }

  @available(*, unavailable, message: "set 'reverb = Reverb(.cathedral)'; 'nil' is off")
  public var reverbParameters: Any! { fatalError() }

  @available(*, unavailable, message: "set 'attenuation' of each source, and 'distanceModel' of the context")
  public var distanceAttenuationParameters: DistanceAttenuation! { fatalError() }

  @available(*, unavailable, message: "a context plays from its creation; 'resume()' is for one that was suspended")
  @discardableResult
  public func start() -> Void? { fatalError() }
}
