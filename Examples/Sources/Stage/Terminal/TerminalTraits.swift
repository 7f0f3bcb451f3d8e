/// The abilities of a terminal by its environment.
package struct TerminalTraits: Hashable, Sendable {
  /// Whether the locale's character set is UTF-8.
  package let hasUnicode: Bool

  /// The value of `TERM`; empty if it is missing.
  package let name: String

  /// Whether the terminal can move its cursor: not if `TERM` is missing or `dumb`.
  package let canMoveCursor: Bool

  /// The colours of the terminal; none if `NO_COLOR` is not empty, or for the VT terminals, which have none.
  package let palette: Palette

  /// The abilities by the variables of an environment.
  package init(_ environment: [String: String]) {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    hasUnicode = ["utf-8", "utf8"].contains { locale.lowercased().contains($0) }
    name = environment["TERM"] ?? ""
    canMoveCursor = !["", "dumb", "unknown"].contains(name)
    let isColorless = name.hasPrefix("vt") || name.hasSuffix("-m") || name.hasSuffix("-mono")
    palette = isColorless || environment["NO_COLOR"]?.isEmpty == false ? .monochrome : .colors
  }
}
