import FileDecode
import Foundation
import FuzzSupport

/// Damages sound files at random and reads them, until the time is up or something breaks.
///
/// The file that is about to be read lies in `last-input`, so that a crash leaves what caused it, and what anything
/// else than this program writes to the standard output and error lies in `output`: the report of a sanitizer, or a
/// library's chatter.
@main
struct Fuzz {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count >= 2, let minutes = Double(arguments[arguments.startIndex]) else {
      print("usage: fuzz MINUTES FOLDER-OF-SOUND-FILES… [SEED]")
      exit(2)
    }
    let seed = arguments.last.flatMap { UInt64($0) } ?? 1
    let seeds = try Seeds(folders: arguments.dropFirst().filter { UInt64($0) == nil })
    let output = try Output(divertingTo: "output")
    output.show("\(seeds.files.count) files, seed \(seed)\n")

    var report = Report()
    if minutes == 0 {
      for file in seeds.files { try report.read(file.bytes, file.name) }
      output.show(report.text)
      return
    }
    var generator = SplitMix64(state: seed)
    let end = ContinuousClock.now + .seconds(minutes * 60)
    while ContinuousClock.now < end {
      let file = seeds.files[Int.random(in: 0..<seeds.files.count, using: &generator)]
      var bytes =
        Bool.random(using: &generator)
        ? resized(file.bytes, using: &generator) : mutated(file.bytes, with: seeds, using: &generator)
      repairOggChecksums(&bytes)
      try Data(bytes).write(to: URL(fileURLWithPath: "last-input"))
      try report.read(bytes, file.name)
      precondition(output.isEmpty, "a library wrote to the standard output or error")
      if report.count.isMultiple(of: 20_000) { output.show(report.text) }
    }
    output.show(report.text)
  }
}

/// Whole files to be damaged.
struct Seeds {
  let files: [(name: String, bytes: [UInt8])]

  /// All sound files of folders, and some in formats that the library writes or only reads.
  init(folders: some Sequence<String>) throws {
    var files: [(name: String, bytes: [UInt8])] = []
    for folder in folders {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
        files.append((name, [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))))
      }
    }
    let samples = (0..<1_200).map { Int16(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
    let noise = try PCMBuffer(samples: samples, format: .stereo(sampleRate: 22_050))
    for name in ["seed.wav", "seed.aiff", "seed.caf", "seed.flac", "seed.ogg"] {
      var writer = try AudioFileWriter(creating: name, format: noise.format)
      try writer.write(noise)
      try writer.close()
      files.append((name, [UInt8](try Data(contentsOf: URL(fileURLWithPath: name)))))
    }
    files += HandMadeSeeds.all
    files += files.filter { $0.name.hasSuffix(".mp3") || $0.name.hasSuffix(".aac") }.map {
      (name: "tagged \($0.name)", bytes: HandMadeSeeds.tagged($0.bytes))
    }
    self.files = files
  }
}

/// The standard output, which only this program writes to: what else comes, and the standard error, goes to a file.
struct Output {
  private let own: FileHandle
  private let diverted: FileHandle

  init(divertingTo path: String) throws {
    try Data().write(to: URL(fileURLWithPath: path))
    own = FileHandle(fileDescriptor: dup(1))
    diverted = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    dup2(diverted.fileDescriptor, 1)
    dup2(diverted.fileDescriptor, 2)
  }

  func show(_ text: String) { own.write(Data(text.utf8)) }

  /// Whether nothing was diverted.
  var isEmpty: Bool {
    fflush(nil)
    return lseek(diverted.fileDescriptor, 0, SEEK_CUR) == 0
  }
}
