/// The beginnings of emitters whose loudness is compensated while several play the same sound.
struct CopyCompensation: Sendable {
  /// The beginnings of the last 50 ms, and whether the last tick missed one.
  var beginnings: [WorldState.Beginning] = []
  /// The starts of such emitters that lie ahead.
  var planned: [WorldState.Beginning] = []
  var isLarger = false
}
