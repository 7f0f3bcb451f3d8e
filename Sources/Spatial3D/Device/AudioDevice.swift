internal import Synchronization

/// An output that sound is heard on.
///
/// An open device may carry several contexts, which share its sound buffers. It closes when the last of them and the last
/// reference to it are gone.
///
/// The OpenAL counterpart is `ALCdevice`.
public final class AudioDevice: Sendable {
  /// What the system calls the output; the last one that there was, while there is none.
  public var name: String { outputChoice.withLock { $0.current } }

  /// Whether an offline renderer is all that listens.
  let isOffline: Bool

  /// What a silent device mixes by; `nil` for any other.
  let silence: Silence?

  let handle: DeviceHandle
  /// Whether sources go on when the output is lost: the library has what can stand in for it.
  let survivesLoss: Bool
  let outputChoice: Lock<OutputChoice>
  /// The contexts of the device, of which some may be gone.
  let contexts = Lock<[ContextReference]>([])
  /// Held by who brings them to another output, which may wait for a server; taken before every other lock but that of sends.
  let carrying = Lock(())
  let keeper = OutputKeeper()
  /// As many sends as a context of the device counts on, at most; held while another is created, which may not lower them.
  let promisedSends = Lock(0)
  /// The rate of the mix, in hertz, that a context which is being created asks for; the largest number where none is.
  let pendingRate = Atomic(Int.max)
  let heldSuspensions: Lock<Suspensions>
  /// Whether the library was told to stop time; held by who tells it, which may wait for a server.
  let stopping = Lock(false)

  /// Opens an output by name, or the default one.
  ///
  /// - Parameter name: One of ``outputNames``; `nil` for the default output.
  /// - Throws: ``AudioError`` with the code `deviceUnavailable` where there is no such output, or none at all.
  ///
  /// The OpenAL counterpart is `alcOpenDevice`.
  public convenience init(named name: String? = nil) throws(AudioError) {
    self.init(handle: try DeviceHandle(opening: name), openedName: name)
  }

  init(
    handle: consuming DeviceHandle,
    isOffline: Bool = false,
    silence: Silence? = nil,
    openedName: String? = nil
  ) {
    let name = if isOffline { "offline" } else if silence != nil { "silent" } else { handle.name }
    outputChoice = Lock(OutputChoice(name: openedName, on: name))
    survivesLoss = !isOffline && silence == nil && handle.canStandIn
    self.isOffline = isOffline
    self.silence = silence
    heldSuspensions = Lock(Suspensions(canFreeze: handle.canSuspend))
    self.handle = handle
    if !isOffline, silence == nil { OutputWatch.all.watch(self) }
  }

  deinit {
    if !handle.isInherited { keeper.end() }
  }

  /// The names of the data that sounds can be placed for headphones with, the default first, for ``OutputSettings/hrtf``.
  ///
  /// Empty where the library lacks `ALC_SOFT_HRTF`. Looks for files anew each time. Not all data fits every sample rate.
  ///
  /// The OpenAL counterpart is `ALC_HRTF_SPECIFIER_SOFT`.
  public var hrtfNames: [String] { handle.hrtfNames }

  /// The names of all outputs, as the system calls them.
  ///
  /// Asks the system anew each time, which takes a few milliseconds.
  ///
  /// The OpenAL counterpart is `ALC_ALL_DEVICES_SPECIFIER`.
  public static var outputNames: [String] { DeviceHandle.outputNames }

  /// The name of the default output; `nil` where there is none.
  ///
  /// Asks the system anew each time, as ``outputNames`` does. The OpenAL counterpart is `ALC_DEFAULT_ALL_DEVICES_SPECIFIER`.
  public static var defaultOutputName: String? { DeviceHandle.defaultOutputName }

  /// Rung for the thread that looks at the device's contexts.
  var bell: Bell { silence?.bell ?? Lookout.all.bell }
}
