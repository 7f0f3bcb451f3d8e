/// The tree of the stems of a world: which stem has the sum of which, and in which order they are processed.
///
/// Pure: no call and no lock.
struct StemPlan: Hashable, Sendable {
  /// The stem whose sum has the sum of each stem; `nil` for the stem of the main bus, which is the first one.
  let parents: [StemIndex?]
  /// The stems in the order of their processing: a stem comes behind all stems inside it.
  let order: [StemIndex]

  /// A plan; the parents lead to the first stem.
  init(parents: [StemIndex?]) {
    self.parents = parents
    func depth(of stem: StemIndex) -> Int {
      var (depth, next) = (0, parents[stem.position])
      while let stem = next { (depth, next) = (depth + 1, parents[stem.position]) }
      return depth
    }
    let depths = parents.indices.map { depth(of: StemIndex($0)) }
    order = parents.indices.sorted { (depths[$1], $0) < (depths[$0], $1) }.map { StemIndex($0) }
  }

  /// The plan of the stem of the main bus alone.
  static let main = StemPlan(parents: [nil])

  /// The delays of a strip that bring all sounds of a mix into time, in frames.
  struct Alignment: Hashable, Sendable {
    /// The delay of the sounds of the bus, before the sums of the buses inside it come to them.
    var entry = 0
    /// The delay behind the strip, before the sum beside which it is.
    var exit = 0
  }

  /// The alignment of each stem, whose strips delay their sums by so many frames.
  ///
  /// All sounds that come together in a sum are then as late as the latest of them.
  func alignments(forLatencies latencies: [Int]) -> [Alignment] {
    var alignments = Array(repeating: Alignment(), count: parents.count)
    // The frames by which the sum of a stem is late behind its strip.
    var totals = Array(repeating: 0, count: parents.count)
    for stem in order {
      let inside = parents.indices.filter { parents[$0] == stem }
      let latest = inside.map { totals[$0] }.max() ?? 0
      alignments[stem.position].entry = latest
      for index in inside { alignments[index].exit = latest - totals[index] }
      totals[stem.position] = latest + latencies[stem.position]
    }
    return alignments
  }
}
