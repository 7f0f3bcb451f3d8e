import Spatial3D
import Spatial3DTesting
import Stage

extension Scene {
  /// Renders the walk offline with all sounds or with one alone, and measures the level at each ear.
  ///
  /// It records the loops of the sounds. It passes on the mix of every update, and the finished part of the walk, from
  /// 0 to 1.
  func render(
    only solo: Int? = nil,
    noting timeline: NotificationTimeline? = nil,
    _ receive: (_ mix: PCMBuffer<Float>, _ part: Double) throws -> Void
  ) throws -> EarLevels {
    var renderer = try OfflineRenderer(format: Measurement.format)
    let sources = try enter(renderer.context, only: solo)
    for (index, source) in sources.enumerated() { timeline?.observe(source, as: "\(index)", .loop) }
    let frameCount = Measurement.format.sampleRate / Self.updateRate
    var mix = PCMBuffer<Float>(format: Measurement.format)
    var levels = EarLevels(step: 1 / Double(Self.updateRate))
    for update in 0..<updateCount {
      self.update(renderer.context, at: time(ofUpdate: update))
      renderer.render(into: &mix, frameCount: frameCount)
      levels.append(left: mix.level(ofChannel: 0), right: mix.level(ofChannel: 1))
      try receive(mix, Double(update + 1) / Double(updateCount))
    }
    withExtendedLifetime(sources) {}  // A source that nobody holds stops.
    return levels
  }
}
