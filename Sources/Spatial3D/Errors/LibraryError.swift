/// What OpenAL itself answered when an operation failed.
public struct LibraryError: Error, Hashable, Sendable {
  /// The library's number for it, as in `alGetError` and `alcGetError`.
  public let code: Int

  /// What OpenAL answered, by its number.
  public init(code: Int) {
    self.code = code
  }
}

extension LibraryError: CustomStringConvertible {
  /// The names of the number in OpenAL's headers.
  public var description: String {
    switch code {
    case 0xA001: "AL_INVALID_NAME or ALC_INVALID_DEVICE"
    case 0xA002: "AL_INVALID_ENUM or ALC_INVALID_CONTEXT"
    case 0xA003: "AL_INVALID_VALUE or ALC_INVALID_ENUM"
    case 0xA004: "AL_INVALID_OPERATION or ALC_INVALID_VALUE"
    case 0xA005: "AL_OUT_OF_MEMORY or ALC_OUT_OF_MEMORY"
    default: "OpenAL error 0x\(String(code, radix: 16, uppercase: true))"
    }
  }
}
