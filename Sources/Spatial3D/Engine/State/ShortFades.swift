/// The fades of a few milliseconds that keep an end, a start or a new gain from clicking.
struct ShortFades: Sendable {
  /// The sources of the library that fade out, where it would cut them.
  var endings = EndingSources()
  /// The gains that move over several short mixes of an offline context.
  var ramps = GainRamps()

  /// Sets the gains at the end of the next mix of an offline context.
  mutating func step(
    over frames: Int,
    in records: SourceTable,
    _ scene: Scene,
    of device: AudioDevice,
    by handle: ContextHandle
  ) {
    guard !device.isSuspended else { return }
    endings.step(over: frames, by: handle)
    ramps.step(over: frames, in: records, scene, by: handle)
  }

  /// Lets a source of the library fade out, which belongs to no source of the game any more.
  mutating func end(
    _ key: SourceKey,
    _ library: LibrarySource,
    playing buffers: [BufferHandle],
    by handle: ContextHandle
  ) {
    endings.add(library, at: ramps.gain(of: key) ?? library.sceneSource.values.gain, playing: buffers, by: handle)
  }
}
