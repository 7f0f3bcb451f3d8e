// Names of OpenAL that are unavailable here: see Types.swift.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// swift-format-ignore-file: AlwaysUseLowerCamelCase

@available(*, unavailable, message: "set 'context.reverb'")
@discardableResult
public func alcASASetListener(_ property: Any, _ data: UnsafeRawPointer?, _ size: Any) -> Int32 { fatalError() }

@available(*, unavailable, message: "read 'context.reverb'")
@discardableResult
public func alcASAGetListener(
  _ property: Any,
  _ data: UnsafeMutableRawPointer?,
  _ size: UnsafeMutableRawPointer?
) -> Int32 { fatalError() }

@available(*, unavailable, message: "set the property, such as 'source.occlusion = -18'")
@discardableResult
public func alcASASetSource(
  _ property: Any,
  _ source: Any,
  _ data: UnsafeRawPointer?,
  _ size: Any
) -> Int32 { fatalError() }

@available(*, unavailable, message: "read the property, such as 'source.occlusion'")
@discardableResult
public func alcASAGetSource(
  _ property: Any,
  _ source: Any,
  _ data: UnsafeMutableRawPointer?,
  _ size: UnsafeMutableRawPointer?
) -> Int32 { fatalError() }

@available(*, unavailable, message: "call 'source.observe(_:_:)', or iterate over 'source.events(_:)'")
@discardableResult
public func alSourceAddNotification(
  _ source: Any,
  _ notification: Any,
  _ call: Any,
  _ userData: UnsafeMutableRawPointer?
) -> Int32 { fatalError() }

@available(*, unavailable, message: "cancel the token that 'source.observe(_:_:)' returned")
public func alSourceRemoveNotification(
  _ source: Any,
  _ notification: Any,
  _ call: Any,
  _ userData: UnsafeMutableRawPointer?
) { fatalError() }

@available(*, unavailable, message: "ask for an HRTF with 'OutputSettings(hrtf:)'")
public func alSourceRenderingQuality(_ source: Any, _ value: Any) { fatalError() }
