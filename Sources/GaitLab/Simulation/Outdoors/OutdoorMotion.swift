import Gait
import GaitTraining

/// The motion of a phone on a person who changes between running, walking and standing.
///
/// Each activity is simulated once, for a minute or two, and played as long as the programme needs it, its steps faster
/// or slower with the speed over ground. Where an activity or a repetition begins, one motion fades into the other.
struct OutdoorMotion {
  private let sources: [SimulatedActivity: [PhoneReading]]
  private let sampler: ReadingSampler
  private let fadeSeconds = 0.3

  /// Seconds simulated of each activity.
  private static let seconds: [SimulatedActivity: Double] = [.running: 60, .walking: 40, .still: 90]

  /// The grid points that are left out at both ends of an activity: a second each. Springs settle in the first one.
  private static let margin = MotionTrack.hertz

  init(subject: SimulatedSubject, sampleRate: SampleRate) {
    sampler = ReadingSampler(sampleRate: sampleRate)
    sources = Dictionary(
      uniqueKeysWithValues: SimulatedActivity.allCases.map { activity in
        let count = Int(saturating: (Self.seconds[activity] ?? 60) * MotionTrack.hertz)
        var phone = PhoneSensor(generator: SeededGenerator(seed: subject.seed, keys: [4, activity.key]))
        let track = Simulator.track(of: subject, activity, count: count, isStanding: true)
        return (activity, phone.readings(of: track))
      })
  }

  /// The activity that is played, and the grid point that it has reached.
  private struct Voice {
    var activity: SimulatedActivity
    var place: Double
  }

  /// The rows of a programme on a route, laid out as `MotionSample.row`.
  func rows(_ programme: OutdoorProgramme, on route: OutdoorRoute) -> [SIMD16<Float>] {
    let count = Int(saturating: programme.seconds * sampler.sampleRate.hertz)
    let means = meanSpeeds(programme)
    var places = sources.mapValues { _ in Self.margin }
    var voice = Voice(activity: programme.activity(at: 0), place: Self.margin)
    var fading: (voice: Voice, share: Double)?
    var stretch = 0
    return (0..<count).map { index in
      let time = Double(index) / sampler.sampleRate.hertz
      while time >= programme.stretches[stretch].end { stretch += 1 }
      let activity = programme.stretches[stretch].activity
      if activity != voice.activity || isOver(voice) {
        fading = (voice, 1)
        places[voice.activity] = isOver(voice) ? Self.margin : voice.place
        voice = Voice(activity: activity, place: places[activity] ?? Self.margin)
      }
      let speed = route.place(at: time).speed
      let tempo = Self.tempo(activity, speed: speed, mean: means[activity] ?? 1)
      let played = mixed(reading(voice, tempo), fading.map { (reading($0.voice, 1), $0.share) })
      advance(&voice, by: tempo)
      if var old = fading {
        advance(&old.voice, by: 1)
        old.share -= 1 / (fadeSeconds * sampler.sampleRate.hertz)
        fading = old.share > 0 ? old : nil
      }
      return sampler.row(of: played)
    }
  }

  /// Steps per second against their mean: speed ÷ mean speed to the power of ¼ running and ½ walking.
  ///
  /// Runners lengthen their steps more than they quicken them, walkers do both alike. Sources: Cavanagh and Kram,
  /// "Stride length in distance running", Med. Sci. Sports Exerc. 21, 1989; Grieve and Gear, Ergonomics 9, 1966.
  private static func tempo(_ activity: SimulatedActivity, speed: Double, mean: Double) -> Double {
    guard activity != .still else { return 1 }
    let root = max(0.1, speed / mean).squareRoot()
    return min(max(activity == .running ? root.squareRoot() : root, 0.85), 1.15)
  }

  private func meanSpeeds(_ programme: OutdoorProgramme) -> [SimulatedActivity: Double] {
    Dictionary(grouping: programme.stretches, by: \.activity).mapValues { stretches in
      stretches.reduce(0) { $0 + $1.speed } / Double(stretches.count)
    }
  }

  private func isOver(_ voice: Voice) -> Bool {
    // An activity is over before its last grid point, because it needs more motion while it fades out.
    let spare = Self.margin + 2 * fadeSeconds * MotionTrack.hertz
    return voice.place > Double(sources[voice.activity]?.count ?? 0) - spare
  }

  private func advance(_ voice: inout Voice, by tempo: Double) {
    voice.place += tempo * MotionTrack.hertz / sampler.sampleRate.hertz
  }

  private func reading(_ voice: Voice, _ tempo: Double) -> SampledReading {
    var reading = sampler.reading(of: sources[voice.activity] ?? [], at: voice.place)
    reading.rotationRate *= tempo
    reading.userAcceleration *= tempo
    return reading
  }

  private func mixed(_ reading: SampledReading, _ old: (reading: SampledReading, share: Double)?) -> SampledReading {
    guard let old else { return reading }
    let (share, rest) = (old.share, 1 - old.share)
    return SampledReading(
      attitude: reading.attitude.faded(into: old.reading.attitude, share),
      rotationRate: reading.rotationRate * rest + old.reading.rotationRate * share,
      userAcceleration: reading.userAcceleration * rest + old.reading.userAcceleration * share)
  }
}
