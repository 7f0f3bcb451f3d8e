/// Which output a device is on, and is to be on.
///
/// Pure: no call and no lock.
struct OutputChoice: Hashable, Sendable {
  /// What was asked for; `nil` for the default output.
  private(set) var name: String?
  private(set) var policy: DevicePolicy
  var keepsTime = true
  /// The output that the device is on, or was on last.
  private(set) var current: String
  /// The default output when the device was last brought there, or might have been.
  private(set) var known: KnownDefault
  /// The output that was found to be there since the device is on it.
  ///
  /// One that never was cannot be missed: what a system calls an output may differ from place to place, and it may not open twice.
  private(set) var seen: String?
  /// How often the device went elsewhere, or was to.
  ///
  /// What was found out before says nothing of what there is to do after.
  private(set) var turns = 0

  /// What is known of the default output.
  enum KnownDefault: Hashable, Sendable {
    /// What it was called, in the list of outputs or by opening it.
    case found(String, isListed: Bool)
    /// Nothing: whichever is found next is where a device may be or not, as the player has chosen.
    case unknown
    /// Nothing, and the device goes there.
    case wanted
  }

  /// The choice of a device that was opened by name, or as the default output, and is on one now.
  init(name: String?, on current: String) {
    self.name = name
    self.current = current
    known = name == nil ? .found(current, isListed: false) : .unknown
    policy = name == nil ? .follow : .stay
  }

  /// Takes another policy.
  ///
  /// A device that stayed and is to follow goes to the default output, whether that changed or not.
  mutating func adopt(_ new: DevicePolicy) {
    guard new != policy else { return }
    if policy == .stay { known = .wanted }
    policy = new
    turns += 1
  }

  /// The device has come to an output, which was opened by name or as the default one; because a program asked for that, or by itself.
  mutating func arrive(on current: String, by name: String?, isAsked: Bool) {
    self.current = current
    seen = nil
    turns += 1
    if name == nil {
      known = .found(current, isListed: false)
    } else if isAsked {
      // A default that has changed before does not take it away again.
      known = .unknown
    }
    if isAsked { self.name = name }
  }

  /// The device has left its output for a stand-in.
  mutating func leave() { turns += 1 }

  /// The output to open where there is none: by name, or the default one.
  var wanted: String? {
    switch policy {
    case .follow, .pauseOnOutputLoss: nil
    // One that was opened as the default output stays what that was.
    case .stay: name ?? current
    }
  }

  /// What there is to be found of outputs.
  struct Finding: Hashable, Sendable {
    /// `nil` where it was not looked for, or there is none.
    var defaultName: String?
    /// Whether that is its name in the list of outputs, and not by opening it.
    var isListed = false
    /// Whether the output that the device is on is there still; `nil` where that cannot be said.
    var isThere: Bool?
  }

  /// What to do about an output that plays.
  enum Step: Hashable, Sendable {
    case stay
    /// To the default output.
    case move(pausing: Bool)
    /// What it plays is heard elsewhere, by the server's doing: that is a loss.
    case leave
  }

  /// What to do on the output, after a look at what there is.
  ///
  /// Only a default that is another than before counts, as systems differ in what they call one, and only an output is missed that
  /// was seen.
  func step(for finding: Finding) -> Step {
    let isTakenAway = seen == current && finding.isThere == false
    guard policy != .stay, let other = finding.defaultName, other != current, isTakenAway || isNew(finding) else {
      return isTakenAway ? .leave : .stay
    }
    return .move(pausing: policy == .pauseOnOutputLoss && isTakenAway)
  }

  /// Whether another output has become the default.
  private func isNew(_ finding: Finding) -> Bool {
    guard let name = finding.defaultName else { return false }
    switch known {
    case .wanted: return true
    case .unknown: return false
    case .found(let before, let wasListed):
      return wasListed == finding.isListed ? name != before : !Self.areNamesakes(name, before)
    }
  }

  /// Remembers what was found where there is nothing to do, unless the device is elsewhere since.
  mutating func note(_ finding: Finding, after turns: Int) {
    guard turns == self.turns else { return }
    if let name = finding.defaultName { known = .found(name, isListed: finding.isListed) }
    if finding.isThere == true { seen = current }
  }

  /// Remembers what the default output was called before the device was brought to one, unless that is another by now.
  mutating func noteArrival(_ finding: Finding, among names: [String], after turns: Int) {
    guard let name = finding.defaultName else { return }
    // Where the list has what was opened, that is the default; a system may call one otherwise there.
    let isSame = finding.isListed ? Self.areNamesakes(name, current) || !names.contains(current) : name == current
    if isSame { note(Finding(defaultName: name, isListed: finding.isListed), after: turns) }
  }

  /// Whether outputs have one name but for the number that tells them apart, such as *USB Audio* and *USB Audio #2*.
  static func areNamesakes(_ one: String, _ other: String) -> Bool { withoutNumber(one) == withoutNumber(other) }

  private static func withoutNumber(_ name: String) -> Substring {
    var rest = name[...]
    while let last = rest.last, ("0"..."9").contains(last) { rest.removeLast() }
    return rest.endIndex < name.endIndex && rest.hasSuffix(" #") ? rest.dropLast(2) : name[...]
  }
}
