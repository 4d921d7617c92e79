import Gait

/// The roles of a header's columns, and the factors to Core Motion's units and signs.
struct ColumnPlan {
  /// The role of each column, shape `[columns]`.
  let roles: [ColumnRole]
  /// The quantities that are read.
  let quantities: Set<Quantity>
  /// The source of acceleration and gravity.
  let acceleration: AccelerationSource
  /// The factor of each lane; `nil` if all are 1.
  let factors: SIMD16<Float>?
  /// The text columns that hold labels and subjects.
  let label: Int?
  let subject: Int?

  /// Plans the reading of matched columns.
  ///
  /// - Parameters:
  ///   - columns: the matched columns of the header.
  ///   - acceleration: the source of acceleration in the whole recording, of which this file may be a part.
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
    let textColumns = try columns.textColumns(label: labelColumn)
    label = text(textColumns.label)
    subject = text(textColumns.subject)
    self.roles = roles
    self.quantities = quantities
    self.acceleration = acceleration
    self.factors = factors == SIMD16(repeating: 1) ? nil : factors
  }

  /// The sensors whose lanes are filled.
  var sensors: Set<Sensor> {
    Set(quantities.compactMap { acceleration.firstLane(of: $0) }.map { Sensor.allCases[$0 / 4] })
  }

  /// Whether rows have times, and so may need sorting.
  var hasTimes: Bool { roles.contains(where: \.isTime) }

  /// The lanes of attitude and rotation rate that may be skipped if only `channels` are used.
  ///
  /// None if gravity is estimated from them.
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
