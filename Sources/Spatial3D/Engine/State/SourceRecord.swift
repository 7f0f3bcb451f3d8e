internal import AudioSupport

/// Everything that a context keeps of one source.
struct SourceRecord: Sendable {
  /// Distinguishes the source from earlier sources in its slot; 0 for an empty slot.
  private(set) var generation: UInt64 = 0
  /// The source of the library, with its values and its start.
  var library: LibrarySource
  /// The observation of a source with a subscriber or a stream.
  var observed: ObservedSource?
  /// The calls that run when the context resumes.
  var deferred = DeferredCalls()

  init(generation: UInt64 = 0, _ sceneSource: SceneSource) {
    self.generation = generation
    library = LibrarySource(sceneSource)
  }

  /// The library's name of the source.
  var id: UInt32 { library.sceneSource.id }

  /// The values that the game has set.
  var scene: SceneSource {
    @inline(__always) get { library.sceneSource }
    @inline(__always) _modify { yield &library.sceneSource }
  }

  /// When and where the source starts.
  var start: SourceStart {
    @inline(__always) get { library.start }
    @inline(__always) _modify { yield &library.start }
  }

  /// Whether a source plays, and does not wait for its start.
  func isSounding(in scene: Scene, by handle: ContextHandle) -> Bool {
    if library.isScheduled(by: handle) { return false }
    if let stream = observed?.stream { return stream.state.withLock { $0.state } == .playing }
    return library.start.state == nil && library.state(in: scene, by: handle) == .playing
  }

  /// Whether a source has ended by itself.
  func hasEnded(in scene: Scene, by handle: ContextHandle) -> Bool {
    if let stream = observed?.stream { return stream.state.withLock { $0.state } == .stopped }
    return library.state(in: scene, by: handle) == .stopped
  }

  /// The state of an observed source and the played buffers of its queue, by its state in the library.
  func reading(inLibrary found: SourceState, in scene: Scene, by handle: ContextHandle) -> SourceTracker.Reading {
    let state = library.state(inLibrary: found, in: scene, by: handle)
    let isStoppedByLoss = state != library.start.state ?? found
    let isCounted = observed?.countsBuffers == true && !library.isLooping
    guard isCounted, !isStoppedByLoss else { return .init(state: state, processed: nil) }
    return .init(state: state, processed: library.processedBufferCount(by: handle))
  }
}
