/// Which output a device is to be on.
///
/// Pure: no call and no lock.
struct OutputChoice: Hashable, Sendable {
  /// What was asked for; `nil` for the default output.
  var name: String?
  var policy: DevicePolicy
  var keepsTime = true
  /// The default output when the device was last brought there, or might have been.
  var knownDefault: String?
  /// The output that was found to be there while the device was on it.
  ///
  /// One that never was cannot be missed: what a system calls an output may differ from place to place, and it may not open twice.
  var seen: String?

  /// The choice of a device that was opened by name, or as the default output, and is on one now.
  init(name: String?, on current: String) {
    self.name = name
    knownDefault = name == nil ? current : nil
    policy = name == nil ? .follow : .stay
  }

  /// Takes another policy.
  ///
  /// A device that stayed and is to follow goes to the default output, whether that changed or not.
  mutating func adopt(_ new: DevicePolicy) {
    if policy == .stay, new != .stay { knownDefault = nil }
    policy = new
  }

  /// The output to open where there is none: by name, or the default one.
  func wanted(last: String) -> String? {
    switch policy {
    case .follow, .pauseOnOutputLoss: nil
    // One that was opened as the default output stays what that was.
    case .stay: name ?? last
    }
  }

  /// What there is to be found of outputs.
  struct Finding: Hashable, Sendable {
    /// `nil` where it was not looked for, or there is none.
    var defaultName: String?
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

  /// What to do on an output, after a look at what there is.
  ///
  /// Only a default that is another than before counts, as systems differ in what they call one, and only an output is missed that
  /// was seen.
  func step(on current: String, finding: Finding) -> Step {
    let isTakenAway = seen == current && finding.isThere == false
    let isMoved = isTakenAway || finding.defaultName != knownDefault
    guard policy != .stay, let other = finding.defaultName, other != current, isMoved else {
      return isTakenAway ? .leave : .stay
    }
    return .move(pausing: policy == .pauseOnOutputLoss && isTakenAway)
  }

  /// Remembers what was found where there was nothing to do.
  mutating func note(_ finding: Finding, on current: String) {
    if let name = finding.defaultName { knownDefault = name }
    if finding.isThere == true { seen = current }
  }
}
