import ArgumentParser
import FileDecode
import Foundation
import SoundServer
import Spatial3D
import Stage

@main
struct Unplug: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unplug",
    abstract: "Loses the sound server while a sound plays, gets it back, and prints each second what the sink plays.",
    discussion: """
      Starts a PulseAudio server of its own, without a sound card, plays to it, and measures a recording of it. Nothing of this \
      can be rendered offline. The server of the user is not touched. Needs the system package pulseaudio; Linux only.
      """
  )

  @Option(help: ArgumentHelp("Write what was heard to a sound file.", valueName: "OUT.wav"))
  var record: OutputFile?

  @Option(help: ArgumentHelp("How many seconds the server is gone, from 1 to 20.", valueName: "N"))
  var gone = 3

  func validate() throws {
    guard (1...20).contains(gone) else { throw ValidationError("The server is gone for 1 to 20 seconds.") }
  }

  func run() async throws {
    guard let kind = SoundServer.installed.first else {
      Terminal.note("There is no PulseAudio and no PipeWire to lose. Install the package pulseaudio.")
      throw ExitCode.failure
    }
    try record?.prepare()
    var diary = Diary()
    // The library chooses its driver at its first call, so that the server has to come before.
    let server = try SoundServer(kind)
    try server.lendToThisProcess()

    let context = try AudioContext()
    let siren = try Siren(in: context)
    let events = context.events()
    print("s  state    heard at  level at the left and right ear")

    var recording = try server.recording()
    siren.source.play()
    try recording.untilSound()
    for _ in 1...3 { try diary.note(recording.seconds(1), of: siren) }

    try server.kill()
    try await print(event(of: .deviceLost, from: events))
    for _ in 1...gone {
      try await Task.sleep(for: .seconds(1))
      try diary.note(Diary.nothing, of: siren)
    }

    try server.start()
    try server.add(sink: "main")
    recording = try server.recording()
    try await print(event(of: .deviceReturned, from: events))
    try recording.untilSound()
    for _ in 1...3 { try diary.note(recording.seconds(1), of: siren) }

    if let record { try diary.write(to: record) }
  }

  /// Waits for an event of the library, which arrives within seconds if at all.
  private func event(
    of kind: ContextEvent.Kind,
    from events: NotificationSequence<ContextEvent>
  ) async throws -> String {
    let isTold = await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        for await event in events where event.kind == kind { return true }
        return false
      }
      group.addTask {
        // The task ends early if the event arrives, and its result is then unused.
        try? await Task.sleep(for: .seconds(Recording.patience))
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
    guard isTold else {
      Terminal.note("The library reported nothing of \(kind) within \(Recording.patience) seconds.")
      throw ExitCode.failure
    }
    return "-- \(kind)"
  }
}
