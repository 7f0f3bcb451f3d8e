/// One line on a terminal with the progress of the work, which disappears at its end.
///
/// The line is written to standard error, and only if that is a terminal.
public struct ProgressLine: ~Copyable {
  private let isShown = Terminal.isWatched
  private var shownAt: ContinuousClock.Instant?

  /// An empty line.
  public init() {}

  /// Shows the finished part of the work, from 0 to 1; at most ten times a second.
  public mutating func show(_ task: String, done part: Double) {
    let now = ContinuousClock.now
    guard isShown, shownAt.map({ now - $0 >= .milliseconds(100) }) ?? true else { return }
    shownAt = now
    Terminal.write("\r\(Self.text(task, done: part))\u{1B}[K")
  }

  deinit {
    if shownAt != nil { Terminal.write("\r\u{1B}[K") }
  }

  /// The line: the task, a bar, a percentage.
  static func text(_ task: String, done part: Double) -> String {
    let part = part.isNaN ? 0 : min(max(part, 0), 1)
    let width = 30
    let full = Int(part * Double(width))
    let bar = String(repeating: "━", count: full) + String(repeating: "╌", count: width - full)
    let percent = "\(Int(part * 100))"
    return "\(task)  \(bar)  \(String(repeating: " ", count: 3 - percent.count))\(percent) %"
  }
}
