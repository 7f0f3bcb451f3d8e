internal import PCM
internal import Synchronization

/// The samples of a sound, or their file or stream, shared by the copies of the sound.
final class SoundContent: Sendable {
  /// The samples, or their file or stream.
  enum Source: Sendable {
    case file(String)
    case samples(PCMBuffer<Float>)
    case stream(StreamSource)
    /// A list of files or samples was empty.
    case nothing
  }

  let name: String
  let source: Source
  /// The bank that keeps the samples in memory and reads them again; `nil` for none.
  let bank: Int?
  /// The path of the file; `nil` for samples and for a reader.
  var path: String? {
    switch source {
    case .file(let path): path
    case .stream(let stream): stream.path
    case .samples, .nothing: nil
    }
  }
  /// Whether the sound is read while it plays.
  var isStreamed: Bool {
    if case .stream = source { true } else { false }
  }
  /// The threads that open the content.
  var lane: LoadQueue.Lane {
    if case .stream(let stream) = source { stream.lane } else { .files }
  }
  /// The use of the file; `nil` for samples and for a reader.
  var fileUse: LoadQueue.FileUse? { path == nil ? nil : isStreamed ? .streamed : .decoded }
  /// A number that no other content has.
  let identity: Int
  /// Whether the content still exists, for those who must not hold it.
  let life = Life()

  /// The existence of a content.
  final class Life: Sendable {
    private let isEnded = Atomic(false)

    var isOver: Bool { isEnded.load(ordering: .acquiring) }

    /// The life of what no content has.
    static let endless = Life()

    /// The life of what no sound has any more.
    static let over = {
      let life = Life()
      life.end()
      return life
    }()

    fileprivate func end() { isEnded.store(true, ordering: .releasing) }
  }

  init(name: String, source: Source, bank: Int? = nil, identity: Int = SoundContent.nextIdentity()) {
    (self.name, self.source, self.bank, self.identity) = (name, source, bank, identity)
  }

  /// The same samples, to be loaded anew for a bank.
  func copy(for bank: Int) -> SoundContent { SoundContent(name: name, source: source, bank: bank) }

  deinit { life.end() }

  /// A number that was not returned before.
  static func nextIdentity() -> Int { lastIdentity.wrappingAdd(1, ordering: .relaxed).newValue }

  private static let lastIdentity = Atomic(0)
}
