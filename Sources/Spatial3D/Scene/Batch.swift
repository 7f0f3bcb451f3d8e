internal import CSpatial3DShim

/// The changes of one thread to one context inside `withDeferredUpdates`, until the end of the outermost call.
///
/// Only its thread uses it, without a lock: other threads have no access before the changes are applied. Its thread
/// finds it by a thread-local pointer: setting a property in a batch takes a few nanoseconds.
///
/// It is Sendable because it moves between threads only while it is closed, through the lock of its context.
@safe final class Batch: @unchecked Sendable {
  /// The changes to one source.
  struct Staged {
    /// The generation of the source; 0 without a change.
    var generation: UInt64 = 0
    var properties: SourceProperties = []
    /// The slot that was first changed before this slot, or one of the negative markers below.
    var next = Staged.isNotListed
    var values = SourceValues()

    fileprivate static let isLast: Int32 = -1
    fileprivate static let isNotListed: Int32 = -2
  }

  /// The data that setters use, in memory of its own, which has no exclusivity checks.
  @safe struct Storage {
    /// The context, by its address alone.
    fileprivate var context: UnsafeRawPointer?
    /// The batch of another context that the thread has open around this batch.
    fileprivate var outer: UnsafeMutablePointer<Storage>?
    /// The changes by slot; all are initialised.
    fileprivate var staged: UnsafeMutableBufferPointer<Staged>
    /// The slot that was first changed last: the head of the list of slots.
    fileprivate var head = Batch.Staged.isLast
    /// Sounds that are not audible from the positions of their sources.
    fileprivate var unplaced: [MultichannelWarning] = []
    fileprivate var listener: Listener?
    fileprivate var listenerChanges: ListenerProperties = []
  }

  private let storage: UnsafeMutablePointer<Storage>

  init() {
    let storage = UnsafeMutablePointer<Storage>.allocate(capacity: 1)
    // Starts without room for any source; freed in deinit.
    unsafe storage.initialize(to: Storage(staged: UnsafeMutableBufferPointer(start: nil, count: 0)))
    unsafe self.storage = storage
  }

  deinit {
    // Both are this batch's own, and no thread has it open any more: the call that opened a batch retains it.
    unsafe storage.pointee.staged.deallocate()
    unsafe storage.deinitialize(count: 1)
    unsafe storage.deallocate()
  }
}

// MARK: - Opening and closing

extension Batch {
  /// Opens the batch for the calling thread, which has to close it.
  func open(for context: AnyObject) {
    unsafe storage.pointee.context = UnsafeRawPointer(Unmanaged.passUnretained(context).toOpaque())
    // The pointer of the thread was set by an open batch of this thread.
    unsafe storage.pointee.outer = s3d_batch_of_thread()?.assumingMemoryBound(to: Storage.self)
    unsafe s3d_set_batch_of_thread(storage)
  }

  func close() {
    unsafe s3d_set_batch_of_thread(storage.pointee.outer)
  }

  /// The calling thread's open batch of a context.
  @inline(__always)
  static func ofThread(for context: AnyObject) -> UnsafeMutablePointer<Storage>? {
    unsafe ofThread(at: UnsafeRawPointer(Unmanaged.passUnretained(context).toOpaque()))
  }

  /// The calling thread's open batch of the context at an address.
  @inline(__always)
  static func ofThread(at address: @autoclosure () -> UnsafeRawPointer?) -> UnsafeMutablePointer<Storage>? {
    // The pointer is to the storage of a batch that this thread has open, and so is each outer one.
    guard var next = unsafe s3d_batch_of_thread()?.assumingMemoryBound(to: Storage.self) else { return nil }
    let address = unsafe address()
    while unsafe next.pointee.context != address {
      guard let outer = unsafe next.pointee.outer else { return nil }
      unsafe next = outer
    }
    return unsafe next
  }
}

// MARK: - Setting

extension Batch.Storage {
  /// Runs a closure that sets a property in a source's values.
  @inline(__always)
  mutating func stage(_ property: SourceProperties, of key: SourceKey, _ body: (inout SourceValues) -> Bool) {
    if unsafe key.slot >= staged.count { grow(toHold: key.slot) }
    // The slot is in bounds after growing.
    if unsafe staged[key.slot].generation != key.generation {
      unsafe staged[key.slot].generation = key.generation
      unsafe staged[key.slot].properties = []
      // The list already has the slot if another source had it before in the same batch.
      if unsafe staged[key.slot].next == Batch.Staged.isNotListed {
        unsafe staged[key.slot].next = head
        head = Int32(truncatingIfNeeded: key.slot)
      }
    }
    unsafe staged[key.slot].properties.insert(property)
    _ = unsafe body(&staged[key.slot].values)
  }

