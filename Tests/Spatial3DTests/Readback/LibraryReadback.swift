internal import CLibraryReadback
internal import CSpatial3DShim

@testable import Spatial3D

// The values that the library holds: the other end of a round trip, and the freed objects.

extension ContextHandle {
  /// The values that the library holds for a source.
  func values(_ id: UInt32) -> SourceValues {
    var update = s3d_source_update()
    var details = s3d_source_details()
    unsafe s3d_source_read(pointer, s3d_source(id: id), &update, &details)
    var values = SourceValues()
    values.gain = update.gain
    values.gainLimits = details.gain_limits.0...details.gain_limits.1
    values.pitch = update.pitch
    values.isLooping = update.is_looping
    values.position = [update.position.0, update.position.1, update.position.2]
    values.velocity = [update.velocity.0, update.velocity.1, update.velocity.2]
    values.dopplerFactor = details.doppler_factor
    values.direction = [details.direction.0, details.direction.1, details.direction.2]
    values.cone = Cone(
      innerAngle: details.cone_inner_angle,
      outerAngle: details.cone_outer_angle,
      outerGain: Gain(details.cone_outer_gain),
      outerHighFrequencyGain: Gain(details.cone_outer_gain_hf)
    )
    values.attenuation = DistanceAttenuation(
      referenceDistance: details.reference_distance,
      maximumDistance: details.maximum_distance,
      rolloffFactor: details.rolloff_factor,
      model: DistanceModel.allCases.first { s3d_distance_model($0) == details.distance_model }
    )
    values.radius = details.radius
    values.airAbsorption = details.air_absorption
    values.roomRolloff = details.room_rolloff
    values.isListenerRelative = update.is_relative
    values.spatialization =
      Spatialization.allCases.first { s3d_spatialization($0) == details.spatialization } ?? .automatic
    values.usesDirectChannels = details.uses_direct_channels
    values.stereoAngles = StereoAngles(
      left: details.stereo_angles.0 * -180 / .pi,
      right: details.stereo_angles.1 * -180 / .pi
    )
    values.resampler = details.resampler < 0 ? nil : details.resampler
    return values
  }
}

extension ContextHandle {
  /// The listener that the library holds.
  var listener: Listener {
    var update = s3d_listener_update()
    unsafe s3d_listener_read(pointer, &update)
    let direction = update.orientation
    return Listener(
      position: [update.position.0, update.position.1, update.position.2],
      velocity: [update.velocity.0, update.velocity.1, update.velocity.2],
      orientation: Orientation(
        forward: [direction.0, direction.1, direction.2],
        up: [direction.3, direction.4, direction.5]
      ),
      gain: Gain(update.gain)
    )
  }

  /// The address of the context in the library.
  var address: UInt { unsafe s3d_context_address(pointer) }

  /// Whether the library defers updates now; call this under the context's lock.
  var defersUpdates: Bool {
    let transaction = unsafe s3d_transaction_begin(pointer)
    unsafe s3d_transaction_end(pointer, transaction)
    return unsafe transaction.is_deferred
  }

  func hasBuffer(_ id: UInt32) -> Bool { unsafe s3d_library_has_buffer(pointer, s3d_buffer(id: id, borrowed: 0)) }
}

extension DeviceHandle {
  /// The address of the device in the library.
  var address: UInt { unsafe s3d_device_address(pointer) }
}

extension BufferHandle {
  /// Overwrites the samples, if the library plays them without a copy of its own.
  func silenceBorrowedSamples(byteCount: Int) {
    // The samples live as long as the buffer, and have `byteCount` bytes; the test renders on this thread.
    guard let samples = unsafe UnsafeMutableRawPointer(bitPattern: borrowed) else { return }
    unsafe samples.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
  }
}

/// The objects of the whole library.
enum LibraryObjects {
  static func hasDevice(at address: UInt) -> Bool { s3d_library_has_device(address) }

  static func hasContext(at address: UInt) -> Bool { s3d_library_has_context(address) }

  /// Whether a context is current on this thread alone.
  static var threadHasContext: Bool { s3d_thread_has_context() }
}
