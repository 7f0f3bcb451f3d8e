/// The present and the wanted output of a device.
///
/// Pure: no call and no lock.
struct OutputSelection: Hashable, Sendable {
  /// The requested name; `nil` for the default output.
  private(set) var name: String?
  private(set) var policy: DevicePolicy
  var keepsTime = true
  /// The output that the device is on, or was on last.
  private(set) var current: String
  /// The default output at the device's last move there, or at the last chance of one.
  private(set) var lastKnownDefault: KnownDefault
  /// The output that a poll has found since the device is on it.
  ///
  /// An output that was never found cannot go missing: a system may use different names for it, and it may not open
  /// twice.
  private(set) var lastConfirmed: String?
  /// The number of moves of the device, and of changes of its target.
  ///
  /// A finding from before a move is outdated.
  private(set) var generation = 0
  /// Whether the sound server hung while the device was on the present output.
  ///
  /// Such an output is opened again. A stream through `pipewire-pulse` 0.3.65 may be silent for good after its server
  /// hung on a busy machine: its clock goes on, and other streams are audible.
  private(set) var hasHung = false

  /// The last known default output.
  enum KnownDefault: Hashable, Sendable {
    /// The name, from the list of outputs or from opening the default one.
    case found(String, isListed: Bool)
    /// No name: the device stays on its output, which the player has chosen, whichever default a poll finds next.
    case unknown
    /// No name, and the device moves to the default output.
    case wanted
  }

  /// The choice of a device that was opened by name, or as the default output.
  init(name: String?, on current: String) {
    self.name = name
    self.current = current
    lastKnownDefault = name == nil ? .found(current, isListed: false) : .unknown
    policy = name == nil ? .follow : .stay
  }

  /// Adopts another policy.
  ///
  /// A device with the policy `stay` moves to the default output, whether the default has changed or not.
  mutating func adopt(_ new: DevicePolicy) {
    guard new != policy else { return }
    if policy == .stay { lastKnownDefault = .wanted }
    policy = new
    generation += 1
  }

  /// Stores an arrival at an output that was opened by name or as the default one.
  ///
  /// `isAsked` is true where the program asked for the move.
  mutating func arrive(on current: String, by name: String?, isAsked: Bool) {
    self.current = current
    lastConfirmed = nil
    hasHung = false
    generation += 1
    if name == nil {
      lastKnownDefault = .found(current, isListed: false)
    } else if isAsked {
      // An earlier change of the default does not move the device away again.
      lastKnownDefault = .unknown
    }
    if isAsked { self.name = name }
  }

  /// Stores a move to a placeholder.
  mutating func leave() {
    hasHung = false
    generation += 1
  }

  /// Stores whether the server of the present output hung, unless the device has moved since.
  mutating func storeHang(_ hasHung: Bool, after generation: Int) {
    if generation == self.generation { self.hasHung = hasHung }
  }

  /// The output to open while the device has no output: a name, or `nil` for the default output.
  var wanted: String? {
    switch policy {
    case .follow, .pauseOnOutputLoss: nil
    // A device that was opened as the default output waits for the same output.
    case .stay: name ?? current
    }
  }

  /// The result of a poll of the outputs.
  struct Finding: Hashable, Sendable {
    /// The default output; `nil` where it was not polled, or does not exist.
    var defaultName: String?
    /// Whether `defaultName` comes from the list of outputs, and not from opening it.
    var isListed = false
    /// Whether the device's output still exists; `nil` where that is unknown.
    var isThere: Bool?
  }

  /// The next step of a device on an output.
  enum Step: Hashable, Sendable {
    case stay
    /// Move to the default output.
    case move(pausing: Bool)
    /// Move to a placeholder: the server has moved playback elsewhere, which counts as a loss.
    case leave
    /// Open the present output once more: the server may have moved playback along with the default.
    case reopen
  }

  /// The next step of a device on an output, after a poll.
  ///
  /// Only a changed default counts, because systems use different names for it. Only an output that a poll has found
  /// can go missing.
  func step(for finding: Finding) -> Step {
    let isRemoved = lastConfirmed == current && finding.isThere == false
    guard let other = finding.defaultName, other != current, isRemoved || isNew(finding) else {
      return isRemoved ? .leave : .stay
    }
    if policy == .stay {
      if isRemoved { return .leave }
      return wasDefault ? .reopen : .stay
    }
    return .move(pausing: policy == .pauseOnOutputLoss && isRemoved)
  }

  /// Whether the present output was the default one.
  private var wasDefault: Bool {
    if case .found(let name, _) = lastKnownDefault { Self.areNamesakes(name, current) } else { false }
  }

  /// Whether another output has become the default.
  private func isNew(_ finding: Finding) -> Bool {
    guard let name = finding.defaultName else { return false }
    switch lastKnownDefault {
    case .wanted: return true
    case .unknown: return false
    case .found(let before, let wasListed):
      return wasListed == finding.isListed ? name != before : !Self.areNamesakes(name, before)
    }
  }

  /// Stores a finding that needs no step, unless the device has moved since.
  mutating func store(_ finding: Finding, after generation: Int) {
    guard generation == self.generation else { return }
    if let name = finding.defaultName { lastKnownDefault = .found(name, isListed: finding.isListed) }
    if finding.isThere == true { lastConfirmed = current }
  }

  /// Stores the name of the default output from before a move, unless another output is the default by now.
  mutating func adoptArrival(_ finding: Finding, among names: [String], after generation: Int) {
    guard let name = finding.defaultName else { return }
    // If the list has the opened output, the default is that one; otherwise the system may list it under another name.
    let isSame = finding.isListed ? Self.areNamesakes(name, current) || !names.contains(current) : name == current
    if isSame { store(Finding(defaultName: name, isListed: finding.isListed), after: generation) }
  }

  /// Whether names of outputs differ only in their number, such as *USB Audio* and *USB Audio #2*.
  static func areNamesakes(_ one: String, _ other: String) -> Bool { withoutNumber(one) == withoutNumber(other) }

  private static func withoutNumber(_ name: String) -> Substring {
    var rest = name[...]
    while let last = rest.last, ("0"..."9").contains(last) { rest.removeLast() }
    return rest.endIndex < name.endIndex && rest.hasSuffix(" #") ? rest.dropLast(2) : name[...]
  }
}
