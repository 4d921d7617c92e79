// Names that the code blocks of README and articles take from the surrounding text; see Scripts/check-articles.

import Foundation
import Gait

#if canImport(GaitRuns)
  import GaitRuns

  let inputs: AsyncStream<RunInput> = given()
  let store: RunStore = given()
  let run: RunTimeline = given()
#endif

/// A placeholder for a value that the text mentions but does not create.
func given<Value>() -> Value { fatalError("code blocks are type-checked, never run") }

let modelURL: URL = given()
let csvURL: URL = given()
let copyURL: URL = given()
let url: URL = given()
let folder: URL = given()
let journalURL: URL = given()
let storeURL: URL = given()
let start: Date = given()
let recording: Recording = given()
let sample: MotionSample = given()

/// An app's clock.
struct AppClock: Sendable {
  func pause(at time: SampleTime) {}
  func resume(at time: SampleTime) {}
}

let clock = AppClock()
