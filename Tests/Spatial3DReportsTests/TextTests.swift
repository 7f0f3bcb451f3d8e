import Foundation
@_spi(Drawing) import Spatial3DReports
import Testing

@Suite struct TextTests {
  @Test func `Numbers have as many decimals as asked for and a true minus sign`() {
    for (index, value) in stride(from: -2_000, through: 2_000, by: 1.333_7).enumerated() {
      let decimals = index % 5
      let text = value.text(decimals: decimals)
      let back = Double(text.replacing("−", with: "-"))
      #expect(back.map { abs($0 - value) <= 0.5001 * pow(10, -Double(decimals)) } == true, "\(value) is not \(text)")
      #expect((text.split(separator: ".").dropFirst().first?.count ?? 0) == decimals)
    }
    #expect((-0.04).text(decimals: 1) == "0.0")
    #expect((-6.0).text(decimals: 0) == "−6")
    #expect((-Double.infinity).text(decimals: 1) == "−∞")
    #expect(Double.nan.text(decimals: 1) == "–")
  }

  @Test func `Moments are written in seconds on short walks and in minutes on long ones`() {
    #expect(4.0.clockText(step: 2, end: 24) == "4")
    #expect(0.6.clockText(step: 0.2, end: 2) == "0.6")
    #expect(65.0.clockText(step: 5, end: 120) == "1:05")
    #expect(60.0.clockText(step: 10, end: 90) == "60")
    #expect(Double.infinity.clockText(step: 10, end: 900) == "∞")
  }

  @Test func `A long text keeps its beginning and its end`() {
    #expect("brook.wav".shortened(to: 9) == "brook.wav")
    #expect("a very long name 42.wav".shortened(to: 13) == "a very l….wav")
    for limit in 2...40 {
      let short = "日本語の長い名前 and then some more of it.flac".shortened(to: limit)
      #expect(short.columnCount <= limit && short.columnCount >= limit - 2, "\(limit): \(short)")
    }
  }
}
