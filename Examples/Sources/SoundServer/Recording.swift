import Foundation
public import Spatial3D

/// What a sink plays, from the moment on that this began.
public final class Recording: Sendable {
  /// Stereo at 48,000 Hz.
  public static let format = PCMFormat.stereo(sampleRate: 48_000)

  private let process = Process()
  private let output = Pipe()

  init(of sink: String, environment: [String: String]) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "parec", "--device=\(sink).monitor", "--raw", "--format=float32le", "--rate=\(Self.format.sampleRate)",
      "--channels=2", "--latency-msec=20",
    ]
    process.environment = environment
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    _ = fcntl(output.fileHandleForReading.fileDescriptor, F_SETFD, FD_CLOEXEC)
    try process.run()
  }

  deinit {
    // It would write all that it has before it ends by itself.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The next frames; fewer where the sink or its server is gone.
  ///
  /// Returns when they have been played.
  public func frames(_ count: Int) throws -> PCMBuffer<Float> {
    let frameSize = Self.format.channelCount * MemoryLayout<Float>.size
    let data = try output.fileHandleForReading.read(upToCount: count * frameSize) ?? Data()
    let sampleCount = data.count / frameSize * Self.format.channelCount
    let samples = unsafe data.withUnsafeBytes { bytes in
      // Read byte by byte, as the sink's format says: nothing is known of where the bytes lie.
      (0..<sampleCount).map { Float(bitPattern: unsafe bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)) }
    }
    return try PCMBuffer(samples: samples, format: Self.format)
  }

  /// The next seconds, likewise.
  public func seconds(_ seconds: Double) throws -> PCMBuffer<Float> {
    try frames(Int(seconds * Double(Self.format.sampleRate)))
  }

  /// Goes on until something is heard, and returns the tenth of a second with its beginning.
  ///
  /// Throws where the sink is gone before anything is heard.
  @discardableResult
  public func untilSound(above threshold: Float = 0.001) throws -> PCMBuffer<Float> {
    try next { $0.samples.contains { abs($0) > threshold } }
  }

  /// Goes on until a tenth of a second is silent, and returns it.
  @discardableResult
  public func untilSilence(below threshold: Float = 0.001) throws -> PCMBuffer<Float> {
    try next { $0.samples.allSatisfy { abs($0) <= threshold } }
  }

  private func next(where condition: (PCMBuffer<Float>) -> Bool) throws -> PCMBuffer<Float> {
    let frameCount = Self.format.sampleRate / 10
    while true {
      let piece = try frames(frameCount)
      guard piece.frameCount == frameCount else { throw SoundServerError("the sink is gone") }
      if condition(piece) { return piece }
    }
  }
}
