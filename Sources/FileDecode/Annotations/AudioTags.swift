/// The texts in a file about its sound: title, artist and the rest.
public struct AudioTags: Hashable, Sendable {
  /// All texts by their names, which are those of Vorbis comments, in capitals: `TITLE`, `ARTIST`, `ALBUM` and so on.
  ///
  /// Names outside of the usual list stay, in capitals.
  public private(set) var entries: [String: String] = [:]

  init() {}

  /// The text of a name, in any case.
  public subscript(name: String) -> String? { entries[name.uppercased()] }

  /// The name of the piece.
  public var title: String? { entries["TITLE"] }

  /// The performer of the piece.
  public var artist: String? { entries["ARTIST"] }

  /// The collection with the piece.
  public var album: String? { entries["ALBUM"] }

  /// The number of the piece in the collection.
  public var track: String? { entries["TRACKNUMBER"] }

  /// The date of the recording or release.
  public var date: String? { entries["DATE"] }

  /// The genre of the music.
  public var genre: String? { entries["GENRE"] }

  /// A free comment.
  public var comment: String? { entries["COMMENT"] }

  /// The copyright notice.
  public var copyright: String? { entries["COPYRIGHT"] }

  /// The program that wrote the file.
  public var software: String? { entries["ENCODER"] }

  /// Adds a text, unless the name already has one.
  mutating func add(_ name: String, _ text: String) {
    let name = name.uppercased()
    guard !name.isEmpty, !text.isEmpty, entries[name] == nil, entries.count < AudioTags.limit else { return }
    entries[name] = text
  }

  private static let limit = 1_000
}

extension AudioTags {
  /// Text of a file: UTF-8, else Latin-1; up to the first zero, and without spaces at the end.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    var content = Array(bytes.prefix { $0 != 0 })
    while content.last == 0x20 { content.removeLast() }
    if let text = String(validating: content, as: UTF8.self) { return text }
    return String(latin1: content)
  }
}
