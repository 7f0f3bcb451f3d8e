/// The state machine that turns the bytes of a terminal into keys.
///
/// The bytes of one key may arrive in several reads. An unknown sequence is dropped as a whole: none of its bytes
/// counts as a letter.
package struct KeyParser: Sendable {
  private enum State: Hashable, Sendable {
    case ground
    /// After Escape.
    case escape
    /// After `ESC [`; the flag is whether parameters have come.
    case control(hasParameters: Bool)
    /// After `ESC O`: one more byte.
    case single
    /// After `ESC [ [`, a function key of the Linux console: one more byte.
    case console
    /// In a text from the terminal, such as `ESC ] … BEL`; the flag is whether Escape was the last byte.
    case text(isEscaped: Bool)
    /// In a character of several bytes.
    case character([UInt8], left: Int)
  }

  private var state = State.ground

  /// A parser that has read no byte.
  package init() {}

  /// Whether an Escape has come that may be a key, or the beginning of a sequence.
  package var hasPendingEscape: Bool { state == .escape }

  /// The keys that some further bytes complete, in order.
  package mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] { bytes.compactMap { key(endingWith: $0) } }

  /// The Escape key, if no further byte came after an Escape for a while.
  package mutating func keyAfterPause() -> Key? {
    guard hasPendingEscape else { return nil }
    state = .ground
    return .escape
  }

  private mutating func key(endingWith byte: UInt8) -> Key? {
    switch state {
    case .ground: return begin(with: byte)
    case .escape: return continueEscape(with: byte)
    case .control(let hasParameters):
      return continueControl(with: byte, hasParameters: hasParameters)
    case .single:
      return byte == 0x1B ? begin(with: byte) : end(with: Self.arrow(byte))
    case .console: return end(with: nil)
    case .text(let isEscaped):
      // BEL or ESC \ ends a text.
      let isEnd = byte == 0x07 || (isEscaped && byte == UInt8(ascii: "\\"))
      state = isEnd ? .ground : .text(isEscaped: byte == 0x1B)
      return nil
    case .character(let bytes, let left):
      guard byte & 0xC0 == 0x80 else { return begin(with: byte) }
      guard left == 1 else {
        state = .character(bytes + [byte], left: left - 1)
        return nil
      }
      return end(with: String(validating: bytes + [byte], as: UTF8.self)?.first.map(Key.character))
    }
  }

  /// A byte outside of a sequence.
  private mutating func begin(with byte: UInt8) -> Key? {
    state = .ground
    switch byte {
    case 0x1B: state = .escape
    case 0x01...0x1A: return .control(Character(Unicode.Scalar(byte + 0x60)))
    case 0x20...0x7E: return .character(Character(Unicode.Scalar(byte)))
    case 0xC2...0xDF: state = .character([byte], left: 1)
    case 0xE0...0xEF: state = .character([byte], left: 2)
    case 0xF0...0xF4: state = .character([byte], left: 3)
    default: break
    }
    return nil
  }

  /// The byte after Escape.
  private mutating func continueEscape(with byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "["): state = .control(hasParameters: false)
    case UInt8(ascii: "O"): state = .single
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
      state = .text(isEscaped: false)
    case 0x1B: return .escape  // The second one may begin a sequence.
    default: state = .ground  // A letter together with the Alt key.
    }
    return nil
  }

  /// A byte after `ESC [`: parameters, and then one final byte.
  private mutating func continueControl(with byte: UInt8, hasParameters: Bool) -> Key? {
    switch byte {
    case 0x1B: return begin(with: byte)
    case UInt8(ascii: "[") where !hasParameters: state = .console
    case 0x40...0x7E: return end(with: Self.arrow(byte))
    default: state = .control(hasParameters: true)
    }
    return nil
  }

  private mutating func end(with key: Key?) -> Key? {
    state = .ground
    return key
  }

  /// The arrow key with a final byte; modifiers such as Shift make no difference.
  private static func arrow(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    default: nil
    }
  }
}
