// Names of other libraries, for those who type them first: each is unavailable, and the compiler says what to write instead.
// "Coming from OpenAL and AVAudioEngine" in the documentation has all names; here are those that programs begin with.
//
// They stand in nobody's way, which Scripts/check-aliases makes sure of: a name from elsewhere, such as a C module of OpenAL or the
// game itself, wins over an unavailable one. Completion offers none of them and the documentation lists none, so what each says
// is all the documentation that it needs.
//
// Functions take whatever their C counterparts take, so that the compiler says that and nothing else.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

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
