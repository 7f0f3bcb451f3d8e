import Stage
import Testing

@testable import explore

@Suite struct KeyParserTests {
  /// The bytes of a terminal and the keys that they stand for.
  private static let sequences: [(bytes: String, keys: [Key])] = [
    ("\u{1B}[A", [.up]),
    ("\u{1B}[B", [.down]),
    ("\u{1B}[C", [.right]),
    ("\u{1B}[D", [.left]),
    ("\u{1B}OA\u{1B}OD", [.up, .left]),
    ("\u{1B}[1;5A", [.up]),
    ("\u{1B}[1;2D2", [.left, .character("2")]),
    ("w1q", [.character("w"), .character("1"), .character("q")]),
    ("\u{3}\u{1A}\u{C}", [.control("c"), .control("z"), .control("l")]),
    // Page up, delete, F1 in three notations, F5, shift-tab: keys without an action here.
    ("\u{1B}[5~", []),
    ("\u{1B}[3~a", [.character("a")]),
    ("\u{1B}OPd", [.character("d")]),
    ("\u{1B}[11~s", [.character("s")]),
    ("\u{1B}[[Aw", [.character("w")]),
    ("\u{1B}[15~", []),
    ("\u{1B}[Z", []),
    // Alt and a letter; focus; a report of the cursor; a report of the mouse.
    ("\u{1B}w", []),
    ("\u{1B}[I\u{1B}[O3", [.character("3")]),
    ("\u{1B}[24;80R", []),
    ("\u{1B}[<0;12;7Mq", [.character("q")]),
    // Texts from the terminal: its colours, its name.
    ("\u{1B}]11;rgb:0000/0000/0000\u{7}w", [.character("w")]),
    ("\u{1B}]11;rgb:0000/dddd/aaaa\u{1B}\\w", [.character("w")]),
    ("\u{1B}P>|tmux 3.3a\u{1B}\\\u{1B}[A", [.up]),
    // An Escape inside of a sequence begins a new one.
    ("\u{1B}[1;\u{1B}[B", [.down]),
    ("\u{1B}O\u{1B}[B", [.down]),
    ("\u{1B}\u{1B}[C", [.escape, .right]),
    ("é€😀", [.character("é"), .character("€"), .character("😀")]),
    ("\u{7F}\u{0}", []),
  ]

  @Test(arguments: sequences.indices)
  func `A sequence is its keys, however its bytes are split over reads`(index: Int) {
    let bytes = Array(Self.sequences[index].bytes.utf8)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var parser = KeyParser()
        let parts = [bytes[..<first], bytes[first..<second], bytes[second...]]
        #expect(parts.flatMap { parser.keys(in: $0) } == Self.sequences[index].keys)
        #expect(parser.keyAfterPause() == nil)
      }
    }
  }

  @Test func `An Escape alone is a key only after a pause`() {
    var parser = KeyParser()
    #expect(parser.keys(in: [0x1B]) == [])
    #expect(parser.hasPendingEscape)
    #expect(parser.keyAfterPause() == .escape)
    #expect(!parser.hasPendingEscape)
    #expect(parser.keyAfterPause() == nil)
    #expect(parser.keys(in: "[A".utf8) == [.character("["), .character("A")])
  }

  @Test func `A pause in the middle of a sequence does not end it`() {
    var parser = KeyParser()
    #expect(parser.keys(in: "\u{1B}[1;".utf8) == [])
    #expect(parser.keyAfterPause() == nil)
    #expect(parser.keys(in: "5D".utf8) == [.left])
  }

  @Test func `Bytes that are no UTF-8 are dropped, and the key after them counts`() {
    for bytes: [UInt8] in [[0xFF], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0x80], [0xC0], [0xED, 0xA0, 0x80]] {
      var parser = KeyParser()
      #expect(parser.keys(in: bytes + Array("q".utf8)) == [.character("q")])
    }
  }

  @Test func `Any byte, also one within a sequence, leaves the parser able to read an arrow`() {
    for first in UInt8.min...UInt8.max {
      for second: UInt8 in [
        0, 0x07, 0x1B, 0x20, 0x41, 0x4F, 0x50, 0x5B, 0x5D, 0x7E, 0x7F, 0x80, 0xC3, 0xE2, 0xF0, 0xFF,
      ] {
        var parser = KeyParser()
        _ = parser.keys(in: [first, second])
        // BEL ends a text; the others end within a few bytes.
        _ = parser.keys(in: [0x07, 0x07, 0x07])
        #expect(parser.keys(in: "\u{1B}[A".utf8).last == .up, "\(first) \(second)")
      }
    }
  }

  @Test func `Arrows and letters walk and turn, digits mute, Q and Ctrl-C quit`() {
    let commands: [(Key, Command?)] = [
      (.up, .walk(1)), (.character("W"), .walk(1)), (.down, .walk(-1)), (.character("s"), .walk(-1)),
      (.left, .turn(-1)), (.character("a"), .turn(-1)), (.right, .turn(1)), (.character("D"), .turn(1)),
      (.character("1"), .toggleMute(0)), (.character("9"), .toggleMute(8)), (.character("0"), nil),
      (.character("٣"), nil), (.character("q"), .quit), (.character("Q"), .quit), (.control("c"), .quit),
      (.control("z"), .suspend), (.control("l"), .redraw), (.escape, nil), (.character("x"), nil), (.control("a"), nil),
    ]
    for (key, command) in commands { #expect(Command(key) == command, "\(key)") }
  }
}
