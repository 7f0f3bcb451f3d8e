@_spi(Drawing) import Spatial3DReports
import Spatial3D

/// A row of a timeline: a sound, the states of its source below, and the moments of its notifications.
struct TimelineRow {
  let samples: [Float]
  /// The states, each from its frame to the next one.
  var states: [(frame: Int, state: SourceState)] = []
  /// Texts below the sound, each with a line to its frame.
  var marks: [(frame: Int, text: String)] = []
  var style = "series1"

  static let left = 28.0
  static let right = Picture.width - 28

  /// The row around the middle of its sound.
  func elements(middle: Double, height: Double) -> [SVGElement] {
    let foot = middle + height / 2
    var elements: [SVGElement] = marks.enumerated().map { index, mark in
      .line(
        SVGPoint(x(mark.frame), middle - height / 2),
        SVGPoint(x(mark.frame), foot + textOffset(index) - 14),
        "quiet line"
      )
    }
    let sound = Waveform(samples).path(from: Self.left, to: Self.right, middle: middle, height: height)
    elements.append(.path(sound, "\(style) fill", width: 0))
    elements += bars(at: foot + 6)
    elements += marks.enumerated().map { index, mark in
      .text(mark.text, at: SVGPoint(x(mark.frame) - 1, foot + textOffset(index)), "ink small halo")
    }
    return elements
  }

  /// Texts that follow each other are on three lines in turns.
  private func textOffset(_ index: Int) -> Double { 32 + 19 * Double(index % 3) }

  private func x(_ frame: Int) -> Double {
    LinearScale(0...Double(samples.count), from: Self.left, to: Self.right)(Double(frame))
  }

  /// A bar for each state that is not the initial one.
  private func bars(at y: Double) -> [SVGElement] {
    states.enumerated().compactMap { index, entry in
      let end = index + 1 < states.count ? states[index + 1].frame : samples.count
      guard let style = Self.style(of: entry.state), end > entry.frame else { return nil }
      return SVGElement(
        "rect",
        [
          "class": "\(style) fill", "x": SVGValue(x(entry.frame)), "y": SVGValue(y),
          "width": SVGValue(x(end) - x(entry.frame)), "height": 7,
        ]
      )
    }
  }

  /// The colour of a state; none of the initial one.
  static func style(of state: SourceState) -> String? {
    switch state {
    case .initial: nil
    case .playing: "series2"
    case .paused: "series4"
    case .stopped: "faint"
    }
  }

  /// The colours of the states, from a position to the right.
  static func key(at start: SVGPoint) -> [SVGElement] {
    var x = start.x
    return [SourceState.playing, .paused, .stopped].flatMap { state -> [SVGElement] in
      defer { x += 110 }
      return [
        SVGElement(
          "rect",
          [
            "class": "\(style(of: state) ?? "") fill", "x": SVGValue(x), "y": SVGValue(start.y - 8), "width": 18,
            "height": 7,
          ]
        ),
        .text("\(state)", at: SVGPoint(x + 24, start.y), "ink small"),
      ]
    }
  }

  /// Numbers of seconds below a timeline.
  static func seconds(_ duration: Double, every step: Double, at y: Double) -> [SVGElement] {
    let scale = LinearScale(0...duration, from: left, to: right)
    let decimals = step < 1 ? 1 : 0
    return stride(from: 0, through: duration, by: step).map { second in
      let text = second.text(decimals: decimals)
      return .text(second == 0 ? "0 s" : text, at: SVGPoint(scale(second), y), "quiet small middle")
    }
  }
}
