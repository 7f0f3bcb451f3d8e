/// One line on a terminal with the progress of the work, which disappears at its end.
///
/// The line is written to standard error, and only if that is a terminal.
public struct ProgressLine: ~Copyable {
  private let isShown = Terminal.isWatched
  private var shownAt: ContinuousClock.Instant?

  /// An empty line.
  public init() {}

  /// Shows the finished part of the work, from 0 to 1, and the time that is left; at most ten times a second.
  public mutating func show(_ task: String, done part: Double, left: Duration? = nil) {
    let now = ContinuousClock.now
    guard isShown, shownAt.map({ now - $0 >= .milliseconds(100) }) ?? true else { return }
    shownAt = now
    Terminal.write("\r\(Self.text(task, done: part, left: left))\u{1B}[K")
  }

  /// Removes the line until it is shown again, so that another line can be printed.
  public mutating func erase() {
    guard shownAt != nil else { return }
    Terminal.write("\r\u{1B}[K")
    shownAt = nil
  }

  deinit {
    if shownAt != nil { Terminal.write("\r\u{1B}[K") }
  }

  /// The line: the task, a bar, a percentage, and the time that is left.
  static func text(_ task: String, done part: Double, left: Duration? = nil) -> String {
    let part = part.isNaN ? 0 : min(max(part, 0), 1)
    let width = 30
    let full = Int(part * Double(width))
    let bar = String(repeating: "━", count: full) + String(repeating: "╌", count: width - full)
    let percent = "\(Int(part * 100))"
    let end = left.map { left in
      let seconds = Int(left.components.seconds)
      return "  \(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60) left"
    }
    return "\(task)  \(bar)  \(String(repeating: " ", count: 3 - percent.count))\(percent) %\(end ?? "")"
  }
}
