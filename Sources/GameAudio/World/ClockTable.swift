/// The clocks of beats.
struct ClockTable: Sendable {
  /// The values of a clock at a time of the mix.
  typealias Reading = @Sendable (Duration) -> WorldSnapshot.Clock

  private var readings: [Int: Reading] = [:]
  /// The number of the newest clock.
  private(set) var lastNumber = 0

  var count: Int { readings.count }

  /// Adds a clock; returns its number.
  mutating func add(_ makeReading: (_ number: Int) -> Reading) -> Int {
    lastNumber += 1
    readings[lastNumber] = makeReading(lastNumber)
    return lastNumber
  }

  mutating func remove(_ number: Int) { readings[number] = nil }

  /// The values of all clocks, in the order of their numbers.
  func snapshots(at time: Duration) -> [WorldSnapshot.Clock] {
    readings.sorted { $0.key < $1.key }.map { $0.value(time) }
  }
}
