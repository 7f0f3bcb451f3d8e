import Foundation
import Spatial3DTesting

/// A folder of golden mixes, removed with its owner.
final class TemporaryGoldens: Sendable {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "Spatial3DTesting-" + UUID().uuidString
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func golden(_ name: String = "mix") -> GoldenMix { GoldenMix(at: "\(path)/\(name).wav") }
}