  /// Runs a closure on a source's values, if the property was set.
  @inline(__always)
  func read<Value>(_ property: SourceProperties, of key: SourceKey, _ body: (SourceValues) -> Value) -> Value? {
    guard unsafe key.slot < staged.count else { return nil }
    // The slot is in bounds.
    let isStaged =
      unsafe staged[key.slot].generation == key.generation
      && staged[key.slot].properties.contains(property)
    return isStaged ? unsafe body(staged[key.slot].values) : nil
  }

  private mutating func grow(toHold slot: Int) {
    let larger = UnsafeMutableBufferPointer<Batch.Staged>.allocate(capacity: max(64, 2 * slot))
    // The elements have no destructors: the old memory is freed as it is.
    let count = unsafe larger.moveInitialize(fromContentsOf: staged)
    unsafe larger[count...].initialize(repeating: Batch.Staged())
    unsafe staged.deallocate()
    unsafe staged = larger
  }

  mutating func add(unplaced sound: MultichannelWarning) { unplaced.append(sound) }

  mutating func takeUnplaced() -> [MultichannelWarning] {
    defer { unplaced = [] }
    return unplaced
  }

  /// The listener with this thread's changes; `nil` without a change.
  var stagedListener: Listener? { listener }

  /// Stages the usable parts of a listener; returns the unusable parts.
  mutating func stage(_ newValue: Listener, over base: Listener) -> ListenerProperties {
    var merged = listener ?? base
    let (changed, unusable) = merged.adopt(newValue)
    listener = merged
    listenerChanges.formUnion(changed)
    return unusable
  }
}

// MARK: - Looking ahead

extension Batch.Storage {
  /// The scene after these changes, except for its sources.
  func scene(after scene: Scene) -> Scene {
    var next = scene
    if let listener { _ = next.adopt(listenerChanges, of: listener) }
    return next
  }

  /// Applies the changes of a source to its values.
  func bring(_ key: SourceKey, into values: inout SourceValues) {
    guard unsafe key.slot < staged.count, unsafe staged[key.slot].generation == key.generation else { return }
    // The slot is in bounds.
    _ = unsafe values.adopt(staged[key.slot].properties, of: staged[key.slot].values)
  }
}

// MARK: - Handing over

extension Batch.Storage {
  /// Moves the changes of a source into its values, and returns the properties that differed.
  mutating func take(_ key: SourceKey, into values: inout SourceValues) -> SourceProperties {
    guard unsafe key.slot < staged.count, unsafe staged[key.slot].generation == key.generation else { return [] }
    // The slot is in bounds.
    defer { unsafe staged[key.slot].properties = [] }
    return unsafe values.adopt(staged[key.slot].properties, of: staged[key.slot].values)
  }

  /// Moves the changes of the listener into the scene, and returns the parts that differed.
  mutating func takeListener(into scene: inout Scene) -> ListenerProperties {
    guard let listener else { return [] }
    defer {
      self.listener = nil
      listenerChanges = []
    }
    return scene.adopt(listenerChanges, of: listener)
  }

  /// Takes the changes of all sources, and passes each source's to a closure; a source may be gone by now.
  @inline(__always)
  mutating func takeSources(_ body: (SourceKey, SourceProperties, inout SourceValues) -> Void) {
    let staged = unsafe staged
    while head >= 0 {
      // A slot in the list is in bounds.
      let slot = Int(head)
      let key = unsafe SourceKey(slot: slot, generation: staged[slot].generation)
      unsafe head = staged[slot].next
      unsafe staged[slot].next = Batch.Staged.isNotListed
      unsafe staged[slot].generation = 0
      unsafe body(key, staged[slot].properties, &staged[slot].values)
    }
  }
}

extension Batch {
  /// Runs a closure on the storage of a closed batch.
  func withStorage<Result>(_ body: (inout Storage) -> Result) -> Result {
    // The batch is closed: no thread finds the storage by its pointer.
    unsafe body(&storage.pointee)
  }
}
