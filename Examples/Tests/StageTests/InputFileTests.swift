import Foundation
import Stage
import Testing

@Suite struct InputFileTests {
  /// Runs a test in a folder of its own, with files whose contents do not matter.
  private func withFiles(_ names: String..., test: (_ folder: String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "InputFileTests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for name in names {
      let file = URL(fileURLWithPath: folder + "/" + name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: file)
    }
    try test(folder)
  }

  private func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  /// The relative paths of the files that an argument stands for; throws the first error.
  private func relativePaths(_ argument: String) throws -> [String] {
    try InputFile.expand([argument], recursive: true).map { try $0.get().relativePath }
  }

  @Test func `A folder stands for its sound files, sorted by path`() throws {
    try withFiles("b.wav", "a/z.OGG", "a/b/c.flac", "a.mp3", "a b/x.opus", "notes.txt", "wav", "cover.png") { folder in
      #expect(try relativePaths(folder) == ["a/b/c.flac", "a/z.OGG", "a b/x.opus", "a.mp3", "b.wav"])
      #expect(try relativePaths(folder + "/") == relativePaths(folder))
      let paths = try InputFile.expand([folder + "/a/"], recursive: true).map { try $0.get().path }
      #expect(paths == [folder + "/a/b/c.flac", folder + "/a/z.OGG"])
    }
  }

  @Test func `Hidden and temporary files are left out`() throws {
    try withFiles("a.wav", ".a.wav", "._a.wav", ".audio-1x.tmp", "a.wav~", "a.wav.tmp", ".trash/a.wav") {
      folder throws in
      #expect(try relativePaths(folder) == ["a.wav"])
      #expect(try relativePaths(folder + "/.trash") == ["a.wav"])
    }
  }

  @Test func `Pipes are left out, and a link to nothing is not`() throws {
    try withFiles("a.wav") { folder in
      #expect(unsafe mkfifo(folder + "/b.wav", 0o600) == 0)
      try link(folder + "/c.wav", to: "nothing.wav")
      try link(folder + "/d.wav", to: "a.wav")
      #expect(try relativePaths(folder) == ["a.wav", "c.wav", "d.wav"])
    }
  }

  @Test func `Loops of links end, and every file is found once under the name of its folder`() throws {
    try withFiles("a/1.wav", "b/2.wav", "c/3.wav") { folder in
      for (place, target) in [
        ("a/self", "."), ("a/up", ".."), ("a/b", "../b"), ("b/a", "../a"), ("b/c", "../c"), ("0", "c"),
        ("dead", "dead"),
      ] {
        try link(folder + "/" + place, to: target)
      }
      #expect(try relativePaths(folder) == ["a/1.wav", "b/2.wav", "c/3.wav"])
      // A folder outside is found below its link, once.
      try link(folder + "/a/second", to: folder + "/c")
      #expect(try relativePaths(folder + "/a") == ["1.wav", "b/2.wav", "b/c/3.wav"])
      try link(folder + "/outer", to: folder + "/a")
      #expect(try relativePaths(folder + "/outer") == relativePaths(folder + "/a"))
    }
  }

  @Test func `Arguments keep their order, and a file has any name`() throws {
    try withFiles("music/b.wav", "music/a.wav", "sound.bin") { folder in
      let arguments = [folder + "/sound.bin", folder + "/music", "missing/x.wav", "-"]
      let files = try InputFile.expand(arguments, recursive: true).map { try $0.get() }
      #expect(files.map(\.relativePath) == ["sound.bin", "a.wav", "b.wav", "x.wav", "-"])
      #expect(
        files.map(\.path) == [arguments[0], folder + "/music/a.wav", folder + "/music/b.wav", "missing/x.wav", "-"]
      )
    }
  }

  @Test func `A folder that gives no files is an error in its place`() throws {
    try withFiles("music/a.wav", "texts/notes.txt", "z.wav") { folder in
      let arguments = [folder + "/music", folder + "/z.wav"]
      let found = InputFile.expand(arguments, recursive: false)
      #expect(found.count == 2)
      #expect(throws: InputError.self) { try found[0].get() }
      let file = try found[1].get()
      #expect(file.path == folder + "/z.wav")
      for (argument, recursive, words) in [
        (folder + "/music", false, "/music is a folder: add --recursive"),
        (folder + "/texts", true, "/texts holds no sound files. Their extensions are .aac, .aif,"),
      ] {
        let error = #expect(throws: InputError.self) {
          try InputFile.expand([argument], recursive: recursive).first?.get()
        }
        #expect(error?.message.contains(words) == true)
        #expect(error?.path == argument)
      }
    }
  }

  @Test(.enabled(if: geteuid() != 0, "The system lets an administrator read every folder."))
  func `A folder that cannot be read is an error beside the files of the others`() throws {
    try withFiles("a/1.wav", "b/2.wav", "c/3.wav") { folder in
      #expect(unsafe chmod(folder + "/b", 0) == 0)
      defer { _ = unsafe chmod(folder + "/b", 0o700) }
      let found = InputFile.expand([folder], recursive: true)
      #expect(found.map { try? $0.get().relativePath } == ["a/1.wav", nil, "c/3.wav"])
      let error = #expect(throws: InputError.self) { try found[1].get() }
      #expect(error?.message.contains("/b cannot be read: Permission denied.") == true)
    }
  }
}
