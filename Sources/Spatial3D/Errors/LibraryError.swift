/// OpenAL's own error of a failed operation.
public struct LibraryError: Error, Hashable, Sendable {
  /// The library's number of the error, as in `alGetError` and `alcGetError`.
  public let code: Int

  /// The part of OpenAL that reported it: `alGetError` and `alcGetError` use the same numbers for different errors.
  let part: Part

  enum Part: Sendable {
    case device
    case context
  }
}

extension LibraryError: CustomStringConvertible {
  /// The number's name in OpenAL's headers.
  public var description: String {
    switch (code, part) {
    case (0xA001, .device): "ALC_INVALID_DEVICE"
    case (0xA001, .context): "AL_INVALID_NAME"
    case (0xA002, .device): "ALC_INVALID_CONTEXT"
    case (0xA002, .context): "AL_INVALID_ENUM"
    case (0xA003, .device): "ALC_INVALID_ENUM"
    case (0xA003, .context): "AL_INVALID_VALUE"
    case (0xA004, .device): "ALC_INVALID_VALUE"
    case (0xA004, .context): "AL_INVALID_OPERATION"
    case (0xA005, .device): "ALC_OUT_OF_MEMORY"
    case (0xA005, .context): "AL_OUT_OF_MEMORY"
    default: "OpenAL error 0x\(String(code, radix: 16, uppercase: true))"
    }
  }
}
