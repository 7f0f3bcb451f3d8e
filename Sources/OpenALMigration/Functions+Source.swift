// Names of OpenAL that are unavailable here: see Types.swift.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Spatial3D

@available(*, unavailable, message: "create one with 'SoundSource(playing:in:)' or 'SoundSource(in:)'")
public func alGenSources(_ count: Any, _ sources: UnsafeMutableRawPointer?) { fatalError() }

@available(*, unavailable, message: "dropping the last reference to a SoundSource stops and frees it")
public func alDeleteSources(_ count: Any, _ sources: UnsafeRawPointer?) { fatalError() }

@available(*, unavailable, renamed: "SoundSource.play(self:)")
public func alSourcePlay(_ source: SoundSource) { fatalError() }

@available(*, unavailable, message: "call 'source.play()' on a SoundSource")
public func alSourcePlay(_ source: Any) { fatalError() }

@available(*, unavailable, message: "call 'context.play([source, ...])'")
public func alSourcePlayv(_ count: Any, _ sources: UnsafeRawPointer?) { fatalError() }

@available(*, unavailable, renamed: "SoundSource.pause(self:)")
public func alSourcePause(_ source: SoundSource) { fatalError() }

@available(*, unavailable, message: "call 'source.pause()' on a SoundSource")
public func alSourcePause(_ source: Any) { fatalError() }

@available(*, unavailable, message: "call 'context.pause([source, ...])'")
public func alSourcePausev(_ count: Any, _ sources: UnsafeRawPointer?) { fatalError() }

@available(*, unavailable, renamed: "SoundSource.stop(self:)")
public func alSourceStop(_ source: SoundSource) { fatalError() }

@available(*, unavailable, message: "call 'source.stop()' on a SoundSource")
public func alSourceStop(_ source: Any) { fatalError() }

@available(*, unavailable, message: "call 'context.stop([source, ...])'")
public func alSourceStopv(_ count: Any, _ sources: UnsafeRawPointer?) { fatalError() }

@available(*, unavailable, renamed: "SoundSource.rewind(self:)")
public func alSourceRewind(_ source: SoundSource) { fatalError() }

@available(*, unavailable, message: "call 'source.rewind()' on a SoundSource")
public func alSourceRewind(_ source: Any) { fatalError() }

@available(*, unavailable, message: "call 'context.rewind([source, ...])'")
public func alSourceRewindv(_ count: Any, _ sources: UnsafeRawPointer?) { fatalError() }

@available(*, unavailable, message: "set the property, such as 'source.gain = 0.5'")
public func alSourcef(_ source: Any, _ parameter: Any, _ value: Any) { fatalError() }

@available(*, unavailable, message: "set the property, such as 'source.position = [1, 0, -2]'")
public func alSource3f(_ source: Any, _ parameter: Any, _ x: Any, _ y: Any, _ z: Any) { fatalError() }

@available(*, unavailable, message: "set the property, such as 'source.position = [1, 0, -2]'")
public func alSourcefv(_ source: Any, _ parameter: Any, _ values: UnsafeRawPointer?) { fatalError() }

@available(*, unavailable, message: "set the property, such as 'source.isLooping = true'")
public func alSourcei(_ source: Any, _ parameter: Any, _ value: Any) { fatalError() }

@available(*, unavailable, message: "set the property, such as 'source.reverbBlend = 0.4'")
public func alSource3i(_ source: Any, _ parameter: Any, _ x: Any, _ y: Any, _ z: Any) { fatalError() }

@available(*, unavailable, message: "read the property, such as 'source.gain'")
public func alGetSourcef(_ source: Any, _ parameter: Any, _ value: UnsafeMutableRawPointer?) { fatalError() }

@available(*, unavailable, message: "read the property, such as 'source.position'")
public func alGetSource3f(
  _ source: Any,
  _ parameter: Any,
  _ x: UnsafeMutableRawPointer?,
  _ y: UnsafeMutableRawPointer?,
  _ z: UnsafeMutableRawPointer?
) { fatalError() }

@available(*, unavailable, message: "read the property, such as 'source.position'")
public func alGetSourcefv(_ source: Any, _ parameter: Any, _ values: UnsafeMutableRawPointer?) { fatalError() }

@available(*, unavailable, message: "read the property, such as 'source.state'")
public func alGetSourcei(_ source: Any, _ parameter: Any, _ value: UnsafeMutableRawPointer?) { fatalError() }

@available(*, unavailable, message: "call 'source.queue([buffer, ...])'")
public func alSourceQueueBuffers(_ source: Any, _ count: Any, _ buffers: UnsafeRawPointer?) { fatalError() }

@available(*, unavailable, message: "call 'source.unqueueProcessed()', which returns the buffers")
public func alSourceUnqueueBuffers(_ source: Any, _ count: Any, _ buffers: UnsafeMutableRawPointer?) { fatalError() }
