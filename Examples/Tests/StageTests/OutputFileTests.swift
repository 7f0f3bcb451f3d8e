import Foundation
import Stage
import Testing

@Suite struct OutputFileTests {
  /// Runs a test in a folder of its own.
  private func inFolder(_ test: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try test(folder)
  }

  @Test func `Preparing makes the folders on the way and leaves no file`() throws {
    try inFolder { folder in
      let place = folder.appending(components: "missing", "too", "a.svg")
      try OutputFile(place.path).prepare()
      #expect(try FileManager.default.contentsOfDirectory(atPath: place.deletingLastPathComponent().path) == [])
    }
  }

  @Test func `Preparing leaves a file that is there as it is, and writing replaces it`() throws {
    try inFolder { folder in
      let place = folder.appending(component: "a.svg")
      try Data("what was there before".utf8).write(to: place)
      try OutputFile(place.path).prepare()
      #expect(try String(contentsOf: place, encoding: .utf8) == "what was there before")
      try OutputFile(place.path).write("new")
      #expect(try String(contentsOf: place, encoding: .utf8) == "new")
    }
  }

  @Test func `A place that holds no files is told before anything is written`() throws {
    try inFolder { folder in
      let file = folder.appending(component: "file")
      try Data().write(to: file)
      let long = folder.appending(component: String(repeating: "a", count: 300)).path
      for (path, reason) in [
        (folder.path, "write \(folder.path): Is a directory"),
        (file.appending(component: "a.svg").path, "make the folder \(file.path): File exists"),
        (long, "write \(long): File name too long"),
      ] {
        let error = #expect(throws: OutputError.self) { try OutputFile(path).prepare() }
        #expect(error?.message.contains(reason) == true, "\(error)")
        #expect(throws: OutputError.self) { try OutputFile(path).write("new") }
      }
    }
  }
}
