/// A page to look and listen: a map of a scene that moves with its sound, the level of each ear, and what happened.
///
/// A ``SceneRecording`` makes one of an offline render. Build one by hand to show what a recording does not know, such
/// as walls, doors and chapters. ``markup`` is one HTML file with the sound in it, which needs no network.
///
/// Positions have the axes of `Spatial3D`, in metres: x to the right, z towards the reader. The page ignores heights. A
/// list of values over time has ``rate`` values a second from the beginning on, as ``moments`` has, or one value for
/// all of the duration.
public struct ListeningPage: Sendable {
  /// The title of the page.
  public let title: String

  /// A sentence about the sound.
  public let summary: String

  /// The sound.
  public let sound: PageSound

  /// The number of values in each second of a list over time.
  public let rate: Double

  /// The area of the map.
  public let map: Area

  /// The listener; a turn is clockwise, in degrees, with 0 to the north, along -z.
  public var listener = Placement()

  /// The sounds of the scene.
  public var sources: [Source] = []

  /// Other things in the scene: walls, doors.
  public var things: [Thing] = []

  /// The level at each ear, in decibels.
  public var ears = Ears()

  /// Values that the page shows as numbers.
  public var readings: [Reading] = []

  /// The parts of a story, from its beginning.
  public var chapters: [Chapter] = []

  /// The events of the sounds, such as a loop.
  public var events: [Event] = []

  /// A page with a sound and an empty map.
  ///
  /// The default of `rate` is 30, and less for more than ten minutes, because 18,000 values suffice for any screen. It
  /// replaces a rate that is not above 0.
  public init(title: String, summary: String, sound: PageSound, rate: Double? = nil, map: Area) {
    self.title = title
    self.summary = summary
    self.sound = sound
    self.rate = rate.flatMap { $0 > 0 && $0.isFinite ? $0 : nil } ?? Self.usualRate(for: sound.seconds)
    self.map = map
  }

  /// The duration of the sound, in seconds.
  public var seconds: Double { sound.seconds }

  /// The times of the values of a list over time, in seconds.
  public var moments: [Double] {
    (0...max(Int((seconds * rate).rounded(.up)), 1)).map { Double($0) / rate }
  }

  private static func usualRate(for seconds: Double) -> Double { min(30, max(18_000 / max(seconds, 1), 1)) }
}

extension ListeningPage {
  /// The area of a map: from west to east and from north to south.
  public struct Area: Hashable, Sendable {
    /// The bounds from west to east, in metres.
    public let x: ClosedRange<Double>

    /// The bounds from north to south, in metres.
    public let z: ClosedRange<Double>

    /// The area between bounds.
    public init(x: ClosedRange<Double>, z: ClosedRange<Double>) {
      self.x = x
      self.z = z
    }
  }

  /// The position and the turn of something over time.
  public struct Placement: Sendable {
    let x: Track
    let z: Track
    let turn: Track

    /// Positions over time, and turns that continue beyond 180 degrees, so that they can be interpolated.
    public init(x: [Double] = [0], z: [Double] = [0], turn: [Double] = [0]) {
      (self.x, self.z, self.turn) = (Track(x), Track(z), Track(turn))
    }
  }

  /// A sound: its name, its position, its level at the listener, and its visibility.
  public struct Source: Sendable {
    let name: String
    let x: Track
    let z: Track
    let level: Track?
    let opacity: Track

    /// A sound.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - x: Its position from west to east, in metres.
    ///   - z: Its position from north to south, in metres.
    ///   - level: Its level at the listener, in decibels, drawn as a disc around it; none by default.
    ///   - opacity: Its visibility, from 0 to 1.
    public init(name: String, x: [Double], z: [Double], level: [Double]? = nil, opacity: [Double] = [1]) {
      self.name = name
      (self.x, self.z) = (Track(x), Track(z))
      self.level = level.map { Track($0, finest: 10) }
      self.opacity = Track(opacity)
    }
  }

  /// A line or, with a radius, a disc that may move, turn and fade.
  public struct Thing: Sendable {
    let points: [SIMD2<Double>]
    let radius: Double?
    let color: String
    let width: Double
    let place: Placement
    let opacity: Track

    /// A line through points, or a disc.
    ///
    /// - Parameters:
    ///   - points: The points of the line, x and z in metres, relative to the position of the thing.
    ///   - radius: The radius of a disc, in metres; without it the thing is a line.
    ///   - color: The name of a colour: `ink`, `quiet`, `faint`, `accent`, or `series1` to `series8` as the sounds.
    ///   - width: The width of the line, in pixels.
    ///   - place: The position and the turn.
    ///   - opacity: The visibility, from 0 to 1.
    public init(
      through points: [SIMD2<Double>] = [],
      radius: Double? = nil,
      color: String = "quiet",
      width: Double = 1.5,
      at place: Placement = Placement(),
      opacity: [Double] = [1]
    ) {
      (self.points, self.radius, self.color, self.width) = (points, radius, color, width)
      (self.place, self.opacity) = (place, Track(opacity))
    }
  }

  /// The levels of the left and the right ear, in decibels.
  public struct Ears: Sendable {
    let left: Track
    let right: Track

    /// Levels over time; minus infinity is silence.
    public init(left: [Double] = [-.infinity], right: [Double] = [-.infinity]) {
      (self.left, self.right) = (Track(left, finest: 10), Track(right, finest: 10))
    }

    /// The scale of the page: 50 dB up to a multiple of 10 dB, at or above the loudest level.
    var scale: ClosedRange<Double> {
      let loudest = max(left.values.max() ?? -200, right.values.max() ?? -200)
      let highest = loudest > -200 ? (loudest / 10).rounded(.up) * 10 : 0
      return highest - 50...highest
    }
  }

  /// A value that the page shows as a number.
  public struct Reading: Sendable {
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
  public struct Chapter: Sendable {
    let time: Double
    let title: String
    let text: String

    /// A part from a time on, in seconds, with a short title and a sentence.
    public init(at time: Double, title: String, text: String) {
      (self.time, self.title, self.text) = (time, title, text)
    }
  }

  /// An event of a sound.
  public struct Event: Sendable {
    let time: Double
    let source: Int
    let text: String

    /// An event at a time in seconds, of a sound that is counted from 0.
    ///
    /// The page lists events of one sound with one text in one line.
    public init(at time: Double, source: Int, text: String) {
      (self.time, self.source, self.text) = ((time * 1_000).rounded() / 1_000, source, text)
    }
  }

  /// Values over time, rounded, and a single value if all are the same or the list is empty.
  struct Track: Hashable, Sendable {
    let values: [Double]

    init(_ values: [Double], finest: Double = 1_000) {
      let rounded = values.map { value in
        // JSON has no notation for infinity; -200 dB is inaudible.
        value.isFinite ? (max(value, -200) * finest).rounded() / finest + 0 : -200
      }
      self.values = Set(rounded).count > 1 ? rounded : [rounded.first ?? 0]
    }
  }
}
