import Gait
import Testing

@testable import GaitLab

struct WholeRunsJudgeTests {
  private func point(_ cadence: Double, _ gyroscope: Double?) -> CadencePoint {
    CadencePoint(time: SampleTime(seconds: 0), stepsPerMinute: cadence, gyroscopeCadence: gyroscope)
  }

  @Test("cadences agree within the limit, and a jump is a change by an octave between two windows with steps")
  func cadence() {
    let agreement = CadenceAgreement(
      [
        [point(160, 161), point(160, 163), point(0, nil), point(80, 0), point(160, nil)],
        [point(80, 78)],
      ], within: 2, octave: 1.7)
    #expect([agreement.windows, agreement.counted, agreement.agreeing, agreement.jumps] == [6, 5, 2, 1])
    #expect(agreement.description.contains("within 2 steps/min in 2 (33.3 %); 1 jumps by an octave"))
  }

  @Test("the quietest second is the least RMS over whole seconds of a stretch")
  func quietestSecond() {
    let samples = (0..<50).map { index in
      MotionSample(
        time: SampleTime(seconds: Double(index) / 10), gravity: SIMD3(0, 0, -1),
        userAcceleration: SIMD3((20..<35).contains(index) ? 0.25 : 1, 0, 0))
    }
    let recording = Recording(name: "run", sampleRate: .hertz(10), samples: samples)
    #expect(recording.quietestSecond(from: 0, to: 5) == 0.25)
    #expect(recording.quietestSecond(from: 0, to: 2) == 1)
    #expect(recording.quietestSecond(from: 2, to: 2.5) == .infinity)
  }
}
