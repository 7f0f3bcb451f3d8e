/// The beginnings of emitters whose loudness is compensated while several play the same sound.
struct CopyCompensation: Sendable {
  /// The beginnings of the last 50 ms, and whether the last tick missed one.
  var beginnings: [WorldState.Beginning] = []
  /// The starts of such emitters that lie ahead.
  var planned: [WorldState.Beginning] = []
  var isLarger = false
}

extension CopyCompensation: RateConvertible {
  mutating func convertFrames(_ conversion: FrameConversion) {
    for index in beginnings.indices { conversion.convert(&beginnings[index].frame) }
    for index in planned.indices { conversion.convert(&planned[index].frame) }
  }
}
