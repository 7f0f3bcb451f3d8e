/// An interactive page: a map of a scene that moves with its sound, the level of each ear, and a list of notifications.
///
/// Positions are OpenAL's: x to the right, z towards the reader, in metres. A track has ``rate`` samples a second, or
/// one sample for all of its duration.
public struct ListeningPage: Encodable, Sendable {
  /// The title of the page.
  public let title: String

  /// A sentence about the sound.
  public let summary: String

  /// The duration of the sound, in seconds.
  public let seconds: Double

  /// The number of samples of a track in each second.
  public let rate: Double

  /// The area of the map.
  public let map: Area

  /// The position of the listener; its turn is clockwise, in degrees, with 0 to the north.
  public var listener = Placement()

  /// The sources.
  public var sources: [Source] = []

  /// Other things in the scene: walls, doors.
  public var things: [Thing] = []

  /// The level of each ear, in decibels.
  public var ears = Ears()

  /// The scale of levels, in decibels.
  public var levels = Scale(through: [])

  /// Values that the page shows as numbers.
  public var readings: [Reading] = []

  /// The parts of a story, from its beginning.
  public var chapters: [Chapter] = []

  /// The notifications of sources.
  public var events: [Event] = []

  /// An empty page.
  public init(title: String, summary: String, seconds: Double, rate: Double, map: Area) {
    self.title = title
    self.summary = summary
    self.seconds = seconds
    self.rate = rate
    self.map = map
  }

  /// The times of the samples of a track, in seconds.
  public var moments: [Double] {
    (0...max(Int((seconds * rate).rounded(.up)), 1)).map { Double($0) / rate }
  }
}

extension ListeningPage {
  /// The area of a map: from west to east and from north to south.
  public struct Area: Encodable, Sendable {
    let x: [Double]
    let z: [Double]

    /// The area between bounds.
    public init(x: ClosedRange<Double>, z: ClosedRange<Double>) {
      self.x = [x.lowerBound, x.upperBound]
      self.z = [z.lowerBound, z.upperBound]
    }
  }

  /// The position and the turn of something over time.
  public struct Placement: Encodable, Sendable {
    let x: Track
    let z: Track
    let turn: Track

    /// Positions over time; turns continue beyond 180 degrees, so that they can be interpolated.
    public init(x: [Double] = [0], z: [Double] = [0], turn: [Double] = [0]) {
      (self.x, self.z, self.turn) = (Track(x), Track(z), Track(turn))
    }
  }

  /// A source: its name, its position and its level at the ears, in decibels.
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

  /// A line or, with a radius, a disc that may move, turn and fade.
  public struct Thing: Encodable, Sendable {
    let points: [[Double]]
    let radius: Double?
    let color: String
    let width: Double
    let x: Track?
    let z: Track?
    let turn: Track?
    let opacity: Track?

    /// A line through points, relative to the position of the thing.
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

  /// A scale of 50 dB up to a multiple of 10 dB, at or above the loudest level.
  ///
  /// Levels below the scale count as silence.
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

  /// A value that the page shows as a number.
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

    /// A part from a time on, with a short title and a sentence.
    public init(at time: Double, title: String, text: String) {
      (self.time, self.title, self.text) = (time, title, text)
    }
  }

  /// A notification of a source.
  public struct Event: Encodable, Sendable {
    let time: Double
    let source: Int
    let text: String

    /// A notification of a source, counted from 0.
    public init(at time: Double, source: Int, text: String) {
      (self.time, self.source, self.text) = ((time * 1_000).rounded() / 1_000, source, text)
    }
  }

  /// Numbers in a short notation: rounded, and a single one if all are the same.
  struct Track: Encodable, Sendable {
    let values: [Double]

    init(_ values: [Double], finest: Double = 1_000) {
      let rounded = values.map { value in
        // JSON has no notation for infinity; -200 dB is inaudible.
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
