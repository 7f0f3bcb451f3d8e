public import Spatial3D

/// A group of emitters, with a gain, a pitch and a limit of its own, inside another group.
///
/// The values of a bus and of those above it multiply. Two references to one bus are equal.
public final class Bus: Sendable {
  /// The world of the bus.
  public let world: AudioWorld
  let index: Int

  init(_ index: Int, in world: AudioWorld) { (self.index, self.world) = (index, world) }

  /// The name of the bus; that of the root is `main`.
  public var name: String { world.withState { $0.buses[index].name } }

  /// The bus that contains this one; `nil` for the root.
  public var parent: Bus? { world.withState { $0.buses[index].parent }.map { Bus($0, in: world) } }

  /// The level of the bus.
  ///
  /// Range: silence to 12 dB, clamped. Default: 0. A level that is no number leaves it unchanged.
  public var gain: Decibels {
    get { Decibels(gain: world.withState { $0.buses[index].gain }) }
    set {
      guard !newValue.rawValue.isNaN else { return }
      let gain = min(newValue, 12).gain
      world.withState { $0.changeBus(index) { $0.gain = gain } }
    }
  }

  /// The factor of the pitch of all sounds of the bus.
  ///
  /// Range: 0.25 to 4, clamped. Default: 1. A value that is not finite leaves it unchanged.
  public var pitch: Float {
    get { world.withState { $0.buses[index].pitch } }
    set {
      guard newValue.isFinite else { return }
      world.withState { $0.changeBus(index) { $0.pitch = min(max(newValue, 0.25), 4) } }
    }
  }

  /// The largest number of emitters that play on the bus and on those inside it; `nil`, the default, for none.
  public var limit: PlaybackLimit? {
    get { world.withState { $0.buses[index].limit } }
    set { world.withState { $0.buses[index].limit = newValue } }
  }
}

extension Bus: Hashable {
  /// Whether two references name one bus.
  public static func == (left: Bus, right: Bus) -> Bool { left.world === right.world && left.index == right.index }

  /// Hashes the identity of the bus.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(world))
    hasher.combine(index)
  }
}

/// The buses of a world.
public struct Mixer: Sendable {
  let world: AudioWorld

  /// The bus that contains all others.
  public var main: Bus { Bus(0, in: world) }

  /// The bus of a name, which is made at the first call.
  ///
  /// - Parameters:
  ///   - name: The name, unique in the world.
  ///   - parent: The bus that contains it; `nil` for ``main``. A bus that exists keeps its own.
  /// - Returns: The bus, equal for each call with the name.
  public func bus(_ name: String, in parent: Bus? = nil) -> Bus {
    let parent = parent.flatMap { $0.world === world ? $0.index : nil } ?? 0
    return Bus(world.withState { $0.bus(name, in: parent) }, in: world)
  }
}
