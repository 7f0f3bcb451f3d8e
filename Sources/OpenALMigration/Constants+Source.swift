// Names of OpenAL that are unavailable here: see Types.swift.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// swift-format-ignore-file: AlwaysUseLowerCamelCase

@available(*, unavailable, message: "it is 'position' of a SoundSource and of a Listener")
public var AL_POSITION: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'velocity' of a SoundSource and of a Listener")
public var AL_VELOCITY: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'gain' of a SoundSource and of a Listener")
public var AL_GAIN: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'orientation' of a Listener")
public var AL_ORIENTATION: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'direction' of a SoundSource")
public var AL_DIRECTION: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'pitch' of a SoundSource")
public var AL_PITCH: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'gainLimits' of a SoundSource")
public var AL_MIN_GAIN: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'gainLimits' of a SoundSource")
public var AL_MAX_GAIN: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'isLooping' of a SoundSource")
public var AL_LOOPING: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'isListenerRelative' of a SoundSource")
public var AL_SOURCE_RELATIVE: Int32 { fatalError() }

@available(*, unavailable, message: "it is given to 'SoundSource(playing:in:)'")
public var AL_BUFFER: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'buffers.count' of a SoundSource")
public var AL_BUFFERS_QUEUED: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'processedBufferCount' of a SoundSource")
public var AL_BUFFERS_PROCESSED: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'state' of a SoundSource")
public var AL_SOURCE_STATE: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'playbackTime' of a SoundSource")
public var AL_SEC_OFFSET: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'playbackFrame' of a SoundSource")
public var AL_SAMPLE_OFFSET: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'playbackFrame' of a SoundSource, in frames")
public var AL_BYTE_OFFSET: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'attenuation.referenceDistance' of a SoundSource")
public var AL_REFERENCE_DISTANCE: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'attenuation.maximumDistance' of a SoundSource")
public var AL_MAX_DISTANCE: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'attenuation.rolloffFactor' of a SoundSource")
public var AL_ROLLOFF_FACTOR: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'cone.innerAngle' of a SoundSource")
public var AL_CONE_INNER_ANGLE: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'cone.outerAngle' of a SoundSource")
public var AL_CONE_OUTER_ANGLE: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'cone.outerGain' of a SoundSource")
public var AL_CONE_OUTER_GAIN: Int32 { fatalError() }
