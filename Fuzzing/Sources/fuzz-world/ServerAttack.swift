import Foundation
import FuzzSupport
import SoundServer
import Synchronization

/// A private sound server that is killed, stopped, and changed while a world plays to it.
final class ServerAttack: Sendable {
  private let server: SoundServer
  private let seed: UInt64
  private let isOver = Atomic(false)

  init(kind: SoundServer.Kind, seed: UInt64) throws {
    server = try SoundServer(kind)
    self.seed = seed
    try server.lendToThisProcess()
  }

  func begin() {
    Thread.detachNewThread { [self] in
      var random = SplitMix64(mixing: seed, 0x5E4E4)
      while !isOver.load(ordering: .relaxed) {
        Thread.sleep(forTimeInterval: .random(in: 0.5...4, using: &random))
        // A command may fail because the command before it has taken its sink.
        try? attack(&random)
      }
    }
  }

  func end() { isOver.store(true, ordering: .relaxed) }

  private func attack(_ random: inout SplitMix64) throws {
    switch Int.random(in: 0...5, using: &random) {
    case 0:
      try server.kill()
      Thread.sleep(forTimeInterval: .random(in: 0...2, using: &random))
      try server.start()
      try server.add(sink: "main")
    case 1: try server.stop(forSeconds: Int.random(in: 1...3, using: &random))
    case 2: try server.add(sink: "other")
    case 3: try server.remove(sink: "other")
    case 4: try server.setDefault(sink: "other")
    default: try server.setDefault(sink: "main")
    }
  }
}
