/// What a file says about itself as text: title, artist and the rest.
public struct AudioTags: Hashable, Sendable {
  /// All texts by their names, which are those of Vorbis comments, in capitals: `TITLE`, `ARTIST`, `ALBUM` and so on.
  ///
  /// Names that a file made up are kept, in capitals.
  public private(set) var entries: [String: String] = [:]

  init() {}

  /// The text of a name, in capitals or not.
  public subscript(name: String) -> String? { entries[name.uppercased()] }

  /// The name of the piece.
  public var title: String? { entries["TITLE"] }

  /// Who plays it.
  public var artist: String? { entries["ARTIST"] }

  /// The collection that it is part of.
  public var album: String? { entries["ALBUM"] }

  /// Which number it has in the collection.
  public var track: String? { entries["TRACKNUMBER"] }

  /// When it was made.
  public var date: String? { entries["DATE"] }

  /// What kind of music it is.
  public var genre: String? { entries["GENRE"] }

  /// Whatever else its maker wanted to say.
  public var comment: String? { entries["COMMENT"] }

  /// Who has the rights.
  public var copyright: String? { entries["COPYRIGHT"] }

  /// The program that wrote the file.
  public var software: String? { entries["ENCODER"] }

  /// Adds a text, unless there is one of that name.
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
    return latin1(content)
  }

  static func latin1(_ bytes: some Collection<UInt8>) -> String {
    var text = ""
    for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    return text
  }
}
