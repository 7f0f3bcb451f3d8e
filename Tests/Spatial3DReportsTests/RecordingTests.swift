import FileDecode
import Foundation
import Spatial3D
import Spatial3DReports
import Spatial3DTesting
import Testing

@Suite struct RecordingTests {
  /// Records two seconds in which a listener walks two metres north and turns to the east, past a tone of a second.
  private func page(format: PCMFormat = .stereo(sampleRate: 48_000)) throws -> ListeningPage {
    var offline = try OfflineRenderer(format: format)
    let tone = TestSignal.sine(frequency: 440, duration: .seconds(1), format: .mono(sampleRate: 48_000))
    let source = try SoundSource(playing: SoundBuffer(tone, in: offline.context), in: offline.context)
    source.position = [3, 0, -1]
    offline.render(.milliseconds(500))  // before the recording

    var recording = try SceneRecording(of: offline)
    recording.add(source, as: "tone")
    source.play()
    for frame in 0..<120 {
      let angle = Float(frame) / 120 * .pi / 2
      offline.context.listener = Listener(
        position: [0, 1.7, -Float(frame) / 60],
        orientation: Orientation(forward: [sin(angle), 0, -cos(angle)], up: [0, 1, 0])
      )
      try recording.append(offline.render(frameCount: 800))
    }
    let page = try recording.page(title: "Walk")
    #expect(try recording.page(title: "Walk").markup == page.markup)
    return page
  }

  /// The scene of a page, as its script reads it.
  private func scene(of page: ListeningPage) throws -> [String: Any] {
    let markup = page.markup
    let start = try #require(markup.range(of: "id=\"scene\">"))
    let end = try #require(markup.range(of: "</script>", range: start.upperBound..<markup.endIndex))
    let json = Data(markup[start.upperBound..<end.lowerBound].utf8)
    return try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
  }

  @Test func `A recording has the path of the listener`() throws {
    let page = try page()
    #expect(page.seconds == 2 && page.rate == 30)
    let listener = try #require(try scene(of: page)["listener"] as? [String: [Double]])
    #expect(listener["x"] == [0])
    let (z, turn) = (try #require(listener["z"]), try #require(listener["turn"]))
    #expect(z.count == 61 && z[0] == 0 && z[30] == -1 && z[59] == -1.967)
    #expect(turn[0] == 0 && turn[30] == 45)
  }

  @Test func `A recording has its sounds where they are, while they play`() throws {
    let sources = try #require(try scene(of: page())["sources"] as? [[String: Any]])
    let source = try #require(sources.first)
    #expect(sources.count == 1 && source["name"] as? String == "tone")
    #expect(source["x"] as? [Double] == [3] && source["z"] as? [Double] == [-1])
    let opacity = try #require(source["opacity"] as? [Double])
    #expect(opacity[0] == 1 && opacity[28] == 1 && opacity[32] == 0.3)
  }

  @Test func `The events of a recording begin with it`() throws {
    let events = try #require(try scene(of: page())["events"] as? [[String: Any]])
    #expect(events.map { $0["text"] as? String } == ["tone plays", "tone stops"])
    #expect(events.map { $0["time"] as? Double } == [0, 1])
  }

  @Test func `The right ear is louder, and both are silent after the sound`() throws {
    let ears = try #require(try scene(of: page())["ears"] as? [String: [Double]])
    let (left, right) = (try #require(ears["left"]), try #require(ears["right"]))
    for index in 5..<10 { #expect(right[index] > left[index] + 3) }
    #expect(left[50] == -200 && right[50] == -200)
  }

  @Test func `A mono mix has the same level at both ears`() throws {
    let ears = try #require(try scene(of: page(format: .mono(sampleRate: 44_100)))["ears"] as? [String: [Double]])
    #expect(ears["left"] == ears["right"] && ears["left"]?.count == 67)
  }

  @Test func `A sound that comes late or is released is invisible before and after`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    var recording = try SceneRecording(of: offline)
    for _ in 0..<30 { try recording.append(offline.render(frameCount: 1_600)) }
    do {
      let tone = TestSignal.sine(frequency: 440, duration: .seconds(9), format: .mono(sampleRate: 48_000))
      let source = try SoundSource(playing: SoundBuffer(tone, in: offline.context), in: offline.context)
      source.position = [5, 0, 0]
      recording.add(source, as: "tone")
      source.play()
      for _ in 0..<30 { try recording.append(offline.render(frameCount: 1_600)) }
    }
    for _ in 0..<30 { try recording.append(offline.render(frameCount: 1_600)) }
    let sources = try #require(try scene(of: recording.page(title: "Late"))["sources"] as? [[String: Any]])
    let opacity = try #require(sources.first?["opacity"] as? [Double])
    #expect(opacity[29] == 0 && opacity[31] == 1 && opacity[59] == 1 && opacity[62] == 0)
    #expect(sources.first?["x"] as? [Double] == [5])
  }

  @Test func `A relative sound is where the listener is`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let source = try SoundSource(in: offline.context)
    source.isListenerRelative = true
    source.position = [0, 0, -1]
    offline.context.listener.position = [10, 0, 10]
    var recording = try SceneRecording(of: offline)
    recording.add(source, as: "click")
    try recording.append(offline.render(.seconds(1)))
    #expect(recording.format == .stereo(sampleRate: 48_000) && recording.seconds == 1)
    let sources = try #require(try scene(of: recording.page(title: "Click"))["sources"] as? [[String: Any]])
    #expect(sources.first?["x"] as? [Double] == [10] && sources.first?["z"] as? [Double] == [9])
  }

  @Test func `A surround mix and a piece of another format are refused`() throws {
    let surround = try OfflineRenderer(format: PCMFormat(sampleRate: 48_000, layout: .surround51))
    let refused = #expect(throws: ReportError.self) { _ = try SceneRecording(of: surround).seconds }
    #expect(refused?.code == .formatUnsupported)

    var recording = try SceneRecording(of: OfflineRenderer(format: .stereo(sampleRate: 48_000)))
    do {
      try recording.append(PCMBuffer<Float>(format: .mono(sampleRate: 48_000)))
    } catch {
      #expect(error.message.contains("mono at 48000 Hz") && error.message.contains("stereo at 48000 Hz"))
    }
  }

  @Test func `A page and its drawing become files, in place of older ones`() throws {
    let folder = NSTemporaryDirectory() + "RecordingTests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let page = try page()
    for _ in 0..<2 {
      try page.write(to: "\(folder)/page.html")
      try page.drawing.write(to: "\(folder)/page.svg")
    }
    #expect(try String(contentsOfFile: "\(folder)/page.html", encoding: .utf8) == page.markup)
    #expect(try String(contentsOfFile: "\(folder)/page.svg", encoding: .utf8) == page.drawing.markup)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["page.html", "page.svg"])
  }

  @Test(arguments: ["", "/nowhere/at/all.html", NSTemporaryDirectory()])
  func `A page that cannot be written is an error with its path`(path: String) throws {
    let page = try page()
    let error = #expect(throws: ReportError.self) { try page.write(to: path) }
    #expect(error?.code == .writeFailed)
    #expect(error?.message.contains(path.debugDescription) == true)
  }

  @Test func `A drawing is XML, and names every sound`() throws {
    let markup = try page().drawing.markup
    #expect(markup.contains(">tone<") && markup.contains("passed within"))
    #expect(!markup.contains("nan") && !markup.contains("inf"))
  }
}
