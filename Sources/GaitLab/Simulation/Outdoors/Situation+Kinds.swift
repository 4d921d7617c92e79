import Gait

extension Situation {
  /// A kind of situation, and the largest median error of its distance that is accepted, per cent.
  package struct Kind: Sendable {
    package var name: String
    package var situation: Situation
    package var limit: Double

    init(_ name: String, _ situation: Situation, limit: Double = 2, _ change: (inout Situation) -> Void = { _ in }) {
      (self.name, self.limit) = ("\(name), \(situation.receiver)", limit)
      self.situation = situation
      change(&self.situation)
    }
  }

  /// The situations that are judged.
  package static let kinds: [Kind] = {
    let independent = [Receiver.perfect, .own, .lagging]
    var kinds = Receiver.allCases.map { Kind("park", Situation(.park, $0)) }
    for length in [10.0, 20, 40, 60] {
      kinds += independent.map { Kind("shuttle of \(Int(length)) m", Situation(.shuttle(length), $0)) }
      kinds += independent.map { Kind("switchbacks of \(Int(length)) m", Situation(.switchbacks(length), $0)) }
    }
    for receiver in independent {
      kinds.append(
        Kind("low speed in a part", Situation(.park, receiver)) {
          ($0.seconds, $0.share) = (1200, { 500..<900 ~= $0 ? 0.75 : 1 })
        })
      for step in [4, 10, 15, 20] {
        kinds.append(
          Kind("a point in \(step) s", Situation(.park, receiver)) { ($0.step, $0.hasSpeed) = (step, false) })
      }
      kinds.append(Kind("places alone", Situation(.park, receiver)) { ($0.hasSteps, $0.hasSpeed) = (false, false) })
      kinds.append(Kind("city", Situation(.park, receiver), limit: 5) { $0.city = 150..<400 })
      kinds.append(Kind("tunnel", Situation(.park, receiver)) { $0.lost = 200..<300 })
      kinds.append(Kind("late start", Situation(.park, receiver)) { $0.lost = 0..<90 })
      kinds.append(Kind("frozen", Situation(.park, receiver)) { $0.frozen = 200..<330 })
      kinds.append(
        Kind("frozen without speed", Situation(.park, receiver)) { ($0.frozen, $0.hasSpeed) = (200..<330, false) })
      for speed in [0.6, 1, 1.4] {
        kinds.append(
          Kind("walk at \(speed) m/s", Situation(.park, receiver), limit: speed < 1 ? 5 : 2) {
            $0.speed = { _ in speed }
          })
      }
    }
    for receiver in Receiver.allCases {
      kinds.append(
        Kind("treadmill", Situation(.treadmill, receiver), limit: 10) { ($0.share, $0.hasSpeed) = ({ _ in 0 }, false) })
      kinds.append(
        Kind("calibrated treadmill", Situation(.treadmill, receiver), limit: 3) {
          ($0.hasSpeed, $0.strides) = (false, StrideModel(running: 3 * 60 / 165, walking: 0.7))
        })
    }
    return kinds
  }()
}
