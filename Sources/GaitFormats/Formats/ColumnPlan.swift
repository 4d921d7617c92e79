import Gait

/// What is read from the columns of a header, and what turns their numbers into Core Motion's.
struct ColumnPlan {
  /// What is done with each column, shape `[columns]`.
  let roles: [ColumnRole]
  /// The quantities that are read.
  let quantities: Set<Quantity>
  /// How acceleration and gravity come from them.
  let acceleration: AccelerationSource
  /// What each lane is multiplied by; `nil` where nothing is.
  let factors: SIMD16<Float>?
  /// The text columns that hold labels and subjects.
  let label: Int?
  let subject: Int?

  /// A plan for columns that were found.
  ///
  /// - Parameters:
  ///   - columns: what the header names.
  ///   - acceleration: what the whole recording makes of its accelerations, of which this file may be a part.
  init(_ columns: ColumnBinding, acceleration: AccelerationSource, labelColumn: String?) throws(RecordingError) {
    var roles = [ColumnRole](repeating: .ignored, count: columns.header.names.count)
    var factors = SIMD16<Float>(repeating: 1)
    var quantities: Set<Quantity> = []
    for found in columns.values {
      guard let firstLane = acceleration.firstLane(of: found.quantity) else { continue }
      roles[found.column] = .lane(firstLane + found.component)
      factors[firstLane + found.component] = found.factor
      if found.component == 0 { quantities.insert(found.quantity) }
    }
    switch columns.time {
    case .number(let column, let unit)?: roles[column] = .time(unit)
    case .date(let column)?: roles[column] = .date
    case nil: break
    }
    var texts = 0
    func text(_ column: Int?) -> Int? {
      guard let column else { return nil }
      roles[column] = .text(texts)
      texts += 1
      return texts - 1
    }
    let texted = try columns.textColumns(label: labelColumn)
    label = text(texted.label)
    subject = text(texted.subject)
    self.roles = roles
    self.quantities = quantities
    self.acceleration = acceleration
    self.factors = factors == SIMD16(repeating: 1) ? nil : factors
  }

  /// The sensors whose lanes are filled.
  var sensors: Set<Sensor> {
    Set(quantities.compactMap { acceleration.firstLane(of: $0) }.map { Sensor.allCases[$0 / 4] })
  }

  /// Whether rows have times, by which they may have to be put in order.
  var hasTimes: Bool { roles.contains(where: \.isTime) }

  /// The lanes of attitude and rotation rate that need not be read of all rows, where only `channels` will be looked at.
  ///
  /// None where gravity is estimated from them.
  func lanesToSkip(reading channels: Set<Channel>) -> LaneSet {
    guard acceleration == .separate else { return LaneSet() }
    let unwanted = Sensor.attitude.channels + Sensor.rotationRate.channels
    return LaneSet(unwanted.lazy.filter { !channels.contains($0) }.map(\.lane))
  }

  /// Multiplies rows by the plan's factors.
  func convert(_ rows: inout [SIMD16<Float>]) {
    guard let factors else { return }
    for index in rows.indices { rows[index] *= factors }
  }
}
