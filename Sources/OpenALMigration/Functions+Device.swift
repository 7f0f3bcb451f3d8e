// Names of OpenAL that are unavailable here: see Types.swift.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// swift-format-ignore-file: AlwaysUseLowerCamelCase
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Spatial3D

@available(*, unavailable, renamed: "AudioDevice.init(named:)")
@discardableResult
public func alcOpenDevice(_ name: Any?) -> AudioDevice! { fatalError() }

@available(*, unavailable, message: "dropping the last reference to an AudioDevice closes it")
@discardableResult
public func alcCloseDevice(_ device: Any?) -> Bool { fatalError() }

@available(*, unavailable, message: "create one with 'AudioContext(device:settings:)'")
@discardableResult
public func alcCreateContext(_ device: Any?, _ attributes: UnsafeRawPointer?) -> AudioContext! { fatalError() }

@available(*, unavailable, message: "dropping the last reference to an AudioContext frees it")
public func alcDestroyContext(_ context: Any?) { fatalError() }

@available(*, unavailable, message: "there is no current context: sources and buffers know theirs")
@discardableResult
public func alcMakeContextCurrent(_ context: Any?) -> Bool { fatalError() }

@available(*, unavailable, message: "there is no current context: keep the AudioContext")
@discardableResult
public func alcGetCurrentContext() -> AudioContext! { fatalError() }

@available(*, unavailable, message: "call 'context.withDeferredUpdates { ... }'")
public func alcSuspendContext(_ context: Any?) { fatalError() }

@available(*, unavailable, message: "call 'context.withDeferredUpdates { ... }'")
public func alcProcessContext(_ context: Any?) { fatalError() }

@available(*, unavailable, message: "call 'context.suspend()'")
public func alcDevicePauseSOFT(_ device: Any?) { fatalError() }

@available(*, unavailable, message: "call 'context.resume()'")
public func alcDeviceResumeSOFT(_ device: Any?) { fatalError() }

@available(*, unavailable, message: "what can fail throws an AudioError; setters never fail")
@discardableResult
public func alcGetError(_ device: Any?) -> Int32 { fatalError() }

@available(*, unavailable, message: "read 'AudioDevice.outputNames' or 'device.name'")
@discardableResult
public func alcGetString(_ device: Any?, _ parameter: Any) -> String! { fatalError() }

@available(*, unavailable, message: "read the property, such as 'context.output' or 'context.sampleRate'")
public func alcGetIntegerv(
  _ device: Any?,
  _ parameter: Any,
  _ count: Any,
  _ values: UnsafeMutableRawPointer?
) { fatalError() }

@available(*, unavailable, message: "read 'context.capabilities'")
@discardableResult
public func alcIsExtensionPresent(_ device: Any?, _ name: Any) -> Bool { fatalError() }

@available(*, unavailable, message: "extensions are used where the library has them: read 'context.capabilities'")
@discardableResult
public func alcGetProcAddress(_ device: Any?, _ name: Any) -> UnsafeMutableRawPointer? { fatalError() }

@available(*, unavailable, message: "create an 'OfflineRenderer(format:)'")
@discardableResult
public func alcLoopbackOpenDeviceSOFT(_ name: Any?) -> AudioDevice! { fatalError() }

@available(*, unavailable, message: "call 'render(_:)' of an OfflineRenderer")
public func alcRenderSamplesSOFT(_ device: Any?, _ samples: UnsafeMutableRawPointer?, _ count: Any) { fatalError() }

@available(*, unavailable, message: "create an 'AudioCapture'")
@discardableResult
public func alcCaptureOpenDevice(
  _ name: Any?,
  _ frequency: Any,
  _ format: Any,
  _ size: Any
) -> AudioDevice! { fatalError() }

@available(*, unavailable, message: "dropping an AudioCapture closes it")
@discardableResult
public func alcCaptureCloseDevice(_ device: Any?) -> Bool { fatalError() }

@available(*, unavailable, message: "call 'start()' of an AudioCapture")
public func alcCaptureStart(_ device: Any?) { fatalError() }

@available(*, unavailable, message: "call 'stop()' of an AudioCapture")
public func alcCaptureStop(_ device: Any?) { fatalError() }

@available(*, unavailable, message: "call 'read(into:)' of an AudioCapture")
public func alcCaptureSamples(_ device: Any?, _ samples: UnsafeMutableRawPointer?, _ count: Any) { fatalError() }
