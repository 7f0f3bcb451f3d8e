// Names of OpenAL, for programs that are ported from C: each is unavailable, and the compiler reports its replacement.
// "Coming from OpenAL and AVAudioEngine" in the documentation of Spatial3D has all names; these files have the names
// that programs begin with.
//
// They cause no conflicts, which Scripts/check-aliases verifies: a name from elsewhere, such as a C module of OpenAL or
// the game itself, wins over an unavailable name. Completion offers none of them and the documentation lists none: each
// one's message is all the documentation that it needs.
//
// Functions take any arguments of their C counterparts, so that the compiler reports the replacement and nothing else.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Spatial3D

@available(*, unavailable, message: "sources and buffers are objects, SoundSource and SoundBuffer, and have no number")
public typealias ALuint = UInt32

@available(*, unavailable, renamed: "Int")
public typealias ALint = Int32

@available(*, unavailable, renamed: "Int")
public typealias ALsizei = Int32

@available(*, unavailable, renamed: "Float")
public typealias ALfloat = Float

@available(*, unavailable, renamed: "Bool")
public typealias ALboolean = Bool

@available(*, unavailable, message: "what is a constant in C is a property or a case, such as SourceState.playing")
public typealias ALenum = Int32

@available(*, unavailable, message: "what is a constant in C is a property or a case, such as OutputSettings.HRTF.on")
public typealias ALCenum = Int32

@available(*, unavailable, renamed: "AudioDevice")
public typealias ALCdevice = AudioDevice

@available(*, unavailable, renamed: "AudioContext")
public typealias ALCcontext = AudioContext
