import Testing

@testable import Gait

/// Timelines with one character per second: inputs in the first row, decisions in the second.
///
/// Inputs: `R` running, `W` walking, `w` standing, `?` between the thresholds, `s` unreliable movement, a blank no
/// data; `F` a GPS point at 3 m/s, `V` one at 4 m/s, `f` and `v` the same that stay at their place, `S` a slow one, `x`
/// one without a speed; `P` a manual pause, `A` one with automatic resume, `G` a manual resume. Decisions: `p` paused,
/// `r` resumed.
private struct Drawing {
  var policy = PausePolicy.whenStill
  var settings = Drawing.quick

  /// No dwell times and no shortest segment, so that each row shows one rule.
  static var quick: PauseSettings {
    var settings = PauseSettings()
    (settings.pauseDwellSeconds, settings.resumeDwellSeconds, settings.shortestSegmentSeconds) = (0, 0, 0)
    return settings
  }

  static func with(_ change: (inout PauseSettings) -> Void) -> Drawing {
    var drawing = Drawing()
    change(&drawing.settings)
    return drawing
  }

  func decisions(_ inputs: String) -> String {
    var machine = AutoPause(policy: policy, settings: settings)
    return String(
      inputs.enumerated().map { second, character in
        let time = SampleTime.seconds(Double(second))
        return mark(act(character, at: time, on: &machine))
      })
  }

  private func act(_ character: Character, at time: SampleTime, on machine: inout AutoPause) -> PauseEvent? {
    switch character {
    case "R": machine.observe(stopping: 0.001, at: time)
    case "W": machine.observe(stopping: 0.001, running: 0.01, at: time)
    case "w": machine.observe(stopping: 0.999, at: time)
    case "?": machine.observe(stopping: 0.6, at: time)
    case "s": cancelPendingResume(&machine)
    case "F": machine.observe(location(speed: 3, at: time))
    case "V": machine.observe(location(speed: 4, at: time))
    case "f": machine.observe(location(speed: 3, at: time, moves: false))
    case "v": machine.observe(location(speed: 4, at: time, moves: false))
    case "S": machine.observe(location(speed: 0.1, at: time))
    case "x": machine.observe(location(speed: nil, at: time))
    case "P": machine.pause(autoResume: false, at: time)
    case "A": machine.pause(autoResume: true, at: time)
    case "G": machine.resume(at: time)
    default: nil
    }
  }

  private func cancelPendingResume(_ machine: inout AutoPause) -> PauseEvent? {
    machine.cancelPendingResume()
    return nil
  }

  private func location(speed: Double?, at time: SampleTime, moves: Bool = true) -> LocationSample {
    let latitude = moves ? 3 * time.seconds / 110_574 : 0
    return LocationSample(time: time, latitude: latitude, longitude: 0, speed: speed, horizontalAccuracy: 2)
  }

  private func mark(_ decision: PauseEvent?) -> Character { decision.map { $0.isPause ? "p" : "r" } ?? " " }
}

