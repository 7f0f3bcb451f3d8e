/// The version of OpenAL Soft, such as 1.19.1.
struct LibraryVersion: Comparable, Sendable {
  let major: Int
  let minor: Int
  let patch: Int

  init(_ major: Int, _ minor: Int, _ patch: Int) { (self.major, self.minor, self.patch) = (major, minor, patch) }

  /// The version in a text such as `1.1 ALSOFT 1.19.1`; `nil` for another library.
  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard let name = words.firstIndex(of: "ALSOFT"), words.indices.contains(name + 1) else { return nil }
    // A development version has a suffix: "1.26.0-rc1".
    let numbers = words[name + 1].split(separator: "-")[0].split(separator: ".").map { Int($0) }
    guard numbers.count >= 2, let major = numbers[0], let minor = numbers[1] else { return nil }
    self.init(major, minor, numbers.count > 2 ? numbers[2] ?? 0 : 0)
  }

  static func < (left: Self, right: Self) -> Bool {
    (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
  }
}
