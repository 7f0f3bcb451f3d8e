internal import Spatial3D

/// The choice of the emitters that have a voice, with its memory.
struct VoiceSelector: Sendable {
  var choice = VoiceChoice()
  var selection = BoundSelection()
  /// The largest score that each emitter can have, for the present choice.
  var bounds: [Float] = []
  /// The largest scores at one of the listeners beside the first.
  private var otherBounds: [Float] = []
  var statistics = VoiceStatistics()
  var hasReportedEssentials = false

  /// Computes the largest score that each emitter can have at any listener, re the loudest of them.
  mutating func computeBounds(of columns: EmitterColumns, at listeners: ListenerSet, buses: [Float]) {
    columns.computeBounds(listener: listeners.first.position, buses: buses, into: &bounds)
    guard listeners.count > 1 else { return }
    let loudest = max(listeners.rendered.gain.rawValue, .leastNormalMagnitude)
    let first = listeners.first.gain.rawValue
    if first != loudest {
      for slot in 0..<columns.count { bounds[slot] *= first / loudest }
    }
    for other in listeners.others {
      columns.computeBounds(listener: other.position, buses: buses, into: &otherBounds)
      let factor = other.gain.rawValue / loudest
      for slot in 0..<columns.count { bounds[slot] = max(bounds[slot], otherBounds[slot] * factor) }
    }
  }
}
