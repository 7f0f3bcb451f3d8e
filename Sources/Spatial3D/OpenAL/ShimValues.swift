internal import CSpatial3DShim

extension s3d_source_details {
  init(_ values: SourceValues, gainFactor: Float, distanceModel: DistanceModel) {
    let attenuation = values.attenuation
    // Nearer than its reference distance, the exponent model's factor may be infinite. The library multiplies it with
    // the gain and the cone. If the product is not a number, it plays the source with its largest gain.
    let isSilent = distanceModel == .exponent && values.gain < Ranges.silentGain
    let leastOuterGain = distanceModel == .exponent ? Ranges.silentGain : 0
    // If the linear model's distances are reversed, OpenAL Soft 1.25 amplifies the input of a room without bounds.
    let maximumDistance =
      distanceModel == .linear
      ? max(attenuation.maximumDistance, attenuation.referenceDistance) : attenuation.maximumDistance
    self.init(
      direction: (values.direction.x, values.direction.y, values.direction.z),
      gain_limits: (values.gainLimits.lowerBound * gainFactor, values.gainLimits.upperBound * gainFactor),
      doppler_factor: values.dopplerFactor,
      cone_inner_angle: values.cone.innerAngle,
      cone_outer_angle: values.cone.outerAngle,
      cone_outer_gain: max(values.cone.outerGain.rawValue, leastOuterGain),
      cone_outer_gain_hf: values.cone.outerHighFrequencyGain.rawValue,
      reference_distance: attenuation.referenceDistance,
      maximum_distance: maximumDistance,
      rolloff_factor: attenuation.rolloffFactor,
      radius: values.radius,
      air_absorption: values.airAbsorption,
      room_rolloff: values.roomRolloff,
      stereo_angles: (values.stereoAngles.left * -.pi / 180, values.stereoAngles.right * -.pi / 180),
      distance_model: s3d_distance_model(isSilent ? .none : distanceModel),
      spatialization: s3d_spatialization(values.spatialization),
      uses_direct_channels: values.usesDirectChannels,
      resampler: values.resampler ?? -1
    )
  }
}

extension s3d_listener_update {
  init(_ listener: Listener, changes: ListenerProperties) {
    let (forward, up) = (listener.orientation.forward, listener.orientation.up)
    self.init(
      changed: changes.rawValue,
      gain: listener.gain.rawValue,
      position: (listener.position.x, listener.position.y, listener.position.z),
      velocity: (listener.velocity.x, listener.velocity.y, listener.velocity.z),
      orientation: (forward.x, forward.y, forward.z, up.x, up.y, up.z)
    )
  }
}

extension s3d_distance_model {
  init(_ model: DistanceModel) {
    switch model {
    case .none: self = S3D_NO_DISTANCE
    case .inverse: self = S3D_INVERSE
    case .inverseClamped: self = S3D_INVERSE_CLAMPED
    case .linear: self = S3D_LINEAR
    case .linearClamped: self = S3D_LINEAR_CLAMPED
    case .exponent: self = S3D_EXPONENT
    case .exponentClamped: self = S3D_EXPONENT_CLAMPED
    }
  }
}

extension s3d_spatialization {
  init(_ spatialization: Spatialization) {
    switch spatialization {
    case .automatic: self = S3D_SPATIALIZATION_AUTOMATIC
    case .always: self = S3D_SPATIALIZATION_ALWAYS
    case .never: self = S3D_SPATIALIZATION_NEVER
    }
  }
}
