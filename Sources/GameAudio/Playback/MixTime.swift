/// A frame of the mix, and the number of frames a second.
struct MixTime: Sendable {
  let frame: Int
  let rate: Int
}
