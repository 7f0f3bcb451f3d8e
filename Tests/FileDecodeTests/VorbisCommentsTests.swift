import TestSupport
import Testing

@testable import FileDecode

/// The check of the second header of Vorbis.
@Suite struct VorbisCommentsTests {
  private static func header(
    vendor: String = "An encoder",
    comments: [String],
    count: UInt64? = nil,
    mark: [UInt8] = [1]
  ) -> [UInt8] {
    func field(_ text: String) -> [UInt8] { little(UInt64(text.utf8.count), 4) + Array(text.utf8) }
    return [3] + Array("vorbis".utf8) + field(vendor) + little(count ?? UInt64(comments.count), 4)
      + comments.flatMap(field) + mark
  }

  private static func isValid(_ header: [UInt8], partSize: Int = .max) -> Bool {
    var check = VorbisComments()
    var rest = header[...]
    while !rest.isEmpty {
      check.check(rest.prefix(partSize))
      rest = rest.dropFirst(partSize)
    }
    return check.isValid
  }

  @Test(arguments: [1, 2, 3, 7, 255, Int.max])
  func `Whole comments are valid in parts of any size`(partSize: Int) {
    for comments in [[], [""], ["TITLE=Rain"], ["", "", "A=B"], [String(repeating: "x", count: 70_000), "B"]] {
      #expect(Self.isValid(Self.header(comments: comments), partSize: partSize))
      #expect(Self.isValid(Self.header(vendor: "", comments: comments), partSize: partSize))
      // Encoders may pad the header.
      #expect(Self.isValid(Self.header(comments: comments, mark: [3, 0, 0]), partSize: partSize))
    }
  }

  @Test(arguments: [1, 5, Int.max])
  func `Comments that libvorbis refuses are not valid`(partSize: Int) {
    let comments = ["TITLE=Rain", "ARTIST=Sky"]
    let whole = Self.header(comments: comments)
    for count in whole.indices {
      #expect(!Self.isValid(Array(whole.prefix(count)), partSize: partSize), "cut to \(count) bytes")
    }
    for index in 0..<7 {
      var changed = whole
      changed[index] ^= 1
      #expect(!Self.isValid(changed, partSize: partSize), "byte \(index)")
    }
    #expect(!Self.isValid(Self.header(comments: comments, mark: [0]), partSize: partSize))
    #expect(!Self.isValid(Self.header(comments: comments, count: 3), partSize: partSize))
    #expect(!Self.isValid(Self.header(comments: comments, count: 0xFFFF_FFFF), partSize: partSize))
  }

  @Test func `A stream with comments that libvorbis refuses has no index`() throws {
    let folder = try TemporaryFolder()
    var file = try bytes(of: save(noise(20_000, .mono(sampleRate: 48_000)), to: folder.file("a.ogg")))
    func headers() -> OggStreamHeaders? {
      OggStreamHeaders(sampleRate: 48_000) { [file] in Array(file.dropFirst($0).prefix($1)) }
    }
    #expect(headers() != nil)
    let comments = try #require(file.indices.first { file[$0...].starts(with: [3] + Array("vorbis".utf8)) })
    file[comments] = 7
    repairOggChecksums(&file)
    #expect(headers() == nil)
  }
}
