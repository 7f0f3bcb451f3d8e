internal import AudioSupport

/// The sources of the library that fade out.
///
/// A library before 1.21.1 changes gains over the length of a mix, but it ends a sound at once. The library's source
/// of a sound that is to end therefore plays one more mix, at gain 0, as an ``EndingSource``. The game's source goes on
/// at once with another source of the library, which has the same buffers, values and position.
struct EndingSources: Sendable {
  private struct Ending: Sendable {
    let source: EndingSource
    var fade: ShortFade
    /// The clock at the beginning.
    let begin: Int64
  }

  private var all: [Ending] = []
  /// Whether a source has started inside its sound since the last mix, in which the library fades it in.
  private var fadesIn = false

  /// Whether sounds are cut: the game has asked for an end that is exact to the sample.
  var isOff = false

  var count: Int { all.count }

  /// The number of frames to mix on their own, so that no fade is longer; `nil` without a fade.
  var frames: Int? {
    fadesIn || !all.isEmpty ? all.lazy.map(\.fade.framesLeft).max() ?? ShortFade.length : nil
  }

  /// Adds a source of the library that is to fade out from a gain.
  mutating func add(_ library: LibrarySource, at gain: Float, playing buffers: [BufferHandle], by handle: ContextHandle)
  {
    var buffers = buffers
    if let padding = library.start.padding { buffers.append(padding.buffer.handle) }
    let fade = ShortFade(from: gain * library.sceneSource.gainFactor)
    all.append(.init(source: EndingSource(library.id, playing: buffers, in: handle), fade: fade, begin: handle.clock))
  }

  /// Rewinds a paused source to start at its position, which fades in: the library would resume it within one sample.
  mutating func prepareToResume(_ id: UInt32, by handle: ContextHandle) {
    guard handle.cutsSounds, !isOff, handle.state(id) == .paused else { return }
    handle.rewindInPlace(id)
    fadesIn = true
  }

  /// Ends the sends of sources that fade out, before the deletion of an effect slot.
  func endSends(limit: Int, by handle: ContextHandle) {
    guard !all.isEmpty else { return }
    handle.endSends(of: all.lazy.map(\.source.id), limit: limit)
  }
}

// MARK: - Time

extension EndingSources {
  /// Starts the fades on an output; offline they start with the next mix, whose length counts.
  func start(on device: AudioDevice, by handle: ContextHandle) {
    guard !device.isRendered else { return }
    handle.setGains(all.lazy.map { ($0.source.id, 0) })
    device.wakeMonitor()
  }

  /// Continues the fades with the next mix of an offline context.
  mutating func step(over frames: Int, by handle: ContextHandle) {
    guard self.frames != nil else { return }
    fadesIn = false
    let gains = all.indices.map { (all[$0].source.id, all[$0].fade.advance(by: frames)) }
    handle.setGains(gains.lazy.map { (id: $0.0, gain: $0.1) })
  }

  /// Releases the sources that an offline context has faded out.
  mutating func releaseFaded() {
    if !all.isEmpty { all.removeAll { $0.fade.framesLeft == 0 } }
  }

  /// Releases the sources that an output has faded out; returns the nanoseconds until the next look, `nil` for none.
  mutating func wait(on device: AudioDevice, _ output: inout OutputState, by handle: ContextHandle) -> Int64? {
    guard !all.isEmpty else { return nil }
    if handle.isLost || device.handle.isPlaceholder {
      releaseAll()
      return nil
    }
    let rate = max(handle.sampleRate, 1)
    // A mix that was in progress at the beginning of a fade does not count.
    let length = Int64(2 * output.framesPerMix(by: handle)) * 1_000_000_000 / Int64(rate)
    let now = handle.clock
    all.removeAll { now - $0.begin >= length }
    return all.isEmpty || device.isSuspended ? nil : length
  }

  /// Cuts the sound that has faded out for longest, for a new source; returns whether there was one.
  mutating func releaseOldest() -> Bool {
    guard !all.isEmpty else { return false }
    all.removeFirst()
    return true
  }

  /// Releases all sources that fade out, because the device is replaced.
  mutating func releaseAll() { all = [] }
}
