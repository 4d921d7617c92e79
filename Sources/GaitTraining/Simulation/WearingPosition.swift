/// Where a simulated person wears the phone.
public enum WearingPosition: String, CaseIterable, Hashable, Sendable {
  /// A trouser pocket, on the thigh.
  case pocket
  /// A band around the upper arm.
  case arm
  /// A belt at the waist.
  case waist
  /// In the hand.
  case hand

  /// The vector from the joint of the body part to the phone, metres (forward, left, up), for a leg of 0.9 m.
  var lever: SIMD3<Double> {
    switch self {
    case .pocket: SIMD3(0.06, 0.02, -0.15)
    case .arm: SIMD3(0.01, 0.05, -0.17)
    case .waist: SIMD3(0.12, 0.06, 0.02)
    case .hand: SIMD3(0.22, 0, -0.24)
    }
  }

  /// The swing of the body part about the sideways, forward and upright axes: radians of the first harmonic.
  ///
  /// Thigh: hip flexion of ±20 to ±25° about its mean (Novacheck, "The biomechanics of running", Gait & Posture 7,
  /// 1998). Pelvis: ±4 to ±6°. Arm and hand: assumed, less than the leg.
  func swing(in activity: SimulatedActivity) -> SIMD3<Double> {
    switch (self, activity) {
    case (_, .still): SIMD3(repeating: 0)
    case (.pocket, .running): SIMD3(0.38, 0.09, 0.12)
    case (.pocket, .walking): SIMD3(0.42, 0.12, 0.16)
    case (.arm, .running): SIMD3(0.30, 0.07, 0.12)
    case (.arm, .walking): SIMD3(0.22, 0.05, 0.08)
    case (.waist, .running): SIMD3(0.05, 0.06, 0.12)
    case (.waist, .walking): SIMD3(0.03, 0.05, 0.08)
    case (.hand, .running): SIMD3(0.20, 0.06, 0.10)
    case (.hand, .walking): SIMD3(0.24, 0.06, 0.10)
    }
  }

  /// The share of a foot's impact that reaches the phone: (foot on the phone's side, other foot).
  var shock: (near: Double, far: Double) {
    switch self {
    case .pocket: (1, 0.7)
    case .arm: (0.4, 0.35)
    case .waist: (0.6, 0.5)
    case .hand: (0.3, 0.25)
    }
  }

  /// The stiffness of the spring mount: natural frequency in hertz and damping ratio of the phone against the body.
  var hold: (hertz: ClosedRange<Double>, damping: ClosedRange<Double>) {
    switch self {
    case .pocket: (8...13, 0.2...0.4)
    case .arm: (7...11, 0.3...0.5)
    case .waist: (10...15, 0.3...0.5)
    case .hand: (7...10, 0.4...0.7)
    }
  }

  /// The probabilities of the phone being upright, upside down, or on its left or right side.
  var uprightChances: [Double] {
    switch self {
    case .pocket: [0.35, 0.5, 0.075, 0.075]
    case .arm: [0.6, 0.2, 0.1, 0.1]
    case .waist: [0.2, 0.1, 0.35, 0.35]
    case .hand: [0.4, 0.2, 0.2, 0.2]
    }
  }

  /// The tremor of the body part at rest, g.
  var tremor: ClosedRange<Double> {
    switch self {
    case .pocket, .waist: 0.001...0.006
    case .arm: 0.001...0.006
    case .hand: 0.003...0.012
    }
  }
}
