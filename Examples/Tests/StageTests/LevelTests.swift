import Foundation
import Spatial3D
import Stage
import Testing

@Suite struct LevelTests {
  @Test func `Steady levels stay as they are, at any moment and in any window`() {
    var levels = EarLevels(step: 1.0 / 60)
    for _ in 0..<600 { levels.append(left: -20, right: .silence) }
    for time in stride(from: 0.0, through: 10, by: 0.37) {
      for window in [0, 0.01, 0.5, 3, 40] {
        let (left, right) = levels.levels(at: time, window: window)
        #expect(abs(left + 20) < 1e-6, "\(left) at \(time) in \(window)")
        #expect(right == -.infinity)
      }
    }
  }

  @Test func `A window averages energy, not decibels`() {
    var levels = EarLevels(step: 0.1)
    for step in 0..<200 { levels.append(left: step.isMultiple(of: 2) ? 0 : .silence, right: 0) }
    #expect(abs(levels.levels(at: 10, window: 8).left + 3.01) < 0.05)
  }

  @Test func `A window hears nothing from outside it`() {
    var levels = EarLevels(step: 0.1)
    for step in 0..<200 { levels.append(left: step < 100 ? .silence : -6, right: -6) }
    #expect(levels.levels(at: 9, window: 1.9).left == -.infinity)
    #expect(abs(levels.levels(at: 11.2, window: 1.9).left + 6) < 1e-5)
  }

  @Test func `Without levels there is silence`() {
    #expect(EarLevels(step: 0.1).levels(at: 0, window: 1).left == -.infinity)
  }

  @Test func `Peaks that fall together stay below full scale`() {
    let walk = Walk(along: .weaving(between: 3, radius: 3.7, depth: 1.5), seconds: 30)
    let sounds: [(Float, SIMD3<Float>)] = [(1, [0, 0, -4]), (1, [3.5, 0, 2]), (1, [-3.5, 0, 2])]
    let gain = Headroom.gain(for: sounds.map { ($0.0, $0.1) }, along: walk)
    #expect(gain > 0.5 && gain < 1)
    for time in stride(from: 0.0, through: 30, by: 0.013) {
      let listener = walk.listener(at: time)
      let sum = sounds.reduce(0) { $0 + gain * $1.0 / Float(max(listener.distance(to: $1.1), 1)) }
      #expect(sum < 1, "\(time)")
    }
  }

  @Test func `Quiet and silent sounds keep their level`() {
    let walk = Walk(along: .weaving(between: 2, radius: 3, depth: 1), seconds: 30)
    #expect(Headroom.gain(for: [(0.2, [0, 0, -4])], along: walk) == 1)
    #expect(Headroom.gain(for: [(0, [0, 0, -4])], along: walk) == 1)
    #expect(Headroom.gain(for: [], along: walk) == 1)
  }
}
