/// Values that the tools share.
public enum Tools {
  /// The version of the package, as the first heading of CHANGELOG.md names it.
  public static let version = "unreleased"
}
