/// The check of the second header of Vorbis: its name, its lengths, and a mark behind the comments.
///
/// A decoder refuses all packets of a stream if the check fails. The check takes the header in parts: comments can hold
/// pictures of many megabytes.
struct VorbisComments: Sendable {
  private enum Field {
    case name
    case vendorLength
    case commentCount
    case commentLength
    case mark
    case end
    case error

    var byteCount: Int {
      switch self {
      case .name: 7
      case .vendorLength, .commentCount, .commentLength: 4
      case .mark: 1
      case .end, .error: 0
      }
    }
  }

  private var field = Field.name
  private var bytes: [UInt8] = []
  private var skippedCount = 0
  private var commentCount = 0

  /// Whether the header was complete, and libvorbis accepts it.
  var isValid: Bool { field == .end }

  /// Checks the next bytes of the header.
  mutating func check(_ next: ArraySlice<UInt8>) {
    var rest = next
    while field != .error, field != .end, !rest.isEmpty {
      let count = skippedCount > 0 ? skippedCount : field.byteCount - bytes.count
      let part = rest.prefix(count)
      rest = rest.dropFirst(count)
      if skippedCount > 0 {
        skippedCount -= part.count
      } else {
        bytes += part
        if bytes.count == field.byteCount {
          field = behindField()
          bytes = []
        }
      }
    }
  }

  /// Reads the field, and returns the field behind it.
  private mutating func behindField() -> Field {
    let value = Int(bytes: bytes[...], isBigEndian: false)
    switch field {
    case .name: return bytes == [3] + Array("vorbis".utf8) ? .vendorLength : .error
    case .vendorLength:
      skippedCount = value
      return .commentCount
    case .commentCount:
      commentCount = value
      return commentCount == 0 ? .mark : .commentLength
    case .commentLength:
      skippedCount = value
      commentCount -= 1
      return commentCount == 0 ? .mark : .commentLength
    case .mark: return value & 1 == 1 ? .end : .error
    case .end, .error: return field
    }
  }
}
