internal import AllocationCounter
import Spatial3D

/// How many heap blocks are asked for while properties are set and read: none.
enum Allocations {
  /// The name of what allocates, and how often it did.
  static func counts() throws -> [(what: String, count: Int)] {
    let scene = try Scene(sourceCount: 100)
    let (sources, context) = (scene.sources, scene.renderer.context)
    let first = sources[0]

    /// What one run asks for, once a first has made room for all that is kept.
    func count(_ what: String, _ body: (Float) -> Void) -> (String, Int) {
      for run in 0..<8 { body(Float(run) * 0.01) }
      let before = allocations_of_thread()
      for run in 0..<100 { body(0.1 + Float(run) * 0.001) }
      return (what, Int(allocations_of_thread() - before))
    }
    let counts = [
      count("setting gain, pitch, position, velocity, isLooping") { value in
        first.gain = value
        first.pitch = 1 + value
        first.position = [value, 0, 0]
        first.velocity = [0, value, 0]
        first.isLooping.toggle()
      },
      count("setting cone, attenuation, direction, gain limits, stereo angles") { value in
        first.cone = Cone(innerAngle: value, outerAngle: 180)
        first.attenuation = DistanceAttenuation(referenceDistance: 1 + value)
        first.direction = [value, 0, 1]
        first.gainLimits = 0...value
        first.stereoAngles = StereoAngles(left: -value, right: value)
      },
      count("moving the listener") { context.listener.position = [$0, 0, 0] },
      count("moving 100 sources and the listener in a deferred update") { value in
        context.withDeferredUpdates {
          context.listener.position = [0, value, 0]
          for source in sources { source.position += [value, 0, 0] }
        }
      },
      count("reading gain, position, state, playbackFrame, clock") { _ in
        _ = (first.gain, first.position, first.state, first.playbackFrame, context.clock)
      },
    ]
    // The counter is no good where it does not see what surely is one.
    var kept: [Float] = []
    let proof = count("") { kept = [$0, $0] }
    guard proof.1 >= 100, kept.count == 2 else { throw NotCounted() }
    return counts
  }

  struct NotCounted: Error, CustomStringConvertible {
    let description = "The allocation counter is not in the place of the C library's allocator."
  }
}
