/// One look at the outputs, for as many devices as there are.
///
/// May take long. Without a lock.
struct OutputLook {
  private let hearing: OutputHearing
  private var foundDefault: String??
  private var foundNames: [String]?

  /// Whether the system tells.
  var isTold: Bool { hearing == .told }

  /// Whether the default output was looked for and would not open.
  var hasFailed: Bool { foundDefault == .some(nil) }

  init(_ hearing: OutputHearing) { self.hearing = hearing }

  /// The default output.
  ///
  /// By opening it where the library has to be asked: the list of OpenAL Soft 1.19 holds up all calls of other threads for as long
  /// as it takes.
  mutating func defaultName() -> String? {
    if let foundDefault { return foundDefault }
    let name = isTold ? AudioDevice.defaultOutputName : DeviceHandle.openedName(of: nil)
    foundDefault = name
    return name
  }

  /// Whether there is something to be found of what is on an output, and finding it does no harm.
  ///
  /// What is not of a sound server is always the same by default, and opening it once more is not for nothing: the wave writer
  /// empties its file, JACK shows a client that comes and goes, and a card may not open twice.
  static func isLookedFor(_ name: String, as hearing: OutputHearing) -> Bool {
    hearing == .told || !(ownNames.contains(name) || name.contains("(CARD="))
  }

  /// What OpenAL Soft itself calls outputs, where no server names them.
  private static let ownNames: Set = [
    "ALSA Default", "CoreAudio Default", "Default Device", "JACK Default", "No Output", "OSS Default", "OpenSL",
    "PortAudio Default", "QSA Default", "SndIO Default", "Solaris Default", "Wave File Writer",
  ]

  /// Whether nobody tells what becomes of an output, so that it is asked for.
  func isAsked(of name: String) -> Bool { !isTold && Self.isLookedFor(name, as: hearing) }

  /// What a device wants to know that is on an output.
  mutating func finding(for choice: OutputChoice) -> OutputChoice.Finding {
    let current = choice.current
    guard Self.isLookedFor(current, as: hearing) else { return OutputChoice.Finding() }
    let defaultName = choice.policy == .stay ? nil : defaultName()
    return OutputChoice.Finding(defaultName: defaultName, isListed: isTold, isThere: isThere(choice))
  }

  /// Whether the default output opens; where the library had to be asked for it, it has.
  func opensDefault() -> Bool { !isTold || DeviceHandle.openedName(of: nil) != nil }

  private mutating func isThere(_ choice: OutputChoice) -> Bool? {
    let current = choice.current
    if isTold { return isListed(current) }
    // A library that may have the lists of a server that is gone opens nothing by a name that is new since: that is not missed.
    if foundDefault == current, hearing == .never || choice.seen == current { return true }
    if DeviceHandle.openedName(of: current) != nil { return true }
    if hearing == .never { return isListed(current) }
    // Where nothing else opens, the server is busy or gone.
    guard let other = defaultName(), other != current else { return nil }
    return Self.isThere(current, among: [other])
  }

  private mutating func isListed(_ name: String) -> Bool? {
    let names = foundNames ?? AudioDevice.outputNames
    foundNames = names
    return Self.isThere(name, among: names)
  }

  /// Whether an output is one of those that were found; `nil` where that cannot be said.
  ///
  /// Which of several outputs of one name has which number changes as they come and go.
  static func isThere(_ name: String, among found: [String]) -> Bool? {
    if found.contains(name) { return true }
    let mayBeThere = found.isEmpty || found.contains { OutputChoice.areNamesakes($0, name) }
    return mayBeThere ? nil : false
  }
}

/// How long to wait before outputs are looked at again, where the library has to be asked: two seconds, or longer, so that looking
/// takes a thousandth of the time.
///
/// Pure: no call and no lock.
struct OutputPace: Hashable, Sendable {
  static let shortest: Int64 = 2_000_000_000
  static let longest: Int64 = 600_000_000_000

  private var last = shortest

  /// Nanoseconds to wait after a look that took so many; an output that would not open beside others is asked for ever less often.
  mutating func next(afterLookOf nanoseconds: Int64, hasFailed: Bool) -> Int64 {
    let wanted = hasFailed ? last * 2 : nanoseconds.clamped(to: 0...Self.longest) * 1_000
    last = wanted.clamped(to: Self.shortest...Self.longest)
    return last
  }
}
