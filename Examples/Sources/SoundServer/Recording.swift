import Foundation
public import Spatial3D

/// A recording of a sink, from its creation on.
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
    // `parec` would write all of its data before it ends by itself.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The next frames; fewer if the sink or its server is gone.
  ///
  /// Returns once the sink has played them.
  public func frames(_ count: Int) throws -> PCMBuffer<Float> {
    let frameSize = Self.format.channelCount * MemoryLayout<Float>.size
    let data = try output.fileHandleForReading.read(upToCount: count * frameSize) ?? Data()
    let sampleCount = data.count / frameSize * Self.format.channelCount
    let samples = unsafe data.withUnsafeBytes { bytes in
      // The alignment of the bytes is unknown; the sink's format is 32-bit floating point.
      (0..<sampleCount).map { Float(bitPattern: unsafe bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)) }
    }
    return try PCMBuffer(samples: samples, format: Self.format)
  }

  /// The next seconds, complete; throws if the sink or its server is gone.
  public func seconds(_ seconds: Double) throws -> PCMBuffer<Float> {
    let frameCount = Int(seconds * Double(Self.format.sampleRate))
    let piece = try frames(frameCount)
    guard piece.frameCount == frameCount else { throw SoundServerError("The sink that is recorded is gone.") }
    return piece
  }

  /// Records until a sound begins, and returns the tenth of a second with its beginning.
  ///
  /// Throws after ``patience`` seconds of silence, or if the sink is gone.
  @discardableResult
  public func untilSound(above threshold: Float = 0.001) throws -> PCMBuffer<Float> {
    try next { $0.samples.contains { abs($0) > threshold } }
  }

  /// Records until a tenth of a second is silent, and returns it; throws in the same cases.
  @discardableResult
  public func untilSilence(below threshold: Float = 0.001) throws -> PCMBuffer<Float> {
    try next { $0.samples.allSatisfy { abs($0) <= threshold } }
  }

  private func next(where condition: (PCMBuffer<Float>) -> Bool) throws -> PCMBuffer<Float> {
    for _ in 0..<10 * Self.patience {
      let piece = try seconds(0.1)
      if condition(piece) { return piece }
    }
    throw SoundServerError("What was waited for was not recorded within \(Self.patience) seconds.")
  }

  /// The limit of a wait, in seconds of the sink.
  public static let patience = 30
}
