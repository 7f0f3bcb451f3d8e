extension AudioError {
  /// The error for a buffer of another device than the context's; two devices may have the same name.
  static func wrongDevice(of buffer: AudioDevice, for context: AudioDevice, _ operation: String) -> AudioError {
    let message =
      if buffer.mixesOnRequest, context.mixesOnRequest {
        "the buffer is in the context of another OfflineRenderer. Create it in the context of the renderer that plays it."
      } else if buffer.clockMixer != nil, context.clockMixer != nil {
        "the buffer is on another silent device than the context, because each use of AudioDevice.silent is a new device."
          + " Keep one in a constant, and create all contexts on it."
      } else if buffer.outputMixer != nil, context.outputMixer != nil {
        "the buffer is on another processed device than the context, because each use of AudioDevice.processed is a new"
          + " device. Keep one in a constant, and create all contexts on it."
      } else if buffer.name == context.name {
        "the buffer is on another device than the context, and both play on the output \"\(context.name)\": each"
          + " AudioDevice(), and each AudioContext() without a device, opens one. Keep one device, and create all contexts"
          + " on it."
      } else {
        "the buffer is on the device \"\(buffer.name)\" and the context on \"\(context.name)\". Create the buffer in a"
          + " context of the same device."
      }
    return AudioError(code: .wrongDevice, operation: operation, message: message)
  }
}
