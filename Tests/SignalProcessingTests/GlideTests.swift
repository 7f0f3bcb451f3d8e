@testable import SignalProcessing
import Testing

/// Numbers that move linearly.
@Suite struct GlideTests {
  @Test func `A number moves linearly, and rests at its target`() {
    var glide = Glide(2)
    #expect(glide.isSettled && glide.value == 2)
    glide.move(to: 10, over: 8)
    #expect(!glide.isSettled && glide.value == 2 && glide.target == 10 && glide.remaining == 8)
    glide.advance(2)
    #expect(glide.value == 4)
    glide.advance(100)
    #expect(glide.isSettled && glide.value == 10 && glide.remaining == 0)
  }

  @Test func `A new target begins from the present value`() {
    var glide = Glide(0)
    glide.move(to: 8, over: 8)
    glide.advance(4)
    glide.move(to: 0, over: 4)
    #expect(glide.value == 4)
    glide.advance(1)
    #expect(glide.value == 3)
  }

  @Test func `The same target goes on, unless it is to be reached earlier`() {
    var glide = Glide(0)
    glide.move(to: 8, over: 8)
    glide.advance(4)
    glide.move(to: 8, over: 8)
    #expect(glide.remaining == 4)
    glide.move(to: 8, over: 0)
    #expect(glide.isSettled && glide.value == 8)
    glide.move(to: 3, over: -1)
    #expect(glide.value == 3)
  }
}
