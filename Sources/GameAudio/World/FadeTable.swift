/// The fades of emitters and players.
struct FadeTable: Sendable {
  var fades = KeyedList<RunningFade.Key, RunningFade>()
  /// The fades that are over, while their completions run.
  var finished: [RunningFade.Key] = []
}

extension FadeTable: RateConvertible {
  mutating func convertFrames(_ conversion: FrameConversion) {
    fades.update { conversion.convert(&$0.begin) }
  }
}