@Suite struct AutoPauseTests {
  private static let rows: [(rule: String, drawing: Drawing, inputs: String, decisions: String)] = [
    (
      "stopping pauses, moving resumes", Drawing(),
      "RRRRwwwwRRRR",
      "    p   r   "
    ),
    (
      "a probability between the thresholds changes nothing", Drawing(),
      "RR????ww????RR",
      "      p     r "
    ),
    (
      "missing data does not pause", Drawing(),
      "RRRR          RR",
      "                "
    ),
    (
      "missing data does not resume", Drawing(),
      "RRww          ww   RR",
      "  p                r "
    ),
    (
      "a pause needs its dwell time", .with { $0.pauseDwellSeconds = 2 },
      "RRwRwwRwwwwRR",
      "         p r "
    ),
    (
      "a resume needs its dwell time", .with { $0.resumeDwellSeconds = 2 },
      "wwRwRRwRRRRR",
      "p        r  "
    ),
    (
      "walking resumes as running does, unless it has a dwell time of its own", .with { _ in },
      "wwWWWwwR",
      "p r  p r"
    ),
    (
      "walking needs its own dwell time", .with { $0.walkingResumeDwellSeconds = 3 },
      "wwWWWWWwwR",
      "p    r p r"
    ),
    (
      "an interrupted dwell time restarts", .with { $0.pauseDwellSeconds = 2 },
      "Rww?wwwRR",
      "      pr "
    ),
    (
      "unreliable movement cancels a pending resume and nothing else",
      .with {
        ($0.pauseDwellSeconds, $0.resumeDwellSeconds) = (1, 1)
      },
      "RRwswRsRsRRR",
      "    p     r "
    ),
    (
      "decisions are at least the shortest segment apart", .with { $0.shortestSegmentSeconds = 4 },
      "wRRRRRwwwwwwR",
      "p   r   p   r"
    ),
    (
      "the policy never makes no decision", Drawing(policy: .never),
      "RRwwwwwFFFFSSSSRR",
      "                 "
    ),
    (
      "a manual pause needs a manual resume", Drawing(),
      "RRPRRRRRRRRRFFFFFRRGRR",
      "  p                r  "
    ),
    (
      "a manual pause with automatic resume resumes after the grace period", Drawing(),
      "RRARRRRRRRRR",
      "  p    r    "
    ),
    (
      "after a manual resume nothing pauses within the grace period", Drawing(),
      "RRwwwwGwwwwwwww",
      "  p   r    p   "
    ),
    (
      "a second manual pause changes nothing", Drawing(),
      "RRwwPPwwwRRRRRRG",
      "  p            r"
    ),
    (
      "a manual resume while running only starts the grace period", Drawing(),
      "RRGwwwwwww",
      "       p  "
    ),
    (
      "fast GPS resumes although motion is still", Drawing(),
      "RRwwwFFFFFww",
      "  p     r   "
    ),
    (
      "after a resume by GPS, fast GPS prevents a pause by motion", Drawing(),
      "RRwwFFFFwFwFwwww",
      "  p    r       p"
    ),
    (
      "motion does not pause a run that GPS moves at 4 m/s", Drawing(),
      "VVVVwVwVwVSwww",
      "           p  "
    ),
    (
      "a GPS speed at a place that does not move resumes nothing", Drawing(),
      "RRwwwffffffffvvvvvvww",
      "  p                  "
    ),
    (
      "a GPS speed at a place that does not move prevents no pause", Drawing(),
      "vvvvvvwvwv",
      "      p   "
    ),
    (
      "slow GPS does not pause while there is motion data", Drawing.with { $0.locationMayPause = true },
      "RRSRSRSRSRSRSR",
      "              "
    ),
    (
      "slow GPS alone does not pause unless allowed", Drawing(),
      "RRSSSSSSSSSS",
      "            "
    ),
    (
      "slow GPS pauses without motion data if allowed", .with { $0.locationMayPause = true },
      "RRSSSSSSSS",
      "     p    "
    ),
    (
      "GPS points without a speed change nothing", .with { $0.locationMayPause = true },
      "RRxxxxxxxxxx",
      "            "
    ),
    (
      "lost GPS changes nothing", .with { $0.locationMayPause = true },
      "RRSS          SSSS",
      "                 p"
    ),
  ]

  @Test(arguments: rows.indices)
  func `The state machine follows every rule`(index: Int) {
    let row = Self.rows[index]
    #expect(row.drawing.decisions(row.inputs) == row.decisions, "\(row.rule): \(row.inputs)")
  }

  @Test func `Decisions have a cause and a confidence`() {
    func decision(_ isPause: Bool, _ cause: PauseCause, _ confidence: Float, at second: Double) -> PauseEvent {
      let time = SampleTime.seconds(second)
      return PauseEvent(isPause: isPause, decidedAt: time, onset: time, cause: cause, confidence: confidence)
    }
    var machine = AutoPause(policy: .whenNotRunning, settings: Drawing.quick)
    #expect(machine.observe(stopping: 0.99, at: .seconds(1)) == decision(true, .notRunning, 0.99, at: 1))
    #expect(machine.observe(stopping: 0.01, at: .seconds(2)) == decision(false, .moving, 0.99, at: 2))
    #expect(machine.pause(autoResume: false, at: .seconds(3)) == decision(true, .manual, 1, at: 3))
    #expect(machine.isPaused)
  }

  @Test func `A policy is equal after formatting and parsing`() throws {
    let policies: [PausePolicy] = [
      .whenStill, .whenNotRunning, .never, PausePolicy(pausingDuring: [.still, .walking]),
    ]
    for policy in policies { #expect(PausePolicy(policy.description) == policy) }
    #expect(PausePolicy("sleeping") == nil)
    #expect(PausePolicy("") == nil)
  }
}
