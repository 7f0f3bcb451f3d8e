internal import AudioSupport
internal import Spatial3D

/// The devices whose worlds follow a session, with the policies that they have without that.
///
/// Several worlds of a device may follow a session: the last link to end restores the policy.
final class FollowedDevices: Sendable {
  private struct Entry: Sendable {
    var linkCount = 0
    var policy: DevicePolicy
  }

  static let all = FollowedDevices()

  /// The devices that have links; for a processed device its output, which has the policy.
  ///
  /// A link keeps its device, so that no other device has its identity meanwhile. The policy changes inside of the
  /// lock: another thread may begin a link while the last one ends.
  private let entries = Lock<[ObjectIdentifier: Entry]>([:])

  /// Lets a device follow the default output, for one link more; returns the policy that this replaces.
  @discardableResult
  func begin(_ device: AudioDevice) -> DevicePolicy {
    let device = device.output ?? device
    return entries.withLock { entries in
      var entry = entries[ObjectIdentifier(device)] ?? Entry(policy: device.policy)
      entry.linkCount += 1
      // The program may have set another policy since the first link.
      if device.policy != .follow { entry.policy = device.policy }
      entries[ObjectIdentifier(device)] = entry
      device.policy = .follow
      return entry.policy
    }
  }

  /// Ends a link; the last link restores the policy, unless the program has set another policy.
  func end(_ device: AudioDevice) {
    let device = device.output ?? device
    entries.withLock { entries in
      guard var entry = entries[ObjectIdentifier(device)] else { return }
      entry.linkCount -= 1
      entries[ObjectIdentifier(device)] = entry.linkCount > 0 ? entry : nil
      if entry.linkCount == 0, device.policy == .follow { device.policy = entry.policy }
    }
  }
}
