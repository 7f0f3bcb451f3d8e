import AudioSessions
import Testing

@Suite struct SessionRouteTests {
  private let system = SimulatedSession()

  private func change(
    _ reason: RouteChange.Reason,
    _ previous: [String],
    _ current: [String]
  ) -> SessionEvent {
    .routeChanged(
      RouteChange(
        reason: reason,
        previous: SessionRoute(outputs: previous),
        current: SessionRoute(outputs: current)
      )
    )
  }

  @Test func `The last device that is connected is used, and the one before it returns`() throws {
    let session = AudioSession(system)
    try session.activate()
    let log = EventLog(session)
    let speaker = SessionRoute(outputs: ["speaker"])
    system.post(.routeChanged(speaker, reason: .configurationChange))
    system.post(.outputPlugged("headphones"))
    system.post(.outputPlugged("HDMI"))
    #expect(session.route.outputs == ["HDMI"])
    system.post(.outputUnplugged)
    system.post(.outputUnplugged)
    #expect(session.route == speaker)
    #expect(session.state == .active)
    #expect(
      log.events == [
        change(.configurationChange, [], ["speaker"]),
        change(.newDeviceAvailable, ["speaker"], ["headphones"]),
        change(.newDeviceAvailable, ["headphones"], ["HDMI"]),
        change(.oldDeviceUnavailable, ["HDMI"], ["headphones"]),
        change(.oldDeviceUnavailable, ["headphones"], ["speaker"]),
      ]
    )
  }

  @Test(arguments: RouteChange.Reason.allCases)
  func `A change has the reason that the system reports, and both routes`(reason: RouteChange.Reason) {
    let session = AudioSession(system)
    let log = EventLog(session)
    system.post(.routeChanged(SessionRoute(outputs: ["speaker", "HDMI"]), reason: reason))
    #expect(log.events == [change(reason, [], ["speaker", "HDMI"])])
    guard case .routeChanged(let found) = log.events.first else { return }
    #expect(found.reason == reason && found.previous.outputs == [] && found.current.outputs == ["speaker", "HDMI"])
  }

  @Test func `The route has only the ports that the category uses`() throws {
    let session = AudioSession(system)
    system.post(
      .routeChanged(SessionRoute(outputs: ["speaker"], inputs: ["microphone"]), reason: .configurationChange)
    )
    var routes: [SessionCategory: SessionRoute] = [:]
    for category in SessionCategory.allCases {
      try session.setCategory(category)
      routes[category] = session.route
    }
    let out = SessionRoute(outputs: ["speaker"])
    #expect(
      routes == [
        .ambient: out, .soloAmbient: out, .playback: out,
        .record: SessionRoute(inputs: ["microphone"]),
        .playAndRecord: SessionRoute(outputs: ["speaker"], inputs: ["microphone"]),
        .audioProcessing: SessionRoute(),
      ]
    )
    #expect(routes[.playAndRecord]?.inputs == ["microphone"] && routes[.playback]?.inputs == [])
  }

  @Test func `A new category of an active session that uses other ports changes the route`() throws {
    let session = AudioSession(system)
    let both = SessionRoute(outputs: ["speaker"], inputs: ["microphone"])
    system.post(.routeChanged(both, reason: .configurationChange))
    let log = EventLog(session)
    try session.setCategory(.playAndRecord)
    try session.activate()
    try session.setCategory(.playback)
    try session.setCategory(.ambient)
    let change = RouteChange(
      reason: .categoryChange,
      previous: both,
      current: SessionRoute(outputs: ["speaker"])
    )
    #expect(log.events == [.routeChanged(change)])
  }
}
