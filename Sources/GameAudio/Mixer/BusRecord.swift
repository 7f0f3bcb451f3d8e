internal import Spatial3D

/// The values of a bus.
struct BusRecord: Sendable {
  let name: String
  let parent: Int?
  var gain: Float = 1
  var pitch: Float = 1
  /// The products of the values of this bus and of those above it.
  var totalGain: Float = 1
  var totalPitch: Float = 1
  /// Whether the last computation has changed the products.
  var isChanged = false
  var limit: PlaybackLimit?
  /// The frame of the mix at which an emitter last began on it or below it.
  var lastBegin: Int?

  init(name: String, parent: Int?) { (self.name, self.parent) = (name, parent) }
}

extension Array<BusRecord> {
  /// Computes the products along the paths from the root, and marks the changed ones; returns whether there is any.
  ///
  /// A bus comes after its parent.
  @discardableResult
  mutating func updateTotals() -> Bool {
    var isAnyChanged = false
    for index in indices {
      let parent = self[index].parent
      let gain = self[index].gain * (parent.map { self[$0].totalGain } ?? 1)
      let pitch = self[index].pitch * (parent.map { self[$0].totalPitch } ?? 1)
      self[index].isChanged = gain != self[index].totalGain || pitch != self[index].totalPitch
      (self[index].totalGain, self[index].totalPitch) = (gain, pitch)
      isAnyChanged = isAnyChanged || self[index].isChanged
    }
    return isAnyChanged
  }
}
