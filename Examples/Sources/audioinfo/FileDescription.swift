import FileDecode
import Foundation
import Spatial3DTesting
import Stage

/// The description of a file; unknown values are `nil`.
struct FileDescription {
  let file: String
  var container: String?
  var codec: String?
  var sampleRate: Int?
  var channels: Int?
  var layout: String?
  var bitDepth: Int?
  var validFrames: Int?
  var primingFrames: Int?
  var remainderFrames: Int?
  var totalFrames: Int?
  var packets: Int?
  var framesPerPacket: Int?
  var trimSource: String?
  /// The size of the file in bytes.
  var size: Int?
  /// Empty for a file without loops; `nil` if they are unknown.
  var loops: [Loop]?
  var markers: [Marker]?
  var tags: [String: String]?
  /// The largest magnitude of a sample, in decibels relative to full scale; `nil` for silence too.
  var peak: Double?
  /// The integrated loudness in LUFS; `nil` for a short or silent sound too.
  var loudness: Double?
  var truncated: Bool?
  var error: String?

  struct Loop: Encodable {
    /// The first frame of the loop, and the frame after its last.
    let start, end: Int
    let direction: String
    let playCount: Int?
  }

  struct Marker: Encodable {
    let frame: Int
    let name: String?
  }

  /// The length of the sound in seconds.
  var duration: Double? {
    guard let validFrames, let sampleRate, sampleRate > 0 else { return nil }
    return Double(validFrames) / Double(sampleRate)
  }

  /// The bits of the file for each second of sound.
  var bitRate: Int? {
    guard let size, let duration, duration > 0 else { return nil }
    return Int((8 * Double(size) / duration).rounded())
  }

  /// The description of a file that could not be found.
  init(_ path: String, error: String) {
    file = path
    self.error = error
  }

  /// Opens a file and reads it to its end, block by block.
  init(_ path: String) {
    file = path
    do throws(AudioFileError) {
      let file = try AudioFile(opening: path)
      size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
      container = file.container.name
      codec = file.codec.name
      sampleRate = file.format.sampleRate
      channels = file.format.channelCount
      layout = file.format.layout.name
      bitDepth = file.bitDepth
      // Some damage is found only by reading the file.
      let levels = try SoundLevels(of: file)
      (peak, loudness) = (levels?.peak, levels?.loudness)
      truncated = file.isTruncated
      let table = file.packetTable
      validFrames = table.validFrames ?? levels?.frameCount
      primingFrames = table.primingFrames
      remainderFrames = table.remainderFrames
      totalFrames = table.totalFrames
      packets = table.packetCount
      framesPerPacket = table.framesPerPacket
      trimSource = table.source.name
      loops = file.loops.map { loop in
        let direction =
          switch loop.direction {
          case .forward: "forward"
          case .backward: "backward"
          case .alternating: "alternating"
          }
        return Loop(
          start: loop.range.lowerBound,
          end: loop.range.upperBound,
          direction: direction,
          playCount: loop.playCount
        )
      }
      markers = file.markers.map { Marker(frame: $0.frame, name: $0.name) }
      tags = file.tags.entries
    } catch {
      self.error = error.message
    }
  }

  /// The descriptions of files, made on all cores, in the order of the files.
  static func all(of files: [Result<InputFile, InputError>]) -> [FileDescription] {
    inParallel(files) { file in
      switch file {
      case .success(let file): FileDescription(file.path)
      case .failure(let error): FileDescription(error.path, error: error.message)
      }
    }
  }
}

/// The measures of a whole sound.
private struct SoundLevels {
  var frameCount = 0
  let peak: Double?
  let loudness: Double?

  /// Reads a file to its end; `nil` if this build lacks the codec.
  init?(of file: borrowing AudioFile) throws(AudioFileError) {
    var block = PCMBuffer<Float>(format: file.format)
    var meter = LoudnessMeter(format: file.format)
    var largest = Decibels.silence
    do throws(AudioFileError) {
      while try file.read(into: &block) > 0 {
        frameCount += block.frameCount
        meter.append(block)
        largest = max(largest, block.peak)
      }
    } catch {
      guard error.code == .traitNeeded else { throw error }
      return nil
    }
    peak = largest.rawValue.isFinite ? Double(largest.rawValue) : nil
    loudness = meter.integrated.map { Double($0.rawValue) }
  }
}
