import Foundation
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
      var turned = 0.0
      for update in 0..<1_200 {
        let (here, next) = (walk.listener(at: Double(update) / 60), walk.listener(at: Double(update + 1) / 60))
        let turn = here.azimuth(of: here.position + next.orientation.forward)
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
      let azimuth = walk.listener(at: facing.time).azimuth(of: place)
      #expect(abs(abs(azimuth) - (facing.isAhead ? 0 : 180)) < 1, "\(azimuth)")
    }
  }

  @Test func `Azimuths go clockwise from straight ahead`() {
    let listener = Listener(position: [1, 2, 3], orientation: Orientation(forward: [0, 0, -1], up: [0, 1, 0]))
    let expected: [(SIMD3<Float>, Double)] = [
      ([1, 2, -7], 0), ([11, 2, 3], 90), ([-9, 2, 3], -90), ([11, 2, -7], 45), ([11, 2, 13], 135), ([1, 50, -7], 0),
      ([1, 2, 3], 0),
    ]
    for (place, azimuth) in expected { #expect(abs(listener.azimuth(of: place) - azimuth) < 1e-3, "\(place)") }
    #expect(abs(abs(listener.azimuth(of: [1, 2, 13])) - 180) < 1e-3)
  }

  @Test func `Turning the head turns every azimuth the other way`() {
    for turn in stride(from: -180, through: 180, by: 6.1) {
      let listener = Listener(orientation: Orientation(forward: direction(turn), up: [0, 1, 0]))
      for bearing in stride(from: -180, through: 180, by: 6.7) {
        let difference = listener.azimuth(of: 5 * direction(bearing)) - (bearing - turn)
        #expect(abs(difference - 360 * (difference / 360).rounded()) < 1e-3, "\(bearing) seen from \(turn)")
      }
    }
  }

  /// A direction over the ground: clockwise in degrees, 0 is north.
  private func direction(_ degrees: Double) -> SIMD3<Float> {
    [Float(sin(degrees * .pi / 180)), 0, Float(-cos(degrees * .pi / 180))]
  }
}
