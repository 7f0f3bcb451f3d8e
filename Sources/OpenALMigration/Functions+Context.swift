// Names of OpenAL that are unavailable here: see Types.swift.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// swift-format-ignore-file: AlwaysUseLowerCamelCase
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

@available(*, unavailable, message: "set 'context.listener.gain'")
public func alListenerf(_ parameter: Any, _ value: Any) { fatalError() }

@available(*, unavailable, message: "set the property, such as 'context.listener.position = [0, 1.7, 0]'")
public func alListener3f(_ parameter: Any, _ x: Any, _ y: Any, _ z: Any) { fatalError() }

@available(*, unavailable, message: "set the property, such as 'context.listener.orientation'")
public func alListenerfv(_ parameter: Any, _ values: UnsafeRawPointer?) { fatalError() }

@available(*, unavailable, message: "set 'context.distanceModel'")
public func alDistanceModel(_ model: Any) { fatalError() }

@available(*, unavailable, message: "set 'context.dopplerFactor'")
public func alDopplerFactor(_ value: Any) { fatalError() }

@available(*, unavailable, message: "set 'context.speedOfSound'")
public func alDopplerVelocity(_ value: Any) { fatalError() }

@available(*, unavailable, message: "set 'context.speedOfSound'")
public func alSpeedOfSound(_ value: Any) { fatalError() }

@available(*, unavailable, message: "call 'context.withDeferredUpdates { ... }'")
public func alDeferUpdatesSOFT() { fatalError() }

@available(*, unavailable, message: "call 'context.withDeferredUpdates { ... }'")
public func alProcessUpdatesSOFT() { fatalError() }

@available(*, unavailable, message: "what can fail throws an AudioError; setters never fail")
@discardableResult
public func alGetError() -> Int32 { fatalError() }

@available(*, unavailable, message: "read 'context.library' or 'context.capabilities'")
@discardableResult
public func alGetString(_ parameter: Any) -> String! { fatalError() }

@available(*, unavailable, message: "read 'context.capabilities'")
@discardableResult
public func alIsExtensionPresent(_ name: Any) -> Bool { fatalError() }

@available(*, unavailable, message: "extensions are used where the library has them: read 'context.capabilities'")
@discardableResult
public func alGetProcAddress(_ name: Any) -> UnsafeMutableRawPointer? { fatalError() }
