// A Swift module with OpenAL's names, such as a game may have from elsewhere.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public typealias ALuint = UInt32
public typealias ALfloat = Float

public let AL_GAIN: Int32 = 1
public var AL_PLAYING: Int32 { 2 }

public func alSourcePlay(_ source: ALuint) {}

public func alSourcePause<Source>(_ source: Source) {}

public func alSourcef(_ source: ALuint, _ parameter: Int32, _ value: ALfloat) {}

public func alGetError() -> Int32 { 0 }
