internal import AudioSupport
public import Spatial3D
internal import Spatial3DTesting

/// A recording of an offline render: the mix, the path of the listener, and the sounds with their positions.
///
/// Create one before the first render, add the sounds that the page shall show, and append each piece of the mix.
/// Each piece has the positions that the scene has when the piece is appended, so append it before the next change.
/// <doc:APageOfYourGamesRender> shows one.
public struct SceneRecording: ~Copyable, Sendable {
  /// The rate and the channels of the mix.
  public let format: PCMFormat

  private let context: AudioContext
  private var sound: PageSoundWriter
  private var listener = Trail()
  private var sources: [RecordedSource] = []
  private var levels: EarTrack
  private let timeline = NotificationTimeline()
  /// The frame of the context's mix at which the recording begins.
  private let firstFrame: Int
  private var frameCount = 0

  /// A recording of a renderer's first context, from now on.
  ///
  /// - Throws: ``ReportError`` with the code `formatUnsupported` unless the mix is mono or stereo.
  public init(of renderer: borrowing OfflineRenderer) throws(ReportError) {
    format = renderer.format
    context = renderer.context
    sound = try PageSoundWriter(format: renderer.format)
    levels = EarTrack(format: renderer.format)
    firstFrame = renderer.format.frameCount(in: renderer.context.clock)
  }

  /// The recorded duration, in seconds.
  public var seconds: Double { Double(frameCount) / Double(format.sampleRate) }

  /// Adds a sound under a name, which two sounds may share; a sound that starts later may be added later.
  ///
  /// The page shows the position of the source, and dims it while it does not play. It lists the loops and the changes
  /// of state from now on; `kinds` selects others. The recording does not keep the source alive.
  public mutating func add(
    _ source: SoundSource,
    as name: String,
    showing kinds: SourceNotification.Kinds = [.state, .loop]
  ) {
    timeline.observe(source, as: "\(sources.count)", kinds)
    sources.append(RecordedSource(name: name, source: Weak(source)))
  }

  /// Appends a piece of the mix, with the positions of the listener and of the sounds.
  ///
  /// A piece of a sixtieth of a second, as a game's frame, draws smooth paths.
  ///
  /// - Throws: ``ReportError`` with the code `formatUnsupported` if the piece has another rate or number of channels.
  public mutating func append(_ mix: PCMBuffer<Float>) throws(ReportError) {
    try sound.write(mix)
    let listener = context.listener
    self.listener.append(at: seconds, listener.position, facing: listener.orientation.forward)
    for index in sources.indices { sources[index].append(at: seconds, heardBy: listener) }
    levels.append(mix)
    frameCount += mix.frameCount
  }

  /// The page of the recording until now.
  ///
  /// The map contains all positions. Add walls, chapters and readings to the page where it needs them.
  ///
  /// - Throws: ``ReportError`` with the code `soundFailed` if the folder for temporary files is full.
  public func page(title: String, summary: String = "") throws(ReportError) -> ListeningPage {
    let sound = try sound.finish()
    let trails = [listener] + sources.map(\.trail)
    var page = ListeningPage(title: title, summary: summary, sound: sound, map: .around(trails.flatMap(\.places)))
    let moments = page.moments
    page.listener = ListeningPage.Placement(
      x: listener.values(\.place.x, at: moments),
      z: listener.values(\.place.y, at: moments),
      turn: listener.values(\.turn, at: moments)
    )
    page.sources = sources.map { $0.drawn(at: moments) }
    page.ears = levels.ears(at: moments)
    page.events = events
    return page
  }

  private var events: [ListeningPage.Event] {
    timeline.entries.compactMap { entry in
      guard let index = Int(entry.label) else { return nil }
      let time = Double(entry.framePosition - firstFrame) / Double(format.sampleRate)
      // The release of a scene after its last frame is no event of it.
      guard (0..<seconds).contains(time) else { return nil }
      return .init(at: time, source: index, text: "\(sources[index].name) \(entry.kind.words)")
    }
  }
}

extension SourceNotification.Kind {
  /// The event as the rest of a sentence.
  fileprivate var words: String {
    switch self {
    case .stateChanged(.initial): "is rewound"
    case .stateChanged(.playing): "plays"
    case .stateChanged(.paused): "pauses"
    case .stateChanged(.stopped): "stops"
    case .buffersProcessed: "goes to the next sound of its queue"
    case .looped: "starts over"
    case .underrun: "has an underrun"
    }
  }
}
