internal import AudioSupport
public import Spatial3D

extension AudioWorld {
  /// The openings between the zones.
  ///
  /// With portals, each ``ReverbZone`` is a room, and the rest of the scene is the outdoors. A sound in another room
  /// than the listener comes from the first opening of its shortest path, at the length of that path, with the
  /// occlusion of the openings that are not quite open. A decibel of occlusion counts as a metre. Without a path, or if
  /// the openings of every path occlude more than ``wallOcclusion``, it comes straight through the walls. Zones of one
  /// name are one room, and no portal leads to a zone without a name. A position within half a metre of a zone counts
  /// as inside; where zones overlap, the highest priority counts. Between two zones, a position within half a metre of
  /// a portal's ball belongs to the nearer room.
  ///
  /// Velocity and cone turn with the path: a sound that goes away from its last opening falls in pitch. A change from
  /// one path to another, also far from the listener, moves the direction and the distance over 0.17 s, and the
  /// occlusion by the limits of ``castRays(limit:_:)``. A sound that comes through an opening takes one ray, which ends
  /// in the middle of the opening; a sound behind a wall is not asked about. The paths are searched at a choice of the
  /// voices, if the listener or a portal has moved.
  ///
  /// Every portal stays at its index. Set the zones first: no sound comes through a portal to a zone that does not
  /// exist. A number that is not finite becomes the number of the earlier portal with the same zones and index. Without
  /// an earlier portal no sound comes through. A number out of its range is clamped. `AudioContext.onDiagnostic`
  /// reports each cause once for each portal when it is set. Default: none.
  public var portals: [Portal] {
    get { withState { $0.playback.scene.space.portals.portals } }
    set { perform(.portals(newValue)) }
  }

  /// The occlusion by the walls between zones, at 5 kHz, for sounds to which no opening leads.
  ///
  /// Range: -100 to 0 dB, clamped; silence is -100 dB. Default: -30. It counts in a world with ``portals``.
  public var wallOcclusion: Decibels {
    get { withState { Decibels($0.playback.scene.space.portals.wall) } }
    set {
      setNearest("wallOcclusion", newValue, in: OcclusionResult.range) { perform(.wallOcclusion($0)) }
    }
  }
}
