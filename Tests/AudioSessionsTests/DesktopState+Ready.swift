import Testing

@testable import AudioSessions

extension DesktopState {
  /// A ready server with one output, for a program of the process 1 with the connection 1, and another with the
  /// connection 2.
  static func ready(_ modules: String...) -> DesktopState {
    var state = DesktopState(process: 1)
    for (index, name) in modules.enumerated() {
      _ = state.handle(.module(UInt32(index), name: name, arguments: ""))
    }
    let card = DesktopEvent.Output(name: "card", text: "Card", port: "Speakers", emptyPorts: ["Headphones"])
    _ = state.handle(.output(0, card))
    _ = state.handle(.defaultOutput("card", server: "pulseaudio"))
    _ = state.handle(.client(1, DesktopEvent.Program(process: 1), isOwn: true))
    _ = state.handle(.client(2, DesktopEvent.Program(process: 20), isOwn: false))
    let route = SessionRoute(outputs: ["Card, Speakers"])
    #expect(
      state.handle(.serverReady) == [.otherAudio(isPlaying: false), .routeChanged(route, reason: .unknown)]
    )
    return state
  }
}
