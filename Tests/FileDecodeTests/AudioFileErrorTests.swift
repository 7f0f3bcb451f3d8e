import FileDecode
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct AudioFileErrorTests {
  @Test func `A missing file is named, with what to check`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("grówl äh.ogg")
    let error = try #require(openingFailure(path))
    #expect(error.code == .fileNotFound)
    #expect(error.path == path)
    #expect(error.description == error.message)
    #expect(
      error.message == "\(path) cannot be opened: there is no such file. Check the path."
    )
    let relative = try #require(openingFailure("no such folder/a.wav"))
    let current = FileManager.default.currentDirectoryPath
    #expect(relative.message.hasSuffix("the folder that relative paths start from: it is \(current)."))
    #expect(error.underlying?.contains("errno 2") == true)
    #expect(openingFailure(folder.file("a\0.wav"))?.code == .fileNotFound)
    #expect(openingFailure("/dev/null/a.wav")?.code == .fileNotFound)
  }

  @Test func `An empty path has a sentence of its own`() throws {
    let error = try #require(openingFailure(""))
    #expect(error.code == .fileNotFound)
    #expect(error.message == "No file can be opened: the path is empty. Pass the path of a sound file.")
  }

  @Test(arguments: [
    ("~/x.wav", "A shell expands ~"), ("file:///music/x.wav", "It is a URL"), ("FILE:x.wav", "It is a URL"),
    ("https://example.com/x.wav", "It is a URL"),
  ])
  func `A path of a shell or a URL is reported as such`(path: String, part: String) throws {
    let error = try #require(openingFailure(path))
    #expect(error.code == .fileNotFound)
    #expect(error.message.contains("\(path) cannot be opened: there is no such file. \(part)"))
  }

  @Test(arguments: [
    ("Sounds/Voice1.WAV", "Sounds/voice1.wav"), ("sounds/voice1.wav", "Sounds/voice1.wav"),
    ("SOUNDS//VOICE1.wav", "Sounds/voice1.wav"), ("Sounds/GRO\u{308}WL.ogg", "Sounds/gr\u{F6}wl.ogg"),
    ("Sounds/gro\u{308}wl.ogg", "Sounds/gr\u{F6}wl.ogg"), ("sounds/../Sounds/a.FLAC", "Sounds/../Sounds/A.flac"),
  ])
  func `A name in the wrong case is reported with the right one`(path: String, right: String) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("Sounds"), withIntermediateDirectories: false)
    for name in ["voice1.wav", "gr\u{F6}wl.ogg", "A.flac", "a.fla"] { _ = try folder.write([1], as: "Sounds/\(name)") }
    let error = try #require(openingFailure(folder.file(path)))
    #expect(error.code == .fileNotFound)
    // Compared by bytes: strings of the same letters are equal.
    let expected = "there is no such file. There is \"\(folder.file(right))\". The two differ"
    #expect(Array(error.message.utf8).firstRange(of: Array(expected.utf8)) != nil)
  }

  @Test(arguments: ["Sounds/voice2.wav", "voice1.wav", "Sounds/voice1.wav/x", "Sounds/voice1.wa", "Sound/VOICE1.wav"])
  func `A name that no file resembles is reported without another`(path: String) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("Sounds"), withIntermediateDirectories: false)
    _ = try folder.write([1], as: "Sounds/voice1.wav")
    #expect(openingFailure(folder.file(path))?.message.contains("Check the path") == true)
  }

  @Test func `A link to a missing file is not reported as a name in another case`() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(atPath: folder.file("a.wav"), withDestinationPath: "gone.wav")
    #expect(openingFailure(folder.file("a.wav"))?.message.contains("The two differ") == false)
  }

  @Test func `A path with a zero byte does not open the file before the zero`() throws {
    let folder = try TemporaryFolder()
    let path = try save(noise(10, .mono(sampleRate: 8_000)), to: folder.file("a.wav"))
    #expect(openingFailure(path + "\0b")?.code == .fileNotFound)
    #expect(creatingFailure(path + "\0b.wav")?.code == .fileNotFound)
  }

  @Test func `A file without permission is refused, and so is a folder to write in`() throws {
    let folder = try TemporaryFolder()
    let path = try save(noise(10, .mono(sampleRate: 8_000)), to: folder.file("a.wav"))
    try setPermissions(0, of: path)
    try setPermissions(0o555, of: folder.path)
    let newPath = folder.file("b.wav")
    let (opening, creating) = try #require(asNobody { (openingFailure(path), creatingFailure(newPath)) })
    #expect(opening?.code == .permissionDenied)
    #expect(opening?.message.hasPrefix("\(path) cannot be opened: this user may not read it.") == true)
    #expect(creating?.code == .permissionDenied)
    #expect(creating?.message.hasPrefix("\(newPath) cannot be created: this user may not write") == true)
    try setPermissions(0o755, of: folder.path)
  }

  @Test func `An empty file is refused as such`() throws {
    let folder = try TemporaryFolder()
    for name in ["a.wav", "a.mp3", "a"] {
      let error = try #require(openingFailure(folder.write([], as: name)))
      #expect(error.code == .emptyFile)
      #expect(error.message.hasSuffix("cannot be opened: the file is empty. Copy or export it again."))
    }
    let generated = try #require(openingFailure("/proc/self/status"))
    #expect(generated.code == .emptyFile)
    #expect(generated.message.contains("the system makes its bytes as they are read. Copy it to a disk"))
  }

  @Test func `Folders, devices and pipes are refused, and without waiting`() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.file("pipe.wav")
    unsafe try #require(mkfifo(pipe, 0o666) == 0)
    for path in [folder.path, pipe, "/dev/null", "/dev/zero"] {
      #expect(openingFailure(path)?.code == .notAFile)
    }
    #expect(
      openingFailure(folder.path)?.message == "\(folder.path) cannot be opened: it is a folder."
        + " Pass the path of a sound file."
    )
    #expect(creatingFailure(pipe)?.code == .notAFile)
  }

  @Test func `Links are followed, and a circle of them is named`() throws {
    let folder = try TemporaryFolder()
    let path = try save(noise(10, .mono(sampleRate: 8_000)), to: folder.file("a.wav"))
    let link = folder.file("link.wav")
    let circle = folder.file("circle.wav")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    try FileManager.default.createSymbolicLink(atPath: circle, withDestinationPath: circle)
    #expect(try AudioFile(opening: link).readAll().frameCount == 10)
    #expect(openingFailure(circle)?.code == .cannotOpen)
  }

  @Test func `A file in a circle of links cannot be created, and the error has the reason of the system`() throws {
    let folder = try TemporaryFolder()
    let circle = folder.file("circle")
    try FileManager.default.createSymbolicLink(atPath: circle, withDestinationPath: circle)
    let error = try #require(creatingFailure(circle + "/a.wav"))
    #expect(error.code == .cannotCreate && error.code.description == "cannotCreate")
    #expect(error.message.contains("cannot be created: the system refused: Too many levels of symbolic links"))
  }

  @Test(arguments: ["a.wav", "a.au", "a.snd", "a.vox", "a.gsm", "a.mp3", "a.raw", "a"])
  func `Text and random bytes are rejected with any file name`(name: String) throws {
    let folder = try TemporaryFolder()
    var generator = SplitMix64(seed: 11)
    let random = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    for bytes in [Array("hello, world\n".utf8), random, [0x52], [UInt8](repeating: 0, count: 9_000)] {
      let error = try #require(openingFailure(folder.write(bytes, as: name)))
      #expect(error.code == .unrecognizedFormat)
      #expect(error.message.contains("Pass a WAV, AIFF, CAF, FLAC, Ogg Vorbis, Opus, MP3, M4A or AU file."))
    }
  }

  @Test func `The content decides, not the name`() throws {
    let folder = try TemporaryFolder()
    let original = try noise(100, .mono(sampleRate: 8_000))
    let flac = try bytes(of: save(original, to: folder.file("a.flac")))
    for name in ["b.wav", "b.mp3", "b.txt", "b"] {
      #expect(try AudioFile(opening: folder.write(flac, as: name)).readAll(as: Int16.self) == original)
    }
  }

  @Test func `An MPEG-4 file without a sound track is damaged`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([0, 0, 0, 32] + Array("ftypM4A isom".utf8), as: "music.m4a")
    #expect(openingFailure(path)?.code == .damagedFile)
  }

  @Test func `Characters of a path that command a terminal are spelled out`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a\u{1B}[31m\nb\u{202E}.ogg")
    let error = try #require(openingFailure(path))
    #expect(error.path == path)
    #expect(error.message.hasPrefix("\(folder.path)/a\\u{1B}[31m\\u{A}b\\u{202E}.ogg cannot be opened:"))
    let emoji = folder.file("👩\u{200D}🚀.ogg")
    #expect(openingFailure(emoji)?.message.hasPrefix(emoji) == true)
  }

  @Test func `An unsupported encoding is rejected before decoding even if libsndfile supports it`() throws {
    let folder = try TemporaryFolder()
    let gsm = try #require(openingFailure(folder.write(Fixtures.gsm, as: "a.wav")))
    #expect(gsm.code == .unsupportedEncoding)
    #expect(gsm.message.hasSuffix("a.wav holds GSM 6.10, which is not decoded. Convert it to Ogg Vorbis or FLAC."))
    for (tag, codec) in [
      (0x40, "G.721 or G.726 ADPCM"), (0x20, "Yamaha ADPCM"), (0x28F, "G.722"), (0xFF, "AAC"),
      (0x161, "Windows Media Audio"),
      (0x55, "MP3 in a WAV file"), (0x7777, "codec 30583 of WAV files"),
    ] {
      let bytes = wav(formatTag: tag, bits: 4, data: [UInt8](repeating: 1, count: 400))
      let error = try openingFailure(folder.write(bytes, as: "b.wav"))
      #expect(error?.code == .unsupportedEncoding)
      #expect(error?.message.contains("b.wav holds \(codec), which is not decoded.") == true)
    }
  }

  @Test func `The error about an encoding without a known name states the container`() throws {
    // G.721 in AU.
    let bytes = Array(".snd".utf8) + big(24, 4) + big(400, 4) + big(23, 4) + big(8_000, 4) + big(1, 4)
    let folder = try TemporaryFolder()
    let error = try openingFailure(folder.write(bytes + [UInt8](repeating: 1, count: 400), as: "a.au"))
    #expect(error?.code == .unsupportedEncoding)
    #expect(error?.message.contains("a.au is an AU file with an encoding that is not decoded.") == true)
  }

  @Test func `A code prints its name`() {
    let codes: [AudioFileError.Code] = [.conversionFailed, .traitNeeded]
    #expect(codes.map(\.description) == ["conversionFailed", "traitNeeded"])
  }

  private func creatingFailure(_ path: String) -> AudioFileError? {
    failure { () throws(AudioFileError) in _ = try AudioFileWriter(creating: path, format: .mono(sampleRate: 8_000)) }
  }
}
