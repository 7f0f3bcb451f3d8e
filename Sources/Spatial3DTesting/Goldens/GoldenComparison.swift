public import Spatial3D

/// The result of a comparison of a mix with a golden one.
public struct GoldenComparison: Hashable, Sendable {
  /// The judgement.
  public let verdict: Verdict

  /// The difference of the mix from the golden one.
  public let difference: MixDifference

  /// The largest difference of a sample that passes.
  public let tolerance: Decibels

  /// The renderer of the mix.
  public let renderer: RendererFingerprint

  /// The renderer that recorded the golden mix.
  public let goldenRenderer: RendererFingerprint

  /// The path of the golden mix.
  let path: String

  /// A judgement on a mix.
  public enum Verdict: Hashable, Sendable, CaseIterable {
    /// The mix is the golden one, within the tolerance.
    case same

    /// The mix differs, and the renderer is the same: the scene sounds different.
    case different

    /// The mix differs, and so does the renderer: the comparison is inconclusive about the scene.
    case otherRenderer
  }

  /// Whether the mix is the golden one, within the tolerance, independent of the renderer.
  public var isSame: Bool { verdict == .same }
}

extension GoldenComparison: CustomStringConvertible {
  /// The verdict in sentences, with numbers and what to check.
  public var description: String {
    switch verdict {
    case .same:
      "The mix is \(path), within \(text(tolerance))."
    case .different:
      """
      The mix is not \(path). \(difference) At most \(text(tolerance)) was let pass. The renderer is the one that recorded it: \
      the scene sounds different. Listen to both, and record it anew if that is meant.
      """
    case .otherRenderer:
      """
      The mix is not \(path), and another renderer recorded that (\(changes)), so that the scene may be as it was. \
      \(difference) At most \(text(tolerance)) was let pass. Record a golden mix for this renderer too, under a name with \
      its fingerprint's `name`, or compare what is measured instead.
      """
    }
  }

  private var changes: String {
    renderer.changes(from: goldenRenderer).joined(separator: "; ")
  }
}
