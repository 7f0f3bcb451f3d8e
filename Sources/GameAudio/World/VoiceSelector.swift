/// The choice of the emitters that have a voice, with its memory.
struct VoiceSelector: Sendable {
  var choice = VoiceChoice()
  var selection = BoundSelection()
  /// The largest score that each emitter can have, for the present choice.
  var bounds: [Float] = []
  var statistics = VoiceStatistics()
  var hasReportedEssentials = false
}
