internal import AudioSupport
import Spatial3D

/// A source of a recording, with its path so far.
struct RecordedSource: Sendable {
  /// The name on the page.
  let name: String

  private let source: Weak<SoundSource>

  /// Its path in the world.
  private(set) var trail = Trail()

  /// The visibility at each point of the path.
  private var opacities: [Double] = []

  init(name: String, source: Weak<SoundSource>) {
    self.name = name
    self.source = source
  }

  /// Appends the position and the state of now.
  ///
  /// A source that was released stays at its last position, and is invisible.
  mutating func append(at time: Double, heardBy listener: Listener) {
    guard let source = source.object else {
      if let last = trail.places.last { add(0, at: time, last) }
      return
    }
    let place = source.isListenerRelative ? listener.position(ofRelative: source.position) : source.position
    add(source.state == .playing ? 1 : 0.3, at: time, SIMD2(Double(place.x), Double(place.z)))
  }

  private mutating func add(_ opacity: Double, at time: Double, _ place: SIMD2<Double>) {
    // A sound that comes later is invisible until then.
    if opacities.isEmpty, time > 0 {
      trail.append(at: 0, place)
      opacities.append(0)
      trail.append(at: time.nextDown, place)
      opacities.append(0)
    }
    trail.append(at: time, place)
    opacities.append(opacity)
  }

  /// The source on a page.
  func drawn(at moments: [Double]) -> ListeningPage.Source {
    ListeningPage.Source(
      name: name,
      x: trail.values(\.place.x, at: moments),
      z: trail.values(\.place.y, at: moments),
      opacity: trail.values(of: opacities, at: moments)
    )
  }
}
