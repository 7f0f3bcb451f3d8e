internal import Spatial3D

extension WorldSnapshot.Silence {
  /// The reason of an explanation.
  init(_ reason: Explanation.Reason) {
    switch reason {
    case .notPlaying: self.init(cause: .notPlaying)
    case .waiting: self.init(cause: .waiting)
    case .loading: self.init(cause: .loading)
    case .paused(let thing): self.init(cause: .paused, by: thing)
    case .muted(let thing): self.init(cause: .muted, by: thing)
    case .soloedElsewhere: self.init(cause: .soloedElsewhere)
    case .silencedBySession: self.init(cause: .silencedBySession)
    case .suspended(let reason): self.init(cause: .suspended, by: "\(reason)")
    case .tooQuiet(let level): self.init(cause: .tooQuiet, lacking: level.atMicro)
    case .beyondReach: self.init(cause: .beyondReach)
    case .outranked(let level): self.init(cause: .outranked, lacking: level.atMicro)
    }
  }
}

extension WorldSnapshot.Silence: CustomStringConvertible {
  /// The reason in words, such as `needs 6.2 dB more for a voice`.
  public var description: String {
    switch cause {
    case .notPlaying: "it does not play"
    case .waiting: "it waits for its start, or for a limit"
    case .loading: "its sound is being loaded"
    case .paused: "paused by \(by ?? "itself")"
    case .muted: "muted by \(by ?? "a bus")"
    case .soloedElsewhere: "another bus is soloed"
    case .silencedBySession: Explanation.Reason.sessionWords
    case .suspended: "the context is suspended (\(by ?? ""))"
    case .tooQuiet: Explanation.Reason.words(tooQuietBy: lacking ?? 0)
    case .beyondReach: "farther away than its sound reaches"
    case .outranked: Explanation.Reason.words(outrankedBy: lacking ?? 0)
    }
  }
}

// Numbers of snapshots, to 10⁻⁶: the same scene gives the same text.

extension Float {
  var atMicro: Float { isFinite ? Float((Double(self) * 1e6).rounded() / 1e6) : self }
}

extension Double {
  var atMicro: Double { isFinite ? (self * 1e6).rounded() / 1e6 : self }
}

extension Decibels {
  var atMicro: Decibels { Decibels(rawValue.atMicro) }
}

extension SIMD3<Float> {
  var atMicro: SIMD3<Float> { SIMD3(x.atMicro, y.atMicro, z.atMicro) }
}
