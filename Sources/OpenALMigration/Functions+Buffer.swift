// Names of OpenAL that are unavailable here: see Types.swift.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// swift-format-ignore-file: AlwaysUseLowerCamelCase

@available(*, unavailable, message: "create one with its samples: 'SoundBuffer(pcm, in: context)'")
public func alGenBuffers(_ count: Any, _ buffers: UnsafeMutableRawPointer?) { fatalError() }

@available(*, unavailable, message: "dropping the last reference to a SoundBuffer frees it")
public func alDeleteBuffers(_ count: Any, _ buffers: UnsafeRawPointer?) { fatalError() }

@available(*, unavailable, message: "create the buffer with its samples: 'SoundBuffer(pcm, in: context)'")
public func alBufferData(
  _ buffer: Any,
  _ format: Any,
  _ samples: UnsafeRawPointer?,
  _ size: Any,
  _ frequency: Any
) { fatalError() }

@available(*, unavailable, message: "create one that is played in place with 'SoundBuffer(reading:in:)'")
public func alBufferDataStatic(
  _ buffer: Any,
  _ format: Any,
  _ samples: UnsafeRawPointer?,
  _ size: Any,
  _ frequency: Any
) { fatalError() }

@available(*, unavailable, message: "read the property, such as 'buffer.frameCount'")
public func alGetBufferi(_ buffer: Any, _ parameter: Any, _ value: UnsafeMutableRawPointer?) { fatalError() }
