import Testing

@testable import Gait

/// Timelines of one second a character: what is seen above, what is decided below.
///
/// Seen: `R` moves, `w` stands, `?` in between, `s` movement that cannot be believed, a blank sees nothing; `F` a location at 3 m/s, `V` one at 4 m/s, `S` a slow one, `x` one without a
/// usable speed; `P` a person pauses, `A` pauses but lets the machine resume, `G` a person resumes.
/// Decided: `p` the clock stops, `r` it starts.
private struct Drawing {
  var policy = PausePolicy.whenStill
  var settings = Drawing.quick

  /// Thresholds without a dwell and without a shortest segment, so that each row shows one rule.
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

  func decisions(_ seen: String) -> String {
    var machine = AutoPause(policy: policy, settings: settings)
    return String(
      seen.enumerated().map { second, character in
        let time = SampleTime.seconds(Double(second))
        return mark(act(character, at: time, on: &machine))
      })
  }

  private func act(_ character: Character, at time: SampleTime, on machine: inout AutoPause) -> AutoPause.Action? {
    switch character {
    case "R": machine.observe(stopping: 0.001, at: time)
    case "w": machine.observe(stopping: 0.999, at: time)
    case "?": machine.observe(stopping: 0.6, at: time)
    case "s": breakOff(&machine)
    case "F": machine.observe(location(speed: 3, at: time))
    case "V": machine.observe(location(speed: 4, at: time))
    case "S": machine.observe(location(speed: 0.1, at: time))
    case "x": machine.observe(location(speed: nil, at: time))
    case "P": machine.pause(autoResume: false, at: time)
    case "A": machine.pause(autoResume: true, at: time)
    case "G": machine.resume(at: time)
    default: nil
    }
  }

  private func breakOff(_ machine: inout AutoPause) -> AutoPause.Action? {
    machine.cancelPendingResume()
    return nil
  }

  private func location(speed: Double?, at time: SampleTime) -> LocationSample {
    LocationSample(time: time, latitude: 0, longitude: 0, speed: speed, horizontalAccuracy: 5)
  }

  private func mark(_ action: AutoPause.Action?) -> Character {
    switch action {
    case .pause?: "p"
    case .resume?: "r"
    case nil: " "
    }
  }
}

@Suite struct AutoPauseTests {
  private static let rows: [(rule: String, drawing: Drawing, seen: String, decided: String)] = [
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
      "seeing nothing is not standing", Drawing(),
      "RRRR          RR",
      "                "
    ),
    (
      "seeing nothing does not end a pause either", Drawing(),
      "RRww          ww   RR",
      "  p                r "
    ),
    (
      "a pause must last its dwell", .with { $0.pauseDwellSeconds = 2 },
      "RRwRwwRwwwwRR",
      "         p r "
    ),
    (
      "a resume must last its dwell", .with { $0.resumeDwellSeconds = 2 },
      "wwRwRRwRRRRR",
      "p        r  "
    ),
    (
      "a doubt that is broken off begins anew", .with { $0.pauseDwellSeconds = 2 },
      "Rww?wwwRR",
      "      pr "
    ),
    (
      "movement that cannot be believed breaks off a resume and nothing else",
      .with {
        ($0.pauseDwellSeconds, $0.resumeDwellSeconds) = (1, 1)
      },
      "RRwswRsRsRRR",
      "    p     r "
    ),
    (
      "no two decisions within the shortest segment", .with { $0.shortestSegmentSeconds = 4 },
      "wRRRRRwwwwwwR",
      "p   r   p   r"
    ),
    (
      "never is never", Drawing(policy: .never),
      "RRwwwwwFFFFSSSSRR",
      "                 "
    ),
    (
      "a person stops the clock, and only a person starts it", Drawing(),
      "RRPRRRRRRRRRFFFFFRRGRR",
      "  p                r  "
    ),
    (
      "a person stops the clock, and the machine may start it after the grace", Drawing(),
      "RRARRRRRRRRR",
      "  p    r    "
    ),
    (
      "a person starts the clock, and the machine keeps still for the grace", Drawing(),
      "RRwwwwGwwwwwwww",
      "  p   r    p   "
    ),
    (
      "pausing twice is pausing once", Drawing(),
      "RRwwPPwwwRRRRRRG",
      "  p            r"
    ),
    (
      "resuming what runs changes nothing but begins the grace", Drawing(),
      "RRGwwwwwww",
      "       p  "
    ),
    (
      "fast locations resume what motion holds still", Drawing(),
      "RRwwwFFFFFww",
      "  p     r   "
    ),
    (
      "motion does not stop what location still moves", Drawing(),
      "RRwwFFFFwFwFwwww",
      "  p    r       p"
    ),
    (
      "motion does not pause a run that location moves at 4 m/s", Drawing(),
      "VVVVwVwVwVSwww",
      "           p  "
    ),
    (
      "slow locations do not pause while motion is seen", Drawing.with { $0.locationMayPause = true },
      "RRSRSRSRSRSRSR",
      "              "
    ),
    (
      "slow locations do not pause by themselves unless allowed", Drawing(),
      "RRSSSSSSSSSS",
      "            "
    ),
    (
      "slow locations pause where motion is missing and it is allowed", .with { $0.locationMayPause = true },
      "RRSSSSSSSS",
      "     p    "
    ),
    (
      "locations without a speed say nothing", .with { $0.locationMayPause = true },
      "RRxxxxxxxxxx",
      "            "
    ),
    (
      "lost locations say nothing", .with { $0.locationMayPause = true },
      "RRSS          SSSS",
      "                 p"
    ),
  ]

  @Test(arguments: rows.indices)
  func `Every rule of the machine holds`(index: Int) {
    let row = Self.rows[index]
    #expect(row.drawing.decisions(row.seen) == row.decided, "\(row.rule): \(row.seen)")
  }

  @Test func `Actions say why and how sure`() {
    var machine = AutoPause(policy: .whenNotRunning, settings: Drawing.quick)
    #expect(machine.observe(stopping: 0.99, at: .seconds(1)) == .pause(.notRunning, confidence: 0.99))
    #expect(machine.observe(stopping: 0.01, at: .seconds(2)) == .resume(.moving, confidence: 0.99))
    #expect(machine.pause(autoResume: false, at: .seconds(3)) == .pause(.manual, confidence: 1))
    #expect(machine.isPaused)
  }

  @Test func `A policy reads back from its text`() throws {
    let policies: [PausePolicy] = [
      .whenStill, .whenNotRunning, .never, PausePolicy(pausingDuring: [.still, .walking]),
    ]
    for policy in policies { #expect(PausePolicy(policy.description) == policy) }
    #expect(PausePolicy("sleeping") == nil && PausePolicy("") == nil)
  }
}
