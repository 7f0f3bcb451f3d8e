/// The colours and the type of all drawings: light, or dark if the reader's system is dark.
///
/// One class sets a colour; `fill` or `line` applies it to the area or the outline: `class="series2 line"`.
@_spi(Drawing) public enum Theme: Sendable {
  /// The number of series with a colour of their own.
  static let seriesCount = 8

  /// The class of a series, counted from 0; the colours repeat from ``seriesCount`` on.
  public static func series(_ index: Int) -> String {
    "series\((index % seriesCount + seriesCount) % seriesCount + 1)"
  }

  // Series differ in lightness as well as in hue, so that they are distinct with every kind of colour blindness.
  private static let light: KeyValuePairs = [
    "paper": "#ffffff", "panel": "#f6f7f8", "ink": "#1c2126", "quiet": "#5b646d", "faint": "#d5dade",
    "accent": "#cf5200",
    "series1": "#0068b0", "series2": "#00875f", "series3": "#b8528f", "series4": "#a86e00", "series5": "#6b57b0",
    "series6": "#2990b8", "series7": "#7d5235", "series8": "#667078",
  ]

  private static let dark: KeyValuePairs = [
    "paper": "#14181c", "panel": "#1b2025", "ink": "#eef1f4", "quiet": "#a3adb6", "faint": "#363e46",
    "accent": "#ff9450",
    "series1": "#5db7f5", "series2": "#3fc998", "series3": "#ec93c6", "series4": "#e8b04a", "series5": "#ab9cf0",
    "series6": "#7ad0ee", "series7": "#cf9e7c", "series8": "#a9b2ba",
  ]

  /// The style sheet of a drawing that is light or dark as the reader's system is.
  public static let styleSheet = """

    \(shapes)
    \(rules(light))
    @media (prefers-color-scheme: dark) {
    \(rules(dark))
    }

    """

  /// One of the two sets of colours.
  public enum Appearance: CaseIterable, Sendable {
    /// Dark lines on a light background.
    case light
    /// Light lines on a dark background.
    case dark
  }

  /// The style sheet of a drawing that is always light or always dark, for a page that has one of each.
  public static func styleSheet(_ appearance: Appearance) -> String {
    """

    \(shapes)
    \(rules(appearance == .light ? light : dark))

    """
  }

  /// The rules that do not depend on colours.
  private static let shapes = """
    text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; \
    font-size: 12px; font-variant-numeric: tabular-nums; }
    text, tspan { fill: currentColor; }
    .title { font-size: 21px; font-weight: 600; }
    .heading { font-size: 13px; font-weight: 600; }
    .small { font-size: 11px; }
    .middle { text-anchor: middle; }
    .end { text-anchor: end; }
    .number { font-size: 11px; font-weight: 700; text-anchor: middle; }
    .fill { fill: currentColor; }
    .line { fill: none; stroke: currentColor; stroke-linejoin: round; stroke-linecap: round; }
    """

  /// The colours for a page's own style sheet, as custom properties: `--paper`, `--ink`, `--series1`.
  static let customProperties = """
    :root { \(properties(light)) }
    @media (prefers-color-scheme: dark) { :root { \(properties(dark)) } }
    """

  private static func properties(_ colors: KeyValuePairs<String, String>) -> String {
    colors.map { "--\($0.key): \($0.value);" }.joined(separator: " ")
  }

  private static func rules(_ colors: KeyValuePairs<String, String>) -> String {
    func color(_ name: String) -> String { colors.first { $0.key == name }?.value ?? "" }
    let rules = colors.map { ".\($0.key) { color: \($0.value); }" }
    let hollow = ".hollow { fill: \(color("paper")); stroke: currentColor; stroke-linejoin: round; }"
    // Text that crosses lines has a halo of the panel's colour.
    let halo =
      ".halo { paint-order: stroke; stroke: \(color("panel")); stroke-width: 4px; stroke-linejoin: round; }"
    return (rules + [hollow, halo]).joined(separator: "\n")
  }
}
