/// A valid combination of a category, a mode and options.
struct SessionConfiguration: Hashable, Sendable {
  let category: SessionCategory
  let mode: SessionMode
  /// The options, including the options that the mode and other options imply.
  let options: SessionOptions

  /// The combination of a program that has chosen none.
  static let initial = SessionConfiguration(category: .soloAmbient)

  private init(category: SessionCategory) {
    self.category = category
    mode = .default
    options = []
  }

  init(category: SessionCategory, mode: SessionMode, options: SessionOptions) throws(SessionError) {
    let rules = SessionRules.rules(of: category)
    let refused = options.subtracting(rules.options)
    guard refused.isEmpty else { throw .notAllowed(refused, with: category) }
    guard rules.modes.contains(mode) else { throw .notAllowed(mode, with: category) }

    var effective = options.union(SessionRules.impliedByModes[mode] ?? [])
    for (option, implied) in SessionRules.impliedByOptions where options.contains(option) {
      effective.formUnion(implied)
    }
    guard mode == .default || !effective.contains(.mixWithOthers) else { throw .mixable(options, in: mode) }

    self.category = category
    self.mode = mode
    self.options = effective
  }

  var rules: CategoryRules { SessionRules.rules(of: category) }

  /// Whether the session plays beside others, without an interruption of either.
  var isMixable: Bool {
    switch rules.mixing {
    case .never: false
    case .byOption: options.contains(.mixWithOthers)
    case .always: true
    }
  }

  /// The part of a route that the category uses.
  func visiblePart(of route: SessionRoute) -> SessionRoute {
    SessionRoute(outputs: rules.plays ? route.outputs : [], inputs: rules.records ? route.inputs : [])
  }
}

// MARK: - Broken rules

extension SessionError {
  private static func list(_ categories: [SessionCategory]) -> String {
    categories.map { "\($0)" }.joined(separator: ", ")
  }

  fileprivate static func notAllowed(_ options: SessionOptions, with category: SessionCategory) -> SessionError {
    let names = options.names
    let noun = names.count == 1 ? "option" : "options"
    let allowing = SessionCategory.allCases.filter { SessionRules.rules(of: $0).options.isSuperset(of: options) }
    let rule =
      allowing.isEmpty
      ? "No category allows \(names.count == 1 ? "it" : "them together")."
      : "Allowed with: \(list(allowing))."
    return SessionError(
      .optionNotAllowed,
      "The category \(category) does not allow the \(noun) \(names.joined(separator: ", ")). \(rule)"
        + " Leave the \(noun) out, or choose another category."
    )
  }

  fileprivate static func notAllowed(_ mode: SessionMode, with category: SessionCategory) -> SessionError {
    let allowing = SessionCategory.allCases.filter { SessionRules.rules(of: $0).modes.contains(mode) }
    return SessionError(
      .modeNotAllowed,
      "The category \(category) does not allow the mode \(mode). Allowed with:"
        + " \(list(allowing)). Choose the mode default, or another category."
    )
  }

  fileprivate static func mixable(_ options: SessionOptions, in mode: SessionMode) -> SessionError {
    let mixing = SessionRules.impliedByOptions.map(\.option) + [.mixWithOthers]
    let names = options.intersection(SessionOptions(mixing)).names
    return SessionError(
      .modeNeedsNonMixable,
      "The mode \(mode) needs a session that does not mix with others, and \(names.joined(separator: ", ")) makes it"
        + " mixable. Choose the mode default, or leave out every option that mixes."
    )
  }
}
