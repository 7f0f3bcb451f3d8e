import Spatial3D
import Spatial3DTesting
import Testing

@testable import GameAudio

/// The rays to an emitter, and the occlusion and obstruction that their answers give in a state.
@Suite struct RayQuestionTests {
  private static let tone = Sound(
    TestSignal.sine(frequency: 400, duration: .seconds(9), format: .mono(sampleRate: 48_000))
  )
  private static let id = EmitterKey(slot: 0, number: 1)

  @Test(arguments: [1, 5])
  func `Each ray is asked about once, and one wrong answer makes the whole one wrong`(rays: Int) {
    let origin: SIMD3<Float> = [1, 2, 3]
    for wrong in -1..<rays {
      var question = RayQuestion(
        to: Self.id,
        origin: origin,
        target: RayTarget(center: [9, 2, 3], radius: 2),
        rays: rays
      )
      var asked: [OcclusionRay] = []
      question.ask { ray in
        asked.append(ray)
        return asked.count - 1 == wrong ? .wall(3) : OcclusionResult(occlusion: -12, obstruction: -6)
      }
      #expect(asked.count == rays && asked.allSatisfy { $0.origin == origin && $0.emitter == Emitter.ID(Self.id) })
      #expect(asked[0].target == [9, 2, 3] && Set(asked.map(\.target)).count == rays)
      #expect(asked.dropFirst().allSatisfy { abs(($0.target - [9, 2, 3]).length - 2) < 1e-4 })
      #expect((question.answer == nil) == (wrong >= 0) && question.isWrong == (wrong >= 0))
      guard let answer = question.answer else { continue }
      #expect(answer.subject == Self.id && abs(answer.occlusion + 12) < 1e-4 && abs(answer.obstruction + 6) < 1e-4)
    }
  }

  @Test func `Answers come on top of the own occlusion and obstruction, and end at -100 dB`() throws {
    for (own, rays, whole) in [(0, 0, 0), (-10, -20, -30), (-60, -70, -100), (0, -40, -40), (-40, 0, -40)]
      as [(Decibels, Float, Decibels)]
    {
      for isObstruction in [false, true] {
        var state = try CommandState([Self.tone], mixesByFrames: true).state
        state.playback.scene.emitters.changeRare(0) { rare in
          if isObstruction { rare.obstruction = own } else { rare.occlusion = own }
          let levels: (Float, Float) = isObstruction ? (0, rays) : (rays, 0)
          rare.rays.take(occlusion: levels.0, obstruction: levels.1, at: 1, isHeard: false)
        }
        let rare = state.playback.scene.emitters[rare: 0]
        #expect(
          rare.wholeOcclusion == (isObstruction ? 0 : whole) && rare.wholeObstruction == (isObstruction ? whole : 0)
        )
        let levels = state.playback.scene.emitters[rare: 0].occlusion(on: nil)
        #expect(levels.occlusion == rare.wholeOcclusion && levels.obstruction == rare.wholeObstruction)
        let audibility = state.playback.scene.audibility(of: 0)
        #expect(audibility.occlusion == Audibility.loudness(ofOcclusion: rare.wholeOcclusion))
        #expect(audibility.obstruction == Audibility.loudness(ofObstruction: rare.wholeObstruction))
        let snapshot = WorldSnapshot(WorldCopy(state)).emitters.first?.rays
        #expect(snapshot?.occlusion == (isObstruction || rays == 0 ? nil : Decibels(rays)))
        #expect(snapshot?.obstruction == (isObstruction && rays != 0 ? Decibels(rays) : nil))
        #expect((snapshot == nil) == (rays == 0))
      }
    }
  }

  @Test func `The time since the last step is at least 0 and at most a second`() throws {
    for (movedUntil, seconds) in [(0, 0.5), (23_999, 1 / 48_000), (24_000, 0), (30_000, 0), (-24_000, 1), (-96_000, 1)]
      as [(Int, Float)]
    {
      var rays = RayState()
      rays.setMoved(until: movedUntil)
      #expect(rays.seconds(until: 24_000, sampleRate: 48_000) == seconds, "\(movedUntil)")
      #expect(rays.movedUntil == 24_000)
    }
  }

  @Test func `A call asks about those that are heard, then about those that lack 6 dB or less for a voice`() throws {
    var scene = try CommandState(Array(repeating: Self.tone, count: 4), mixesByFrames: true, voices: 1)
    for (slot, gain) in [(0, 0), (1, -4), (2, -5), (3, -30)] as [(EmitterSlot, Float)] {
      scene.state.playback.scene.emitters[stored: slot].gain = Decibels(gain).factor
      scene.state.play(slot)
    }
    scene.tick(after: 512)
    scene.tick(after: 512)
    #expect(scene.state.playback.isHeard(0) && !scene.state.playback.isHeard(1))
    for (limit, slots) in [(0, []), (1, [0]), (2, [0, 1]), (3, [0, 1]), (64, [0, 1])] as [(Int, [EmitterSlot])] {
      var copy = scene.state
      let questions = copy.playback.beginRays(limit, copy.selector)
      #expect(questions.map(\.emitter.slot) == slots, "\(limit)")
      #expect(
        questions.allSatisfy { $0.rays == 1 && $0.target.radius == 0 && $0.origin == .zero }
          && copy.playback.scene.space.rays.call == 1
      )
    }
    // Answers are counted by their call; those for others stay away.
    var questions = scene.state.playback.beginRays(64, scene.state.selector)
    for index in questions.indices { questions[index].ask { _ in .wall(-20) } }
    scene.state.playback.endRays(&questions)
    #expect(
      scene.state.playback.scene.emitters[rare: 0].rays.age(at: 3) == 2
        && scene.state.playback.scene.emitters[rare: 1].rays.occlusion == -20
    )
    #expect(scene.state.playback.scene.emitters[2].rare == 0 && scene.state.playback.outbox.diagnostics.isEmpty)
    var wrong = scene.state.playback.beginRays(1, scene.state.selector)
    for index in wrong.indices { wrong[index].ask { _ in .wall(20) } }
    scene.state.playback.endRays(&wrong)
    #expect(
      scene.state.playback.outbox.diagnostics.map(\.code) == [.wrongRayAnswer]
        && scene.state.playback.scene.space.rays.hasReportedWrong
    )
    scene.state.play(0)
    #expect(
      scene.state.playback.scene.emitters[rare: 0].rays.isFirst && scene.state.playback.scene.emitters[2].rare == 0
    )
  }
}
