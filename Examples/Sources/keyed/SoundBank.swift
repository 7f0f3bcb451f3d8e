import FileDecode
import Spatial3D

/// Sounds by name: each loaded once, and played as often as wanted, also over itself.
///
/// A key has one buffer, and as many sources as it ever sounded at once; they are used again. What a key is loaded with
/// replaces what it had, and falls silent with it. Used by one thread at a time.
final class SoundBank {
  private struct Entry {
    let buffer: SoundBuffer
    let isLooping: Bool
    var sources: [SoundSource] = []
  }

  private let context: AudioContext
  private var entries: [String: Entry] = [:]

  init(in context: AudioContext) { self.context = context }

  /// The keys that have a sound, in the order of the alphabet.
  var keys: [String] { entries.keys.sorted() }

  /// Loads a file for a key; where that fails, the key keeps what it has.
  @discardableResult
  func load(_ key: String, from path: String, isLooping: Bool = false) throws(BankError) -> SoundBuffer {
    let buffer: SoundBuffer
    do {
      // One channel, as only such sounds have a place; straight from the file into OpenAL's memory.
      buffer = try SoundBuffer(reading: AudioFile(opening: path, in: .mono), in: context)
    } catch let error as AudioFileError {
      throw .file(error)
    } catch {
      throw .audio(error as? AudioError, key: key)
    }
    entries[key] = Entry(buffer: buffer, isLooping: isLooping)
    return buffer
  }

  /// Forgets a key's sound, which falls silent.
  func unload(_ key: String) { entries[key] = nil }

  /// Plays a key's sound from its beginning, beside what sounds of it already.
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

  /// Ends all that sounds of a key.
  func stop(_ key: String) throws(BankError) { context.stop(try entry(key).sources) }

  /// Ends all that sounds of a key, and puts it back to its beginning.
  func rewind(_ key: String) throws(BankError) { context.rewind(try entry(key).sources) }

  /// Whether a key's sound is heard.
  func isPlaying(_ key: String) throws(BankError) -> Bool { try playingCount(key) > 0 }

  /// How often a key's sound is heard at once.
  func playingCount(_ key: String) throws(BankError) -> Int {
    try entry(key).sources.count { $0.state == .playing }
  }

  private func entry(_ key: String) throws(BankError) -> Entry {
    guard let entry = entries[key] else { throw .unknownKey(key, known: keys) }
    return entry
  }
}

/// Why a sound bank could not do something.
enum BankError: Error {
  /// Nothing was loaded under that name.
  case unknownKey(String, known: [String])
  /// The file cannot be read.
  case file(AudioFileError)
  /// OpenAL took no further buffer or source.
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
