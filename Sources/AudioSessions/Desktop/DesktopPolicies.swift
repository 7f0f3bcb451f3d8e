/// The rules of a sound server between streams of different roles, as its modules state them.
struct DesktopPolicies: Hashable, Sendable {
  private struct Module: Hashable, Sendable {
    let name: String
    /// The arguments by their names.
    let arguments: [String: String]

    /// The roles whose streams affect others: groups with a slash between them, of roles with a comma between them.
    var triggers: Set<String> {
      let roles = arguments["trigger_roles"] ?? "phone"
      return Set(roles.split { $0 == "," || $0 == "/" }.map(String.init))
    }
  }

  private var modules: [UInt32: Module] = [:]
  /// Whether the server is PipeWire, which has none of these modules.
  var isPipeWire = false

  mutating func add(_ index: UInt32, name: String, arguments: String) {
    guard name == "module-role-cork" || name == "module-role-ducking" else { return }
    var found: [String: String] = [:]
    for part in arguments.split(separator: " ") {
      let pair = part.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { found[String(pair[0])] = pair[1].filter { $0 != "\"" && $0 != "'" } }
    }
    modules[index] = Module(name: name, arguments: found)
  }

  mutating func remove(_ index: UInt32) { modules[index] = nil }

  private func modules(_ name: String) -> [Module] { modules.values.filter { $0.name == name } }

  /// The roles of streams that pause the session.
  ///
  /// PipeWire has no such module: a stream of a call is taken for one.
  var interruptingRoles: Set<String> {
    if isPipeWire { return ["phone", "Communication"] }
    return modules("module-role-cork").reduce(into: []) { $0.formUnion($1.triggers) }
  }

  /// The effect of a stream of the role `phone` on others.
  var effectOfPhone: AudioSession.OtherAudioEffect {
    func isTriggered(_ name: String) -> Bool { modules(name).contains { $0.triggers.contains("phone") } }
    if isTriggered("module-role-cork") { return .paused }
    return isTriggered("module-role-ducking") ? .ducked : .nothing
  }
}
