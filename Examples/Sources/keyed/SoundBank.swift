import FileDecode
import Spatial3D

/// Sounds by name: each loaded once, and played any number of times, also several times at once.
///
/// A key has one buffer, and as many sources as ever played at once; the bank reuses them. Loading a key again replaces
/// its sound, and stops the old one. Use a bank from one thread at a time.
final class SoundBank {
  private struct Entry {
    let buffer: SoundBuffer
    let isLooping: Bool
    var sources: [SoundSource] = []
  }

  private let context: AudioContext
  private var entries: [String: Entry] = [:]

  init(in context: AudioContext) { self.context = context }

  /// The keys of all sounds, in alphabetical order.
  var keys: [String] { entries.keys.sorted() }

  /// Loads a file for a key; if that fails, the key keeps its sound.
  @discardableResult
  func load(_ key: String, from path: String, isLooping: Bool = false) throws(BankError) -> SoundBuffer {
    let buffer: SoundBuffer
    do {
      // OpenAL positions only sounds with one channel; the samples go straight from the file into OpenAL's memory.
      buffer = try SoundBuffer(reading: AudioFile(opening: path, in: .mono), in: context)
    } catch let error as AudioFileError {
      throw .file(error)
    } catch {
      throw .audio(error as? AudioError, key: key)
    }
    entries[key] = Entry(buffer: buffer, isLooping: isLooping)
    return buffer
  }

  /// Removes a key, and stops its sound.
  func unload(_ key: String) { entries[key] = nil }

  /// Plays a key's sound from its beginning, in addition to those that already play.
  func play(_ key: String, at place: SIMD3<Float> = .zero, gain: Float = 1) throws(BankError) {
    var entry = try entry(key)
    let source: SoundSource
    if let idle = entry.sources.first(where: { $0.state != .playing }) {
      source = idle
    } else {
      do {
        source = try SoundSource(playing: entry.buffer, in: context)
      } catch {
        throw .audio(error, key: key)
      }
      source.isLooping = entry.isLooping
      entry.sources.append(source)
      entries[key] = entry
    }
    source.position = place
    source.gain = gain
    source.play()
  }

  /// Stops all sources of a key.
  func stop(_ key: String) throws(BankError) { context.stop(try entry(key).sources) }

  /// Stops all sources of a key, and rewinds them to their beginning.
  func rewind(_ key: String) throws(BankError) { context.rewind(try entry(key).sources) }

  /// Whether a key's sound plays.
  func isPlaying(_ key: String) throws(BankError) -> Bool { try playingCount(key) > 0 }

  /// The number of sources of a key that play.
  func playingCount(_ key: String) throws(BankError) -> Int {
    try entry(key).sources.count { $0.state == .playing }
  }

  private func entry(_ key: String) throws(BankError) -> Entry {
    guard let entry = entries[key] else { throw .unknownKey(key, known: keys) }
    return entry
  }
}

/// The error of a sound bank.
enum BankError: Error {
  /// No sound was loaded for that key.
  case unknownKey(String, known: [String])
  /// The file cannot be read.
  case file(AudioFileError)
  /// OpenAL could not create a further buffer or source.
  case audio(AudioError?, key: String)
}

extension BankError: CustomStringConvertible {
  /// The reason in a sentence.
  var description: String {
    switch self {
    case .unknownKey(let key, let known):
      known.isEmpty
        ? "There is no sound called \(key): load one first."
        : "There is no sound called \(key): there are \(known.joined(separator: ", "))."
    case .file(let error): error.description
    case .audio(let error, let key): "\(key): \(error?.description ?? "the sound could not be played.")"
    }
  }
}
