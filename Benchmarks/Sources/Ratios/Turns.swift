internal import OpenALLoops

/// Two ways to do the same, run in turns, so that whatever slows the machine down slows both.
enum Turns {
  /// How much more processor time one closure takes than another, a ratio each round.
  ///
  /// Each is run several times a round, and its fastest run counts: what interrupts a run makes it slower, never faster.
  static func ratios(
    rounds: Int = 25,
    runs: Int = 10,
    of body: () -> Void,
    to reference: () -> Void
  ) -> [Double] {
    (0..<rounds).map { _ in
      var (own, other) = (Double.infinity, Double.infinity)
      for _ in 0..<runs {
        own = min(own, seconds(body))
        other = min(other, seconds(reference))
      }
      return own / other
    }
  }

  private static func seconds(_ body: () -> Void) -> Double {
    let start = thread_seconds()
    body()
    return thread_seconds() - start
  }
}
