internal import CSpatial3DShim

// What the library itself holds: the other end of a round trip, for tests.

extension SoundSource {
  var libraryValues: SourceValues {
    var update = s3d_source_update()
    unsafe s3d_source_read(context.handle.pointer, s3d_source(id: id), &update)
    var values = SourceValues()
    values.gain = update.gain
    values.pitch = update.pitch
    values.isLooping = update.is_looping
    values.position = [update.position.0, update.position.1, update.position.2]
    values.velocity = [update.velocity.0, update.velocity.1, update.velocity.2]
    values.isListenerRelative = update.is_relative
    return values
  }
}

extension AudioContext {
  var libraryListener: Listener {
    var update = s3d_listener_update()
    unsafe s3d_listener_read(handle.pointer, &update)
    let direction = update.orientation
    return Listener(
      position: [update.position.0, update.position.1, update.position.2],
      velocity: [update.velocity.0, update.velocity.1, update.velocity.2],
      orientation: Orientation(
        forward: [direction.0, direction.1, direction.2],
        up: [direction.3, direction.4, direction.5]
      ),
      gain: update.gain
    )
  }
}
