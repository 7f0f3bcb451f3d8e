/// An output that sound is heard on.
///
/// An open device may carry several contexts, which share its sound buffers. It closes when the last of them and the last
/// reference to it are gone.
///
/// The OpenAL counterpart is `ALCdevice`.
public final class AudioDevice: Sendable {
  /// What the system calls the device.
  public let name: String

  /// Whether an offline renderer is all that listens.
  let isOffline: Bool

  /// What a silent device mixes by; `nil` for any other.
  let silence: Silence?

  let handle: DeviceHandle
  /// As many sends as a context of the device counts on, at most; held while another is created, which may not lower them.
  let promisedSends = Lock(0)
  /// Also the order in which the library is told.
  private let suspension = Lock(false)

  /// Opens an output by name, or the default one.
  ///
  /// - Parameter name: One of ``outputNames``; `nil` for the default output.
  /// - Throws: ``AudioError`` with the code `deviceUnavailable` where there is no such output, or none at all.
  ///
  /// The OpenAL counterpart is `alcOpenDevice`.
  public convenience init(named name: String? = nil) throws(AudioError) {
    self.init(handle: try DeviceHandle(opening: name))
  }

  init(handle: consuming DeviceHandle, isOffline: Bool = false, silence: Silence? = nil) {
    name = if isOffline { "offline" } else if silence != nil { "silent" } else { handle.name }
    self.isOffline = isOffline
    self.silence = silence
    self.handle = handle
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
  /// The OpenAL counterpart is `ALC_DEFAULT_ALL_DEVICES_SPECIFIER`.
  public static var defaultOutputName: String? { DeviceHandle.defaultOutputName }

  /// Rung for the thread that looks at the device's contexts.
  var bell: Bell { silence?.bell ?? Lookout.all.bell }

  var isSuspended: Bool { suspension.withLock { $0 } }

  /// Stops the mixer, or lets it go on.
  func setSuspended(_ newValue: Bool) {
    guard handle.canSuspend else { return }
    suspension.withLock { isSuspended in
      isSuspended = newValue
      if newValue { handle.suspend() } else { handle.resume() }
      silence?.setSuspended(newValue)
      // While time stands still nobody looks.
      if !isOffline, !newValue { Lookout.all.bell.ring() }
    }
  }
}
