import Spatial3D
import Stage
import Testing

@Suite struct WalkTests {
  private let counts = 1...8

  private func walk(between count: Int, seconds: Double = 20) -> Walk {
    Walk(along: .weaving(between: count, radius: 3.7, depth: min(1.5, 5 / Double(count))), seconds: seconds)
  }

  @Test func `A walk ends where it began, looking the same way`() {
    for count in counts {
      let walk = walk(between: count)
      let (start, end) = (walk.listener(at: 0), walk.listener(at: walk.seconds))
      #expect(start.distance(to: end.position) < 1e-4)
      #expect((start.orientation.forward * end.orientation.forward).sum() > 0.999_99)
    }
  }

  @Test func `The pace is constant and the listener looks where they walk`() {
    for count in counts {
      let walk = walk(between: count)
      let pace = walk.path.length / walk.seconds
      for update in 0..<1_200 {
        let time = Double(update) / 60
        let (here, next) = (walk.listener(at: time), walk.listener(at: time + 1.0 / 60))
        let step = next.position - here.position
        let length = Double((step * step).sum().squareRoot())
        #expect(abs(length * 60 / pace - 1) < 0.02, "\(count) at \(time)")
        #expect(Double((step * here.orientation.forward).sum()) / length > 0.99, "\(count) at \(time)")
      }
    }
  }

  @Test func `A walk turns around once, without jerks`() {
    for count in counts {
      let walk = walk(between: count)
      var turned: Float = 0
      for update in 0..<1_200 {
        let (here, next) = (walk.listener(at: Double(update) / 60), walk.listener(at: Double(update + 1) / 60))
        let turn = here.polarPosition(of: here.position + next.orientation.forward).azimuth
        #expect(abs(turn) < 12, "\(count) at \(Double(update) / 60)")
        turned += turn
      }
      #expect(abs(turned - 360) < 0.1, "\(count): \(turned)")
    }
  }

  @Test func `A place is ahead and behind when facings say so`() {
    let walk = walk(between: 3)
    let place: SIMD3<Float> = [0, 0, -4]
    let facings = walk.facings(of: place)
    #expect(facings.count == 2)
    for facing in facings {
      let azimuth = walk.listener(at: facing.time).polarPosition(of: place).azimuth
      #expect(abs(abs(azimuth) - (facing.isAhead ? 0 : 180)) < 1, "\(azimuth)")
    }
  }
}
