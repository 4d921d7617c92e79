import Foundation
import Gait
import GaitTestSupport
import Testing

/// What is passed between devices is the same after JSON, whose keys stay, and another version is one clear error.
@Suite struct JSONFormsTests {
  private static let inputs: [(RunInput, String)] = [
    (
      .motion(
        MotionSample(
          time: .seconds(1), gravity: [0, .nan, -1], rotationRate: [0.1, 0.2, 0.3], userAcceleration: [1, 2, 3])),
      #"{"motion":{"gravity":[0,null,-1],"rotationRate":[0.1,0.2,0.3],"time":1000000000,"userAcceleration":[1,2,3],"version":1},"version":1}"#
    ),
    (
      .location(LocationSample(time: .seconds(2), latitude: 52.5, longitude: 13.4, speed: -1)),
      #"{"location":{"latitude":52.5,"longitude":13.4,"speed":-1,"time":2000000000},"version":1}"#
    ),
    (
      .altitude(AltitudeSample(time: .seconds(3), relativeAltitude: -0.25)),
      #"{"altitude":{"relativeAltitude":-0.25,"time":3000000000},"version":1}"#
    ),
    (.pause(autoResume: true, at: .seconds(4)), #"{"pause":{"at":4000000000,"autoResume":true},"version":1}"#),
    (.resume(at: .seconds(5)), #"{"resume":{"at":5000000000},"version":1}"#),
    (.lap(at: .seconds(6)), #"{"lap":{"at":6000000000},"version":1}"#),
    (.policy(.whenNotRunning, at: .seconds(7)), #"{"policy":{"at":7000000000,"policy":"notRunning"},"version":1}"#),
    (.policy(.never, at: .seconds(8)), #"{"policy":{"at":8000000000,"policy":"never"},"version":1}"#),
  ]

  @Test(arguments: inputs)
  func `An input has a stated form, and is the same after it`(input: RunInput, text: String) throws {
    #expect(try JSONForm.text(input) == text)
    // NaN is not equal to itself.
    #expect("\(try JSONForm.read(RunInput.self, text))" == "\(input)")
  }

  @Test func `A second of a phone's motion at 50 Hz is about 9 kB`() throws {
    let inputs = (0..<50).map { index -> RunInput in
      let values = SIMD3<Float>(1, -2, 3) / 7 + Float(index) / 90
      return .motion(
        MotionSample(
          time: .seconds(5000 + Double(index) / 50), attitude: values, gravity: values, rotationRate: values,
          userAcceleration: values))
    }
    let bytes = try inputs.reduce(0) { try $0 + JSONForm.text($1).utf8.count }
    #expect(8000...13_000 ~= bytes, "\(bytes) bytes")
  }

  @Test func `Every event is the same after JSON`() throws {
    let pause = PauseEvent(decidedAt: .seconds(3), onset: .seconds(2), cause: .still, confidence: 0.98)
    let resume = PauseEvent(
      isPause: false, decidedAt: .seconds(5), onset: .seconds(4), cause: .moving, confidence: 1)
    var snapshot = RunSnapshot(time: .seconds(9), elapsedSeconds: 9, movingSeconds: 8, distance: 20)
    (snapshot.altitudeRange, snapshot.latitudes) = (1...2, 52...52.1)
    let events: [(RunEvent, String)] = [
      (
        .paused(pause),
        #"{"paused":{"cause":"still","confidence":0.98,"decidedAt":3000000000,"onset":2000000000},"version":1}"#
      ),
      (.resumed(resume), #"{"resumed":{"cause":"moving","confidence":1,"decidedAt":5000000000,"#),
      (.activity(ActivityChange(decidedAt: .seconds(3), onset: .seconds(2), activity: .running)), #"{"activity":{"#),
      (.gap(.seconds(1)..<(.seconds(2))), #"{"gap":[1000000000,2000000000],"version":1}"#),
      (.split(Split(number: 1, start: .seconds(0), end: .seconds(9), meters: 1000, movingSeconds: 9)), #"{"split":{"#),
      (.lap(number: 2, at: .seconds(5)), #"{"lap":{"at":5000000000,"number":2},"version":1}"#),
      (
        .goal(.distance(meters: 5000), at: .seconds(5)),
        #"{"goal":{"at":5000000000,"goal":{"distance":{"meters":5000}}},"version":1}"#
      ), (.goal(.movingTime(seconds: 60), at: .seconds(5)), #"{"goal":{"at":5000000000,"#),
      (.dropped(count: 4, at: .seconds(5)), #"{"dropped":{"at":5000000000,"count":4},"version":1}"#),
      (
        .undecided(
          Undecided(since: .seconds(0), at: .seconds(5), reason: .missingChannels, missingChannels: [.gravityX])),
        #"{"undecided":{"at":5000000000,"missingChannels":["gravity.x"],"reason":"missingChannels","since":0},"version":1}"#
      ),
      (.snapshot(snapshot), #"{"snapshot":{"#),
      (.finished(RunTimeline(start: .seconds(0), end: .seconds(60))), #"{"finished":{"#),
    ]
    for (event, text) in events {
      let json = try JSONForm.text(event)
      #expect(json.hasPrefix(text), "\(json)")
      #expect(try JSONForm.read(RunEvent.self, json) == event)
    }
    // The decisions in files of runs before the version was stated.
    let former = #"{"paused":{"_0":{"cause":"still","confidence":0.98,"decidedAt":3000000000,"onset":2000000000}}}"#
    #expect(try JSONForm.read(RunEvent.self, former) == .paused(pause))
  }

  @Test func `Options are the same after JSON, and missing entries have the defaults`() throws {
    #expect(try JSONForm.read(RunOptions.self, "{}") == RunOptions())
    let options = RunOptions(
      policy: PausePolicy(pausingDuring: [.still, .other]), splitMeters: nil,
      goals: [.distance(meters: 10_000), .movingTime(seconds: 3600)], intervalSeconds: [300, 60],
      strides: StrideModel(running: 1.1, walking: 0.7, cadenceSlope: 0.004), largestLocationAccuracy: 15,
      snapshotSeconds: 1,
      bodyMass: 62.5, paceSeconds: 10, sampleDelaySeconds: 0.05, keepsEvidence: false)
    for options in [options, RunOptions()] {
      let json = try JSONForm.text(options)
      #expect(try JSONForm.read(RunOptions.self, json) == options)
      #expect(json.hasSuffix(#""version":1}"#))
    }
    let longest = RunOptions(intervalSeconds: [1, 86_400], snapshotSeconds: 1e9, sampleDelaySeconds: 0)
    #expect(try JSONForm.read(RunOptions.self, JSONForm.text(longest)) == longest)
    var changed = RunOptions()
    changed.snapshotSeconds = 60
    #expect(changed == RunOptions(snapshotSeconds: 60))
  }

  @Test(
    arguments: [
      (#"{"policy":"sometimes"}"#, #"policy: "sometimes" is no policy"#),
      (#"{"splitMeters":0}"#, "splitMeters: the length of a split must be positive"),
      (#"{"intervalSeconds":[300,0]}"#, "intervalSeconds: an interval must last from 1 to 86,400 s of moving time"),
      (#"{"intervalSeconds":[86401]}"#, "intervalSeconds: an interval must last from 1 to 86,400 s of moving time"),
      (#"{"snapshotSeconds":-1}"#, "snapshotSeconds: the interval of snapshots must be within 0.001 to 1e9 s"),
      (#"{"bodyMass":0}"#, "bodyMass: a body mass must be a positive number of kilograms"),
      (#"{"paceSeconds":0}"#, "paceSeconds: the span of a pace must be positive"),
      (#"{"sampleDelaySeconds":-1}"#, "sampleDelaySeconds: a delay cannot be negative"),
    ])
  func `Options that a tracker would trap on are refused`(json: String, reason: String) throws {
    let fault = #expect(throws: JSONFault.self) { try JSONForm.read(RunOptions.self, json) }
    #expect(fault?.description == reason)
  }

  @Test func `Another version is one clear error in every form`() throws {
    func check<Value: Decodable>(_ type: Value.Type) {
      let fault = #expect(throws: JSONFault.self) { try JSONForm.read(type, #"{"version":2}"#) }
      #expect(fault?.description == "version: is 2, but this Gait reads 1; update the app", "\(type)")
    }
    check(MotionSample.self)
    check(RunInput.self)
    check(RunOptions.self)
    check(RunEvent.self)
    check(RunTimeline.self)
  }

  @Test func `What this Gait does not know is refused, and never another input`() throws {
    for json in ["{}", #"{"version":1,"swim":{}}"#] {
      let fault = #expect(throws: JSONFault.self) { try JSONForm.read(RunInput.self, json) }
      #expect(fault?.description == "version: this Gait does not know the input; update the app", "\(json)")
      let other = #expect(throws: JSONFault.self) { try JSONForm.read(RunEvent.self, json) }
      #expect(other?.description == "version: this Gait does not know the event; update the app", "\(json)")
    }
    let sample = #expect(throws: JSONFault.self) {
      try JSONForm.read(MotionSample.self, #"{"time":0,"gravity":[1,2]}"#)
    }
    #expect(sample?.description == "gravity: has 2 values instead of three")
    let policy = #expect(throws: JSONFault.self) { try JSONForm.read(RunInput.self, #"{"policy":{"at":0}}"#) }
    #expect(policy?.description == #"policy: "" is no policy"#)
  }
}
