/// Apple's thirteen rooms, by their names and in their order.
///
/// They are not Apple's algorithm: each has the decay of a room of its name, and within rooms, halls and chambers a
/// larger preset decays longer.
///
/// Apple's counterparts are the values of `ALC_ASA_REVERB_ROOM_TYPE` and of `AVAudioUnitReverbPreset`.
public enum RoomPreset: String, Hashable, Sendable, CaseIterable, Codable {
  /// A furnished room: 0.4 seconds.
  case smallRoom

  /// A bare room: 0.8 seconds.
  case mediumRoom

  /// A meeting room: 1.3 seconds.
  case largeRoom

  /// A hall for chamber music: 1.7 seconds.
  case mediumHall

  /// A concert hall: 2.6 seconds.
  case largeHall

  /// A plate of steel that swings: 1.6 seconds, bright and without first reflections.
  case plate

  /// A chamber of stone: 1.2 seconds.
  case mediumChamber

  /// A basement that echoes: 2.2 seconds.
  case largeChamber

  /// A cathedral: 5.5 seconds.
  case cathedral

  /// Another large room, darker: 1.5 seconds.
  case largeRoom2

  /// Another medium hall, of wood: 1.9 seconds.
  case mediumHall2

  /// A third medium hall, bright: 2.1 seconds.
  case mediumHall3

  /// Another large hall, longer: 3.2 seconds.
  case largeHall2
}
