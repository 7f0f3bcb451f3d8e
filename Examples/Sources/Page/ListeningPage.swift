/// A page to look and listen: a scene from above that moves with its sound, the level of each ear, and what was told when.
///
/// Places are OpenAL's: x to the right, z towards the reader, in metres. A track has ``rate`` samples a second, or one sample
/// that holds all along.
public struct ListeningPage: Encodable, Sendable {
  /// What the page is called.
  public let title: String

  /// What there is to hear, in a sentence.
  public let summary: String

  /// How long the sound is, in seconds.
  public let seconds: Double

  /// How many samples a track has a second.
  public let rate: Double

  /// What the map shows.
  public let map: Area

  /// Where the listener is; their turn is clockwise, in degrees, with 0 to the north.
  public var listener = Placement()

  /// The sources.
  public var sources: [Source] = []

  /// What else is in the scene: walls, doors.
  public var things: [Thing] = []

  /// The level of each ear, in decibels.
  public var ears = Ears()

  /// The scale of levels, in decibels.
  public var levels = Scale(through: [])

  /// Values that are shown as numbers.
  public var readings: [Reading] = []

  /// The parts of a story, from its beginning.
  public var chapters: [Chapter] = []

  /// What sources told.
  public var events: [Event] = []

  /// A page without anything on it.
  public init(title: String, summary: String, seconds: Double, rate: Double, map: Area) {
    self.title = title
    self.summary = summary
    self.seconds = seconds
    self.rate = rate
    self.map = map
  }

  /// The moments of which a track has a sample each, in seconds.
  public var moments: [Double] {
    (0...max(Int((seconds * rate).rounded(.up)), 1)).map { Double($0) / rate }
  }
}

extension ListeningPage {
  /// What a map shows: from west to east and from north to south.
  public struct Area: Encodable, Sendable {
    let x: [Double]
    let z: [Double]

    /// The area between bounds.
    public init(x: ClosedRange<Double>, z: ClosedRange<Double>) {
      self.x = [x.lowerBound, x.upperBound]
      self.z = [z.lowerBound, z.upperBound]
    }
  }

  /// Where something is over time.
  public struct Placement: Encodable, Sendable {
    let x: Track
    let z: Track
    let turn: Track

    /// Places over time; turns go on beyond 180 degrees, so that half way between two of them makes sense.
    public init(x: [Double] = [0], z: [Double] = [0], turn: [Double] = [0]) {
      (self.x, self.z, self.turn) = (Track(x), Track(z), Track(turn))
    }
  }

  /// A source: its name, its place and how loud it is at the ears, in decibels.
  public struct Source: Encodable, Sendable {
    let name: String
    let x: Track
    let z: Track
    let level: Track

    /// A source.
    public init(name: String, x: [Double], z: [Double], level: [Double]) {
      self.name = name
      (self.x, self.z) = (Track(x), Track(z))
      self.level = Track(level, finest: 10)
    }
  }

  /// A line or, with a radius, a disc, which may move, turn and fade.
  public struct Thing: Encodable, Sendable {
    let points: [[Double]]
    let radius: Double?
    let color: String
    let width: Double
    let x: Track?
    let z: Track?
    let turn: Track?
    let opacity: Track?

    /// A line through points, around the place where the thing is.
    public init(
      through points: [SIMD2<Double>] = [],
      radius: Double? = nil,
      color: String = "quiet",
      width: Double = 1.5,
      at place: Placement = Placement(),
      opacity: [Double] = [1]
    ) {
      self.points = points.map { [$0.x, $0.y] }
      (self.radius, self.color, self.width) = (radius, color, width)
      (x, z, turn) = (place.x, place.z, place.turn)
      self.opacity = Track(opacity)
    }
  }

  /// A scale of levels: 50 dB up to the round number that the loudest fits under.
  ///
  /// What is below is silent.
  public struct Scale: Encodable, Sendable {
    let lowest: Double
    let highest: Double

    /// The scale for some levels.
    public init(through levels: [Double]) {
      highest = ((levels.max() ?? 0) / 10).rounded(.up) * 10
      lowest = highest - 50
    }
  }

  /// The levels of both ears, in decibels.
  public struct Ears: Encodable, Sendable {
    let left: Track
    let right: Track

    /// Levels over time.
    public init(left: [Double] = [-.infinity], right: [Double] = [-.infinity]) {
      (self.left, self.right) = (Track(left, finest: 10), Track(right, finest: 10))
    }
  }

  /// A value that is shown as a number.
  public struct Reading: Encodable, Sendable {
    let name: String
    let unit: String
    let decimals: Int
    let values: Track

    /// A value over time.
    public init(_ name: String, unit: String, decimals: Int = 0, values: [Double]) {
      (self.name, self.unit, self.decimals) = (name, unit, decimals)
      self.values = Track(values)
    }
  }

  /// A part of a story.
  public struct Chapter: Encodable, Sendable {
    let time: Double
    let title: String
    let text: String

    /// A part from a moment on, with a short title and a sentence.
    public init(at time: Double, title: String, text: String) {
      (self.time, self.title, self.text) = (time, title, text)
    }
  }

  /// What a source told.
  public struct Event: Encodable, Sendable {
    let time: Double
    let source: Int
    let text: String

    /// News of a source, counted from 0.
    public init(at time: Double, source: Int, text: String) {
      (self.time, self.source, self.text) = ((time * 1_000).rounded() / 1_000, source, text)
    }
  }

  /// Numbers in few letters: rounded, and a single one where all are the same.
  struct Track: Encodable, Sendable {
    let values: [Double]

    init(_ values: [Double], finest: Double = 1_000) {
      let rounded = values.map { value in
        // JSON has no word for silence; -200 dB is none that anybody hears.
        value.isFinite ? (max(value, -200) * finest).rounded() / finest + 0 : -200
      }
      self.values = Set(rounded).count == 1 ? [rounded[0]] : rounded
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(values)
    }
  }
}
