internal import CSpatial3DShim

extension ContextHandle {
  /// What is done to sources, all at the same frame of the mix.
  enum Verb {
    case play
    case pause
    case stop
    case rewind
  }

  func perform(_ verb: Verb, _ ids: [UInt32]) {
    guard !ids.isEmpty else { return }
    // A handle of the shim is its number alone, and the shim reads them before it returns.
    unsafe ids.withUnsafeBytes { bytes in
      let sources = unsafe bytes.bindMemory(to: s3d_source.self)
      let count = Int32(ids.count)
      switch verb {
      case .play: unsafe s3d_sources_play(pointer, sources.baseAddress, count)
      case .pause: unsafe s3d_sources_pause(pointer, sources.baseAddress, count)
      case .stop: unsafe s3d_sources_stop(pointer, sources.baseAddress, count)
      case .rewind: unsafe s3d_sources_rewind(pointer, sources.baseAddress, count)
      }
    }
  }

  /// The same for one source, without an array.
  func perform(_ verb: Verb, _ id: UInt32) {
    var source = s3d_source(id: id)
    switch verb {
    case .play: unsafe s3d_sources_play(pointer, &source, 1)
    case .pause: unsafe s3d_sources_pause(pointer, &source, 1)
    case .stop: unsafe s3d_sources_stop(pointer, &source, 1)
    case .rewind: unsafe s3d_sources_rewind(pointer, &source, 1)
    }
  }

  func state(_ id: UInt32) -> SourceState {
    switch unsafe s3d_source_state(pointer, s3d_source(id: id)) {
    case S3D_PLAYING: .playing
    case S3D_PAUSED: .paused
    case S3D_STOPPED: .stopped
    default: .initial
    }
  }

  func frame(_ id: UInt32) -> Int { unsafe Int(s3d_source_frame(pointer, s3d_source(id: id))) }

  func seek(_ id: UInt32, to frame: Int) { unsafe s3d_source_seek(pointer, s3d_source(id: id), Int32(clamping: frame)) }

  /// How long it takes until what is mixed now is heard.
  func latency(_ id: UInt32) -> Duration {
    .nanoseconds(unsafe s3d_source_latency(pointer, s3d_source(id: id)))
  }
}
