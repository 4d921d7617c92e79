/// Windows whose one or two busy lanes are computed later, as a batch that fills a register.
///
/// One or two lanes leave most of a register empty; those of several windows fill it. Lanes do not affect one another,
/// so a deferred window has the same features to the last bit.
struct DeferredWindows: Sendable {
  /// The number of deferred windows.
  private(set) var count = 0
  private let deferral: FeaturePlan.Deferral
  private let length: Int
  /// Floats from one row of a table to the next.
  private let rowWidth: Int
  /// The rows of the table that the batch fills.
  private let outputRows: [Int]
  private var starts: [SampleTime]
  /// A table for each window.
  private var tables: [LaneGroup]
  /// The lanes of all windows, and their results: one register a row.
  private var rows: [Lanes]
  private var results: [Lanes]

  /// An empty batch of windows for `plan`.
  init(_ plan: FeaturePlan, _ deferral: FeaturePlan.Deferral) {
    self.deferral = deferral
    length = plan.length
    rowWidth = plan.packing.groupCount * 8
    outputRows =
      deferral.part.outputs.map { plan.partOutputs[$0].row }
      + deferral.part.lags.flatMap { [plan.partLags[$0].lagRow, plan.partLags[$0].heightRow] }
    let windows = FeaturePlan.Deferral.windowCount
    starts = Array(repeating: SampleTime(nanoseconds: 0), count: windows)
    tables = Array(repeating: .zero, count: windows * plan.rowCount * plan.packing.groupCount)
    rows = Array(repeating: .zero, count: plan.length)
    results = Array(repeating: .zero, count: plan.rowCount)
  }

  private var tableCount: Int { tables.count / FeaturePlan.Deferral.windowCount }

  /// Adds a window; `fill` fills its table with the results that are not deferred.
  mutating func append(_ window: LaneWindow, start: SampleTime, _ fill: (UnsafeMutablePointer<LaneGroup>) -> Void) {
    let (index, length, tableCount) = (count, length, tableCount)
    starts[index] = start
    count += 1
    tables.withUnsafeMutableBufferPointer { fill($0.baseAddress! + index * tableCount) }
    // Copies both lanes as one number of eight bytes.
    var source = UnsafeRawPointer(window.base + deferral.slot)
    rows.withUnsafeMutableBytes { rows in
      var target = rows.baseAddress! + index * 8
      for _ in 0..<length {
        target.storeBytes(of: source.load(as: UInt64.self), as: UInt64.self)
        source += window.width * 4
        target += MemoryLayout<Lanes>.stride
      }
    }
  }

  /// Calls `body` on the batch and copies the results into each window's table.
  mutating func compute(
    _ body: (_ part: FeaturePlan.Part, _ rows: UnsafePointer<Lanes>, _ table: UnsafeMutablePointer<Lanes>) -> Void
  ) {
    let (deferral, count, rowWidth, tableCount, outputRows) = (deferral, count, rowWidth, tableCount, outputRows)
    rows.withUnsafeBufferPointer { rows in
      results.withUnsafeMutableBufferPointer { results in
        body(deferral.part, rows.baseAddress!, results.baseAddress!)
        let results = UnsafeRawPointer(results.baseAddress!)
        tables.withUnsafeMutableBufferPointer { tables in
          for index in 0..<count {
            let table = UnsafeMutableRawPointer((tables.baseAddress! + index * tableCount).floats + deferral.slot)
            for row in outputRows {
              let result = results.load(
                fromByteOffset: row &* MemoryLayout<Lanes>.stride &+ index &* 8, as: UInt64.self)
              table.storeBytes(of: result, toByteOffset: row &* rowWidth &* 4, as: UInt64.self)
            }
          }
        }
      }
    }
  }

  /// Calls `body` with the start of a deferred window and its table.
  func withTable<Result>(_ index: Int, _ body: (SampleTime, UnsafePointer<Float>) -> Result) -> Result {
    tables.withUnsafeBufferPointer {
      let table = UnsafeRawPointer($0.baseAddress! + index * tableCount).assumingMemoryBound(to: Float.self)
      return body(starts[index], table)
    }
  }

  /// Removes all windows.
  mutating func clear() { count = 0 }
}
