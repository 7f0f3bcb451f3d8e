// Names of OpenAL that are unavailable here: see Types.swift.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// swift-format-ignore-file: AlwaysUseLowerCamelCase

@available(*, unavailable, message: "create an 'EffectUnit' with a case of Effect")
public var AL_EFFECT_TYPE: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'reverb' of an AudioContext, or 'Effect.reverb'")
public var AL_EFFECT_REVERB: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'reverb' of an AudioContext, or 'Effect.reverb'")
public var AL_EFFECT_EAXREVERB: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'reverb' of an AudioContext, or 'effect' of an EffectUnit")
public var AL_EFFECTSLOT_EFFECT: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'level' of a Reverb, or 'gain' of an EffectUnit")
public var AL_EFFECTSLOT_GAIN: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'reverbBlend' or 'effectSends' of a SoundSource")
public var AL_AUXILIARY_SEND_FILTER: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'occlusion' or 'obstruction' of a SoundSource")
public var AL_DIRECT_FILTER: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'occlusion' or 'obstruction' of a SoundSource")
public var AL_FILTER_TYPE: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'occlusion' or 'obstruction' of a SoundSource")
public var AL_FILTER_LOWPASS: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'occlusion' or 'obstruction' of a SoundSource")
public var AL_LOWPASS_GAIN: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'occlusion' or 'obstruction' of a SoundSource")
public var AL_LOWPASS_GAINHF: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'airAbsorption' of a SoundSource")
public var AL_AIR_ABSORPTION_FACTOR: Int32 { fatalError() }

@available(*, unavailable, message: "it is 'reverb' of an AudioContext: 'nil' is off")
public var ALC_ASA_REVERB_ON: UInt32 { fatalError() }

@available(*, unavailable, message: "it is 'reverb?.level' of an AudioContext")
public var ALC_ASA_REVERB_GLOBAL_LEVEL: UInt32 { fatalError() }

@available(*, unavailable, message: "it is 'reverb = Reverb(.cathedral)' of an AudioContext")
public var ALC_ASA_REVERB_ROOM_TYPE: UInt32 { fatalError() }

@available(*, unavailable, message: "it is 'reverb?.equalizer?.level' of an AudioContext")
public var ALC_ASA_REVERB_EQ_GAIN: UInt32 { fatalError() }

@available(*, unavailable, message: "it is 'reverb?.equalizer?.bandwidth' of an AudioContext")
public var ALC_ASA_REVERB_EQ_BANDWITH: UInt32 { fatalError() }

@available(*, unavailable, message: "it is 'reverb?.equalizer?.frequency' of an AudioContext")
public var ALC_ASA_REVERB_EQ_FREQ: UInt32 { fatalError() }

@available(*, unavailable, message: "it is 'reverbBlend' of a SoundSource")
public var ALC_ASA_REVERB_SEND_LEVEL: UInt32 { fatalError() }

@available(*, unavailable, message: "it is 'occlusion' of a SoundSource")
public var ALC_ASA_OCCLUSION: UInt32 { fatalError() }

@available(*, unavailable, message: "it is 'obstruction' of a SoundSource")
public var ALC_ASA_OBSTRUCTION: UInt32 { fatalError() }

@available(*, unavailable, message: "it is 'source.events(.loop)'")
public var AL_QUEUE_HAS_LOOPED: UInt32 { fatalError() }
