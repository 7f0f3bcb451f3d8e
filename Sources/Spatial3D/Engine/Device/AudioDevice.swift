internal import AudioSupport
internal import Synchronization

/// An audio output.
///
/// An open device may have several contexts, which share its sound buffers. It closes when the last of them and the
/// last reference to it are gone.
///
/// The OpenAL counterpart is `ALCdevice`.
public final class AudioDevice: Sendable {
  /// The system's name of the output; the name of the last output while the device has no output.
  public var name: String { output?.name ?? outputSelection.withLock { $0.current } }

  /// The mixer of the device.
  let mixing: Mixing
  /// How many frames of a rendered device were rendered.
  let renderedFrames = Atomic(0)
  /// The stages behind a rendered mix; the first one processes it.
  let mixStages = Lock<[any MixStage]>([])

  /// The parts of a rendered mix that the library renders beside the mix.
  let mixStems = Lock<[MixStem]>([])

  /// The mixer whose mix this output plays; `nil` for most devices.
  let playedMix = Lock<Weak<OutputDrivenMixer>?>(nil)

  let handle: DeviceHandle
  let outputSelection: Lock<OutputSelection>
  /// The contexts of the device, of which some may be gone.
  let contexts = Lock<[Weak<AudioContext>]>([])
  /// Held during a migration of the contexts to another output, which may wait for a server.
  ///
  /// Lock order: before every other lock except `negotiatedSends`.
  let migrationLock = Lock(())
  let reconnectLoop = ReconnectLoop()
  /// The thread that calls the closures of ticks; it exists while there are any.
  let tickLoop = BackgroundLoop()
  /// Whether a context of a device that the library does not mix may have a closure for ticks.
  let mayHaveTicks = Atomic(false)
  let tickClock = Lock(ClockProgress())
  /// The highest send limit that a context of the device was granted.
  ///
  /// Held while another context is created, which may not lower the limit.
  let negotiatedSends = Lock(0)
  let heldSuspensions: Lock<Suspensions>
  /// Whether the library has stopped time; held during the library's call.
  let stopping = Lock(false)
  /// The thread that stops or starts time after a server has hung.
  let suspensionLoop = BackgroundLoop()
  /// The rate of the output that HRTF has changed.
  let hrtfRate = Lock(HRTFRate())

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
    handle: DeviceHandle,
    mixing: Mixing = .byLibrary,
    openedName: String? = nil
  ) {
    self.mixing = mixing
    outputSelection = Lock(OutputSelection(name: openedName, on: mixing.deviceName ?? handle.name))
    heldSuspensions = Lock(Suspensions(canFreeze: handle.canSuspend))
    self.handle = handle
    guard mixing.isByLibrary else { return }
    OutputMonitor.all.add(self)
    ClockWatchdog.all.add(self)
  }

  deinit {
    guard !handle.isInherited else { return }
    // A context of the program may play on the output of this device.
    if isSuspended { output?.changeSuspensions { $0.resume(from: .processedMix) } }
    reconnectLoop.end()
    tickLoop.signal()
  }

  /// The names of the HRTF data sets for ``OutputSettings/hrtf``, the default first.
  ///
  /// Empty where the library lacks `ALC_SOFT_HRTF`. The getter looks for files anew each time. Not every data set fits
  /// every sample rate.
  ///
  /// The OpenAL counterpart is `ALC_HRTF_SPECIFIER_SOFT`.
  public var hrtfNames: [String] { handle.hrtfNames }

  /// The system's names of all outputs.
  ///
  /// The getter asks the system anew each time, which takes a few milliseconds.
  ///
  /// The OpenAL counterpart is `ALC_ALL_DEVICES_SPECIFIER`.
  public static var outputNames: [String] { DeviceHandle.outputNames }

  /// The name of the default output; `nil` without a default output.
  ///
  /// The getter asks the system anew each time, as ``outputNames`` does. The OpenAL counterpart is
  /// `ALC_DEFAULT_ALL_DEVICES_SPECIFIER`.
  public static var defaultOutputName: String? { DeviceHandle.defaultOutputName }

  /// The semaphore of the thread that polls the device's contexts.
  var monitorSemaphore: Semaphore { clockMixer?.semaphore ?? EventMonitor.all.semaphore }

  /// Wakes the thread that polls the device's contexts; a rendered device has none.
  func wakeMonitor() { if !isRendered { monitorSemaphore.signal() } }
}
