#if DesktopSession

  internal import CSpatial3DDesktop
  internal import Glibc

  /// The owner of the C connection with the sound server and the login manager.
  ///
  /// One thread calls `wait`; any thread calls the other methods. The handle is `Sendable` because the pointer is set
  /// once and freed in `deinit` alone, and the other methods write atomics of the C code.
  @safe final class DesktopHandle: @unchecked Sendable {
    private let pointer: OpaquePointer

    static var process: UInt32 { UInt32(getpid()) }

    init(named name: String, server: String?, bus: String?) throws(SessionError) {
      // The C code copies the texts before it returns.
      guard let pointer = unsafe s3d_desktop_create(name, server, bus) else {
        throw SessionError(
          .systemUnavailable,
          "The system has no memory or no file descriptor for the connection with the desktop. Close files that the"
            + " program has open, or raise the limit (ulimit -n)."
        )
      }
      unsafe self.pointer = pointer
    }

    // The thread that waits keeps the handle, so no wait is in progress.
    deinit { unsafe s3d_desktop_destroy(pointer) }

    func wake() { unsafe s3d_desktop_wake(pointer) }

    func setLowering(_ isLowering: Bool) { unsafe s3d_desktop_set_lowering(pointer, isLowering) }

    func permitSleep(_ number: UInt32) { unsafe s3d_desktop_permit_sleep(pointer, number) }

    /// Waits for an event; `nil` after a wake.
    func wait() -> DesktopEvent? {
      var event = s3d_desktop_event()
      // The C code fills the event before it returns.
      unsafe s3d_desktop_wait(pointer, &event)
      return DesktopEvent(event)
    }
  }

  extension DesktopEvent {
    fileprivate init?(_ event: s3d_desktop_event) {
      let (name, text) = (Self.text(event.name), Self.text(event.text))
      switch event.kind {
      case S3D_DESKTOP_SERVER_READY: self = .serverReady
      case S3D_DESKTOP_SERVER_LOST: self = .serverLost
      case S3D_DESKTOP_CLIENT:
        let machine = Self.text(event.port)
        let program = Program(process: event.process, binary: name, host: text, machine: machine)
        self = .client(event.index, program, isOwn: event.is_on)
      case S3D_DESKTOP_CLIENT_GONE: self = .clientGone(event.index)
      case S3D_DESKTOP_STREAM:
        let client = event.client == .max ? nil : event.client
        let stream = Stream(role: name, client: client, isPaused: event.is_paused, isMuted: event.is_muted)
        self = .stream(event.index, stream)
      case S3D_DESKTOP_STREAM_GONE: self = .streamGone(event.index)
      case S3D_DESKTOP_OUTPUT:
        let ports = Self.text(event.empty_ports).split(separator: "\n").map(String.init)
        let output = Output(name: name, text: text, port: Self.text(event.port), emptyPorts: Set(ports))
        self = .output(event.index, output)
      case S3D_DESKTOP_OUTPUT_GONE: self = .outputGone(event.index)
      case S3D_DESKTOP_DEFAULT_OUTPUT: self = .defaultOutput(name, server: text)
      case S3D_DESKTOP_MODULE: self = .module(event.index, name: name, arguments: text)
      case S3D_DESKTOP_MODULE_GONE: self = .moduleGone(event.index)
      case S3D_DESKTOP_LOGIN_READY: self = .loginReady
      case S3D_DESKTOP_NO_LOGIN: self = .loginMissing(text)
      case S3D_DESKTOP_NO_USER_SESSION: self = .userSessionMissing(text)
      case S3D_DESKTOP_SLEEP: self = .sleep(event.index)
      case S3D_DESKTOP_WAKE: self = .wake
      case S3D_DESKTOP_SCREEN: self = .screen(isLocked: event.is_on)
      case S3D_DESKTOP_FRONT: self = .front(event.is_on)
      default: return nil
      }
    }

    /// The text in an array of C, which ends with a zero.
    private static func text<Characters>(_ characters: Characters) -> String {
      // The C code ends each of its texts within the array.
      unsafe withUnsafeBytes(of: characters) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
    }
  }

#endif
