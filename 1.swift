import CoreLocation
import CoreMotion
import Foundation
import Gait
import GaitRuns
import Observation

@MainActor @Observable
final class RunSession {
  private(set) var figures: RunSnapshot?
  private(set) var isPaused = false
  private(set) var problem: String?
  private(set) var finished: StoredRun?

  @ObservationIgnored private let motion = CMMotionManager()
  @ObservationIgnored private let altimeter = CMAltimeter()
  @ObservationIgnored private let locations = CLLocationManager()
  @ObservationIgnored private var receiver: LocationReceiver?
  @ObservationIgnored private var inputs: AsyncStream<RunInput>.Continuation?
  @ObservationIgnored private var sources: [Task<Void, Never>] = []

  /// Begins a run, or goes on with the one in the journal.
  func start(journalURL: URL, store: RunStore) {
    let began = Date()
    let (stream, continuation) = AsyncStream.makeStream(of: RunInput.self)
    inputs = continuation
    listen(to: continuation)
    Task {
      do {
        let recorder = try RunRecorder(journalURL: journalURL)
        for await input in stream { show(try await recorder.append(input)) }
        finished = try await recorder.finish(startedAt: began, in: store)
      } catch {
        problem = "\(error)"
      }
    }
  }

  func pause() { inputs?.yield(.pause(autoResume: false, at: .now)) }
  func resume() { inputs?.yield(.resume(at: .now)) }
  func lap() { inputs?.yield(.lap(at: .now)) }

  /// Ends the run; `finished` has it after the last input.
  func stop() {
    for source in sources { source.cancel() }
    locations.stopUpdatingLocation()
    inputs?.finish()
  }

  private func listen(to inputs: AsyncStream<RunInput>.Continuation) {
    let samples = MotionSample.updates(from: motion, at: .hertz(50))
    let altitudes = AltitudeSample.updates(from: altimeter)
    sources = [
      Task {
        do {
          for try await sample in samples { inputs.yield(.motion(sample)) }
        } catch {
          problem = "\(error)"
        }
      },
      // A phone without barometer has no climb; the run goes on.
      Task { do { for try await sample in altitudes { inputs.yield(.altitude(sample)) } } catch {} },
    ]
    let receiver = LocationReceiver(inputs: inputs)
    self.receiver = receiver
    locations.delegate = receiver
    locations.activityType = .fitness
    locations.desiredAccuracy = kCLLocationAccuracyBest
    locations.pausesLocationUpdatesAutomatically = false
    locations.allowsBackgroundLocationUpdates = true
    locations.requestWhenInUseAuthorization()
    locations.startUpdatingLocation()
  }

  private func show(_ events: [RunEvent]) {
    for event in events {
      switch event {
      case .snapshot(let snapshot): figures = snapshot
      case .paused: isPaused = true
      case .resumed: isPaused = false
      default: break
      }
    }
  }
}

/// Passes GPS points on, on the clock of the motion.
final class LocationReceiver: NSObject, CLLocationManagerDelegate {
  private let inputs: AsyncStream<RunInput>.Continuation
  private let bootDate = Date(timeIntervalSinceNow: -ProcessInfo.processInfo.systemUptime)

  init(inputs: AsyncStream<RunInput>.Continuation) { self.inputs = inputs }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    for location in locations { inputs.yield(.location(LocationSample(location, bootDate: bootDate))) }
  }

  // Without GPS the run goes on, with a distance from steps if `RunOptions.strides` is known.
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
}

extension SampleTime {
  /// Now, on the clock of Core Motion.
  static var now: SampleTime { .seconds(ProcessInfo.processInfo.systemUptime) }
}
