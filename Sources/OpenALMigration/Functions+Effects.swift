// Names of OpenAL that are unavailable here: see Types.swift.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// swift-format-ignore-file: AlwaysUseLowerCamelCase

@available(*, unavailable, message: "set 'context.reverb', or create an 'EffectUnit'")
public func alGenAuxiliaryEffectSlots(_ count: Any, _ slots: UnsafeMutableRawPointer?) { fatalError() }

@available(*, unavailable, message: "set 'context.reverb', or create an 'EffectUnit'")
public func alGenEffects(_ count: Any, _ effects: UnsafeMutableRawPointer?) { fatalError() }

@available(*, unavailable, message: "set 'source.occlusion' or 'source.obstruction'")
public func alGenFilters(_ count: Any, _ filters: UnsafeMutableRawPointer?) { fatalError() }

@available(*, unavailable, message: "set 'context.reverb', or create an 'EffectUnit'")
public func alAuxiliaryEffectSloti(_ slot: Any, _ parameter: Any, _ value: Any) { fatalError() }

@available(*, unavailable, message: "set 'level' of the Reverb, or 'gain' of the EffectUnit")
public func alAuxiliaryEffectSlotf(_ slot: Any, _ parameter: Any, _ value: Any) { fatalError() }

@available(*, unavailable, message: "set 'context.reverb', or create an 'EffectUnit'")
public func alEffecti(_ effect: Any, _ parameter: Any, _ value: Any) { fatalError() }

@available(*, unavailable, message: "set a property of the RoomAcoustics or of the Effect")
public func alEffectf(_ effect: Any, _ parameter: Any, _ value: Any) { fatalError() }

@available(*, unavailable, message: "set 'source.occlusion' or 'source.obstruction'")
public func alFilteri(_ filter: Any, _ parameter: Any, _ value: Any) { fatalError() }

@available(*, unavailable, message: "set 'source.occlusion' or 'source.obstruction'")
public func alFilterf(_ filter: Any, _ parameter: Any, _ value: Any) { fatalError() }
