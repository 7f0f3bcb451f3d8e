/// A sound at a place: a buffer, where it is, how it moves, and whether it plays.
///
/// Dropping a source stops it: keep it, in a property or a collection, for as long as it should be heard. It may be used from any thread, and keeps its buffer and its context alive.
///
/// The OpenAL counterpart is a source.
public final class SoundSource: Sendable {
  /// What the source plays.
  public let buffer: SoundBuffer

  /// The scene that the source belongs to.
  public let context: AudioContext

  let id: UInt32
  /// The source's place in the context's scene.
  let slot: Int

  /// A source that plays a buffer, at the origin and not yet playing.
  ///
  /// - Throws: ``AudioError`` with the code `wrongDevice` for a buffer of another device, `sourceLimitReached` where the
  ///   context has no source left (256 by default).
  ///
  /// The OpenAL counterparts are `alGenSources` and `AL_BUFFER`.
  public init(playing buffer: SoundBuffer, in context: AudioContext) throws(AudioError) {
    guard buffer.context.device === context.device else {
      throw AudioError(
        code: .wrongDevice,
        operation: "create a source",
        message: "the buffer is on the device \"\(buffer.context.device.name)\" and the context on"
          + " \"\(context.device.name)\". Create the buffer in a context of the same device.",
        underlying: nil
      )
    }
    (id, slot) = try context.state.withLock { state throws(AudioError) in
      let id = try context.handle.createSource(buffer: buffer.id, sourceCount: state.scene.sourceCount)
      let channelFactor = context.addsUpChannels ? 1 / Float(buffer.format.channelCount) : 1
      let slot = state.scene.addSource(id: id, channelFactor: channelFactor)
      // The library's own model is known; another is the context's to pass on.
      if state.scene.distanceModel != .inverseClamped {
        context.handle.apply(state.scene.change(.attenuation, at: slot))
      }
      return (id, slot)
    }
    self.buffer = buffer
    self.context = context
  }

  deinit {
    context.state.withLock { state in
      context.handle.destroySource(id)
      state.scene.removeSource(at: slot)
    }
  }
}
