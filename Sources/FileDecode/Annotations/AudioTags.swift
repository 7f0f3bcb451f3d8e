/// The texts in a file about its sound: title, artist and the rest.
///
/// The names come from Vorbis comments, in capitals; `DESCRIPTION` is the same as `COMMENT`. A text ends at its first
/// zero, and without spaces.
public struct AudioTags: Hashable, Sendable {
  /// All texts by their names: `TITLE`, `ARTIST`, `ALBUM` and so on.
  ///
  /// Names outside of the usual list stay, in capitals.
  public private(set) var entries: [String: String] = [:]

  /// Creates an empty list.
  public init() {}

  /// The text of a name, in any case; `nil`, like an empty text, removes it.
  public subscript(name: String) -> String? {
    get { entries[AudioTags.key(name)] }
    set {
      let name = AudioTags.key(name)
      let text = newValue.map { AudioTags.text($0.utf8) } ?? ""
      guard !name.isEmpty else { return }
      entries[name] = text.isEmpty ? nil : text
    }
  }

  /// The name of the piece.
  public var title: String? {
    get { self["TITLE"] }
    set { self["TITLE"] = newValue }
  }

  /// The performer of the piece.
  public var artist: String? {
    get { self["ARTIST"] }
    set { self["ARTIST"] = newValue }
  }

  /// The collection with the piece.
  public var album: String? {
    get { self["ALBUM"] }
    set { self["ALBUM"] = newValue }
  }

  /// The number of the piece in the collection.
  public var track: String? {
    get { self["TRACKNUMBER"] }
    set { self["TRACKNUMBER"] = newValue }
  }

  /// The date of the recording or release.
  public var date: String? {
    get { self["DATE"] }
    set { self["DATE"] = newValue }
  }

  /// The genre of the music.
  public var genre: String? {
    get { self["GENRE"] }
    set { self["GENRE"] = newValue }
  }

  /// A free comment.
  public var comment: String? {
    get { self["COMMENT"] }
    set { self["COMMENT"] = newValue }
  }

  /// The copyright notice.
  public var copyright: String? {
    get { self["COPYRIGHT"] }
    set { self["COPYRIGHT"] = newValue }
  }

  /// The program that wrote the file.
  public var software: String? {
    get { self["ENCODER"] }
    set { self["ENCODER"] = newValue }
  }

  /// Adds a text of a file, unless the name already has one.
  mutating func add(_ name: String, _ text: String) {
    guard entries.count < AudioTags.limit, self[name] == nil else { return }
    self[name] = text
  }

  /// The largest number of texts that are read from a file.
  static let limit = 1_000
}

extension AudioTags {
  private static func key(_ name: String) -> String {
    let name = text(name.utf8).uppercased()
    return name == "DESCRIPTION" ? "COMMENT" : name
  }

  /// Text of a file: UTF-8, else Latin-1; up to the first zero, and without spaces at the end.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    var content = Array(bytes.prefix { $0 != 0 })
    while content.last == 0x20 { content.removeLast() }
    if let text = String(validating: content, as: UTF8.self) { return text }
    return String(latin1: content)
  }
}
