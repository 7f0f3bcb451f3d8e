internal import AllocationCounter
import Spatial3D

/// The heap allocations of setting and reading properties: none are allowed.
enum Allocations {
  static func comparisons() throws -> [Comparison] {
    let scene = try Scene(sourceCount: 100)
    let (sources, context) = (scene.sources, scene.context)
    let first = sources[0]
    let inbox = NotificationInbox()
    let token = inbox.observe(sources[1]) { _ in }
    inbox.deliver()
    let unit = try EffectUnit(.chorus(.chorus), in: context)
    first.effectSends = [EffectSend(to: unit)]

    /// Counts the allocations of a hundred runs, after some runs that allocate storage to keep.
    func count(_ what: String, _ body: @escaping (Float) -> Void) -> Comparison {
      Comparison(what, atMost: 0) { _ in
        try withExtendedLifetime((scene, token)) { [Double(try allocations(of: body))] }
      }
    }
    return [
      count("gain, pitch, position, velocity, isLooping set") { value in
        first.gain = Gain(value)
        first.pitch = 1 + value
        first.position = [value, 0, 0]
        first.velocity = [0, value, 0]
        first.isLooping.toggle()
      },
      count("cone, attenuation, direction, gain limits, stereo angles set") { value in
        first.cone = Cone(innerAngle: value, outerAngle: 180)
        first.attenuation = DistanceAttenuation(referenceDistance: 1 + value)
        first.direction = [value, 0, 1]
        first.gainLimits = 0...Gain(value)
        first.stereoAngles = StereoAngles(left: -value, right: value)
      },
      count("a send's gain set") { first.setSendGain(Gain($0), to: unit) },
      count("the listener moved") { context.listener.position = [$0, 0, 0] },
      count("100 sources and the listener moved in a batch") { value in
        context.withDeferredUpdates {
          context.listener.position = [0, value, 0]
          for source in sources { source.position += [value, 0, 0] }
        }
      },
      count("gain, position, state, playbackFrame, clock read") { _ in
        _ = (first.gain, first.position, first.state, first.playbackFrame, context.clock)
      },
      count("an inbox asked where nothing happened") { _ in inbox.deliver() },
    ]
  }

  private static func allocations(of body: (Float) -> Void) throws -> Int64 {
    // Checks that the counter counts an allocation that certainly happens.
    var kept: [Float] = []
    let proof = counted { kept = [$0, $0] }
    guard proof >= 100, kept.count == 2 else { throw NotCounted() }
    for run in 0..<8 { body(Float(run) * 0.01) }
    return counted(body)
  }

  private static func counted(_ body: (Float) -> Void) -> Int64 {
    let before = allocations_of_thread()
    for run in 0..<100 { body(0.1 + Float(run) * 0.001) }
    return allocations_of_thread() - before
  }

  struct NotCounted: Error, CustomStringConvertible {
    let description = "The allocation counter is not in the place of the C library's allocator."
  }
}
