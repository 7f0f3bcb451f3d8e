/// The decoder of a file's frames: libsndfile, libmpg123, this library, or with the trait `AAC` libavcodec.
enum FrameSource: ~Copyable, Sendable {
  case sound(SoundHandle)
  case mpeg(MPEGDecoder)
  /// Samples without compression.
  case plain(PlainDecoder)
  #if AAC
    case aac(AACDecoder)
  #endif

  /// The report of libsndfile or libmpg123; `nil` if the file itself contains all facts.
  var header: SoundHandle.Header? {
    switch self {
    case .sound(let decoder): decoder.header
    case .mpeg(let decoder): decoder.header
    case .plain(let decoder): decoder.header
    #if AAC
      case .aac: nil
    #endif
    }
  }

  /// Decodes frames into uninitialised memory and returns their number.
  ///
  /// The number is smaller than requested only at the end, after damage, or after a failure of the system.
  mutating func read(_ frameCount: Int, into output: inout OutputSpan<Float>) -> Int {
    // A switch cannot change a payload in place, so each case takes it out and puts it back.
    let count: Int
    switch consume self {
    case .sound(var decoder):
      count = decoder.read(frameCount, into: &output)
      self = .sound(decoder)
    case .mpeg(var decoder):
      count = decoder.read(frameCount, into: &output)
      self = .mpeg(decoder)
    case .plain(var decoder):
      count = decoder.read(frameCount, into: &output)
      self = .plain(decoder)
    #if AAC
      case .aac(var decoder):
        count = decoder.read(frameCount, into: &output)
        self = .aac(decoder)
    #endif
    }
    return count
  }

  /// Whether the decoder met an error in the short read, and the error of the system that made the read short.
  mutating func shortReadErrors() -> (isDamaged: Bool, system: SystemError?) {
    let errors: (Bool, SystemError?)
    switch consume self {
    case .sound(var decoder):
      errors = (decoder.hasDecodingError(), decoder.systemError)
      self = .sound(decoder)
    case .mpeg(let decoder):
      errors = (decoder.hasDecodingError, decoder.systemError)
      self = .mpeg(decoder)
    case .plain(let decoder):
      errors = (false, decoder.systemError)
      self = .plain(decoder)
    #if AAC
      case .aac(let decoder):
        errors = (decoder.hasDecodingError, decoder.systemError)
        self = .aac(decoder)
    #endif
    }
    return errors
  }

  /// Whether packets were damaged and became silence.
  var hasDamagedPackets: Bool {
    switch self {
    #if AAC
      case .aac(let decoder): decoder.hasDamagedPackets
    #endif
    default: false
    }
  }

  /// Seeks to a decoded frame and returns whether that worked.
  mutating func seek(toFrame frame: Int) -> Bool {
    var hasArrived = false
    switch consume self {
    case .sound(var decoder):
      hasArrived = decoder.seek(toFrame: frame)
      self = .sound(decoder)
    case .plain(var decoder):
      decoder.seek(toFrame: frame)
      hasArrived = true
      self = .plain(decoder)
    case let decoder: self = decoder
    }
    return hasArrived
  }

  /// Whether the file holds samples of 16 bits without compression.
  var holdsInt16: Bool {
    switch self {
    case .plain: true
    default: false
    }
  }

  /// Reads 16-bit frames without conversion into uninitialised memory and returns their number.
  mutating func read(_ frameCount: Int, into output: inout OutputSpan<Int16>) -> Int {
    var count = 0
    switch consume self {
    case .plain(var decoder):
      count = decoder.read(frameCount, into: &output)
      self = .plain(decoder)
    case let decoder: self = decoder
    }
    return count
  }
}
