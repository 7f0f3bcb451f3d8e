/// Which output a device is to be on.
///
/// Pure: no call and no lock.
struct OutputChoice: Hashable, Sendable {
  /// What was asked for; `nil` for the default output.
  var name: String?
  var policy: DevicePolicy
  var keepsTime = true
  /// Whether the program has asked to be brought to the default output, so that a library that does not tell is asked.
  var isAsked = false
  /// The default output when the device was last brought there, or might have been.
  var knownDefault: String?

  /// The choice of a device that was opened by name, or as the default output, and is on one now.
  init(name: String?, on current: String) {
    self.name = name
    knownDefault = name == nil ? current : nil
    policy = name == nil ? .follow : .stay
  }

  /// The output to open where there is none: by name, or the default one.
  func wanted(last: String) -> String? {
    switch policy {
    case .follow, .pauseOnOutputLoss: nil
    // One that was opened as the default output stays what that was.
    case .stay: name ?? last
    }
  }

  /// What to do about an output that is there.
  enum Step: Hashable, Sendable {
    case stay
    case move(to: String, pausing: Bool)
  }

  /// What to do on an output, while another may have become the default and the system knows some.
  ///
  /// Only a default that is another than before counts: what a system calls an output may differ from place to place.
  func step(on current: String, default other: String?, known names: [String]) -> Step {
    guard policy != .stay, let other, other != knownDefault, other != current else { return .stay }
    return .move(to: other, pausing: policy == .pauseOnOutputLoss && !names.contains(current))
  }
}
