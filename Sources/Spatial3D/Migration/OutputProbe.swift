/// One poll of the outputs, for all devices.
///
/// It may take long. It runs without a lock.
struct OutputProbe {
  private let eventSource: OutputEventSource
  private var foundDefault: String??
  private var foundNames: [String]?

  /// Whether the system reports changes.
  var hasEvents: Bool { eventSource == .live }

  /// Whether the default output was opened without success.
  var hasFailed: Bool { foundDefault == .some(nil) }

  init(_ eventSource: OutputEventSource) { self.eventSource = eventSource }

  /// The default output.
  ///
  /// Without system events the poll opens it: the list of OpenAL Soft 1.19 blocks all calls of other threads for as
  /// long as it takes.
  mutating func defaultName() -> String? {
    if let foundDefault { return foundDefault }
    let name = hasEvents ? DeviceHandle.defaultOutputName : DeviceHandle.openedName(of: nil)
    foundDefault = name
    return name
  }

  /// Whether a poll of an output can detect a change, and does no harm.
  ///
  /// Only a sound server has a changing default, and opening another output once more has side effects: the wave writer
  /// empties its file, JACK shows a client that comes and goes, and a card may not open twice.
  static func canBePolled(_ name: String, as eventSource: OutputEventSource) -> Bool {
    eventSource == .live || mayBeOpened(name)
  }

  /// Whether opening another output beside one does no harm.
  static func mayBeOpened(_ name: String) -> Bool { !(ownNames.contains(name) || name.contains("(CARD=")) }

  /// OpenAL Soft's own names of outputs, where no server names them.
  private static let ownNames: Set = [
    "ALSA Default", "CoreAudio Default", "Default Device", "JACK Default", "No Output", "OSS Default", "OpenSL",
    "PortAudio Default", "QSA Default", "SndIO Default", "Solaris Default", "Wave File Writer",
  ]

  /// Whether an output has to be polled, because no event reports its changes.
  func isAsked(of name: String) -> Bool { !hasEvents && Self.canBePolled(name, as: eventSource) }

  /// The finding for a device on an output.
  mutating func finding(for choice: OutputSelection) -> OutputSelection.Finding {
    let current = choice.current
    guard Self.canBePolled(current, as: eventSource) else { return OutputSelection.Finding() }
    // Only libraries with system events let a server move a device that stays.
    let defaultName = choice.policy == .stay && !hasEvents ? nil : defaultName()
    return OutputSelection.Finding(defaultName: defaultName, isListed: hasEvents, isThere: isThere(choice))
  }

  /// Whether the default output opens; true without system events, because `defaultName()` has opened it.
  func opensDefault() -> Bool { !hasEvents || DeviceHandle.openedName(of: nil) != nil }

  private mutating func isThere(_ choice: OutputSelection) -> Bool? {
    let current = choice.current
    if hasEvents { return isListed(current) }
    // A library with the lists of an ended server cannot open a new output by name: such an output does not count as
    // missing.
    if foundDefault == current, eventSource == .unsupported || choice.lastConfirmed == current { return true }
    if DeviceHandle.openedName(of: current) != nil { return true }
    if eventSource == .unsupported { return isListed(current) }
    // If no other output opens either, the server is busy or gone.
    guard let other = defaultName(), other != current else { return nil }
    return Self.isThere(current, among: [other])
  }

  private mutating func isListed(_ name: String) -> Bool? {
    let names = foundNames ?? DeviceHandle.outputNames
    foundNames = names
    return Self.isThere(name, among: names)
  }

  /// Whether an output is among the found outputs; `nil` where that is unknown.
  ///
  /// The numbers of outputs with one name change as the outputs come and go.
  static func isThere(_ name: String, among found: [String]) -> Bool? {
    if found.contains(name) { return true }
    let mayBeThere = found.isEmpty || found.contains { OutputSelection.areNamesakes($0, name) }
    return mayBeThere ? nil : false
  }
}

/// The time between two polls of the outputs: two seconds, or longer, so that polling takes a hundredth of the time.
///
/// A poll takes 2 ms with PulseAudio, and 8 to 38 ms with PipeWire. Pure: no call and no lock.
struct PollInterval: Hashable, Sendable {
  static let shortest: Int64 = 2_000_000_000
  static let longest: Int64 = 600_000_000_000

  private var last = shortest

  /// Returns the nanoseconds to wait after a poll of a duration; doubles them after each failure to open the default
  /// output.
  mutating func next(afterPollOf nanoseconds: Int64, hasFailed: Bool) -> Int64 {
    let wanted = hasFailed ? last * 2 : nanoseconds.clamped(to: 0...Self.longest) * 100
    last = wanted.clamped(to: Self.shortest...Self.longest)
    return last
  }
}
