/// A box of an MPEG-4 file, within bytes that hold the whole box.
struct MPEG4Box {
  /// Four characters of Latin-1.
  let name: String
  let content: ArraySlice<UInt8>

  /// The consecutive boxes in bytes; the list ends at the first invalid one.
  static func list(in bytes: ArraySlice<UInt8>) -> [MPEG4Box] {
    var boxes: [MPEG4Box] = []
    var rest = bytes
    while rest.count >= 8, boxes.count < limit {
      guard let header = Header(rest), header.byteCount <= rest.count else { break }
      boxes.append(
        MPEG4Box(name: header.name, content: rest.dropFirst(header.size).prefix(header.byteCount - header.size))
      )
      rest = rest.dropFirst(header.byteCount)
    }
    return boxes
  }

  /// The first box along a path of names within the content.
  func first(_ path: String...) -> MPEG4Box? {
    path.reduce(self as MPEG4Box?) { box, name in
      box.flatMap { MPEG4Box.list(in: $0.children).first { $0.name == name } }
    }
  }

  /// The bytes of the boxes within this box.
  var children: ArraySlice<UInt8> {
    // In most files a version and flags come first in this box.
    if name == "meta", content.dropFirst(8).prefix(4).elementsEqual("hdlr".utf8) { return content.dropFirst(4) }
    return content
  }

  /// A number at an offset in the content; `nil` beyond its end.
  func number(at offset: Int, byteCount: Int = 4) -> Int? {
    content.number(at: offset, byteCount: byteCount)
  }

  private static let limit = 10_000

  /// The header of a box.
  struct Header {
    let name: String
    /// The number of bytes in the header.
    let size: Int
    /// The number of bytes in the box, header included; `Int.max` if the box reaches to the end of the file.
    let byteCount: Int

    init?(_ bytes: ArraySlice<UInt8>) {
      guard bytes.count >= 8 else { return nil }
      let short = Int(bytes: bytes.prefix(4), isBigEndian: true)
      name = String(latin1: bytes.dropFirst(4).prefix(4))
      switch short {
      case 0:
        (size, byteCount) = (8, Int.max)
      case 1:
        guard bytes.count >= 16 else { return nil }
        (size, byteCount) = (16, Int(bytes: bytes.dropFirst(8).prefix(8), isBigEndian: true))
      default:
        (size, byteCount) = (8, short)
      }
      guard byteCount >= size else { return nil }
    }
  }
}
