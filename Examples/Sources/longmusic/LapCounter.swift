import Foundation
import Spatial3D
import Synchronization

/// Counts the loops of a source, prints each, and stops the source after a number of them.
final class LapCounter: Sendable {
  private let token: NotificationToken

  init(of source: SoundSource, until last: Int) {
    let rate = Double(source.context.sampleRate)
    let counter = Counter()
    token = source.observe([.loop, .underrun]) { notification in
      let time = String(format: "%7.2f", Double(notification.framePosition) / rate)
      switch notification.kind {
      case .looped(let more):
        let lap = counter.add(more)
        print("\(time) s  lap \(lap) of \(last) done")
        if lap >= last { notification.source?.stop() }
      case .underrun: print("\(time) s  the file could not be read in time")
      default: break
      }
    }
  }

  private final class Counter: Sendable {
    private let laps = Mutex(0)

    func add(_ more: Int) -> Int {
      laps.withLock { laps in
        laps += more
        return laps
      }
    }
  }
}
