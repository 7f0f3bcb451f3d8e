// Names of OpenAL that are unavailable here: see Types.swift.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Spatial3D

@available(*, unavailable, renamed: "SourceState.initial")
public var AL_INITIAL: SourceState { fatalError() }

@available(*, unavailable, renamed: "SourceState.playing")
public var AL_PLAYING: SourceState { fatalError() }

@available(*, unavailable, renamed: "SourceState.paused")
public var AL_PAUSED: SourceState { fatalError() }

@available(*, unavailable, renamed: "SourceState.stopped")
public var AL_STOPPED: SourceState { fatalError() }

@available(*, unavailable, renamed: "DistanceModel.none")
public var AL_NONE: DistanceModel { fatalError() }

@available(*, unavailable, renamed: "DistanceModel.inverse")
public var AL_INVERSE_DISTANCE: DistanceModel { fatalError() }

@available(*, unavailable, renamed: "DistanceModel.inverseClamped")
public var AL_INVERSE_DISTANCE_CLAMPED: DistanceModel { fatalError() }

@available(*, unavailable, renamed: "DistanceModel.linear")
public var AL_LINEAR_DISTANCE: DistanceModel { fatalError() }

@available(*, unavailable, renamed: "DistanceModel.linearClamped")
public var AL_LINEAR_DISTANCE_CLAMPED: DistanceModel { fatalError() }

@available(*, unavailable, renamed: "DistanceModel.exponent")
public var AL_EXPONENT_DISTANCE: DistanceModel { fatalError() }

@available(*, unavailable, renamed: "DistanceModel.exponentClamped")
public var AL_EXPONENT_DISTANCE_CLAMPED: DistanceModel { fatalError() }

@available(*, unavailable, message: "8-bit samples are converted, and the format is 'PCMFormat.mono(sampleRate:)'")
public var AL_FORMAT_MONO8: Int32 { fatalError() }

@available(*, unavailable, message: "the samples are Int16, and their format is 'PCMFormat.mono(sampleRate:)'")
public var AL_FORMAT_MONO16: Int32 { fatalError() }

@available(*, unavailable, message: "the samples are Float, and their format is 'PCMFormat.mono(sampleRate:)'")
public var AL_FORMAT_MONO_FLOAT32: Int32 { fatalError() }

@available(*, unavailable, message: "8-bit samples are converted, and the format is 'PCMFormat.stereo(sampleRate:)'")
public var AL_FORMAT_STEREO8: Int32 { fatalError() }

@available(*, unavailable, message: "the samples are Int16, and their format is 'PCMFormat.stereo(sampleRate:)'")
public var AL_FORMAT_STEREO16: Int32 { fatalError() }

@available(*, unavailable, message: "the samples are Float, and their format is 'PCMFormat.stereo(sampleRate:)'")
public var AL_FORMAT_STEREO_FLOAT32: Int32 { fatalError() }

@available(*, unavailable, renamed: "true")
public var AL_TRUE: Bool { fatalError() }

@available(*, unavailable, renamed: "false")
public var AL_FALSE: Bool { fatalError() }

@available(*, unavailable, message: "what can fail throws an AudioError; setters never fail")
public var AL_NO_ERROR: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'library.version' of an AudioContext")
public var AL_VERSION: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'library.vendor' of an AudioContext")
public var AL_VENDOR: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'library.renderer' of an AudioContext")
public var AL_RENDERER: Int32 { fatalError() }

@available(*, unavailable, message: "what the library offers is in 'capabilities' of an AudioContext")
public var AL_EXTENSIONS: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'AudioDevice.outputNames', or 'name' of an AudioDevice")
public var ALC_DEVICE_SPECIFIER: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'AudioDevice.outputNames', or 'name' of an AudioDevice")
public var ALC_ALL_DEVICES_SPECIFIER: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'AudioDevice.defaultOutputName'")
public var ALC_DEFAULT_DEVICE_SPECIFIER: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'sampleRate' of OutputSettings and of an AudioContext")
public var ALC_FREQUENCY: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'hrtf' of OutputSettings and of OutputConfiguration")
public var ALC_HRTF_SOFT: Int32 { fatalError() }
