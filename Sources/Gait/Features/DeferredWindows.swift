/// Windows that wait for one another: one or two lanes of each leave most of a register empty, and fill it together.
///
/// What a lane holds does not depend on its neighbours, so a window says the same to the last bit as when it does not wait.
struct DeferredWindows: Sendable {
  /// How many windows wait.
  private(set) var count = 0
  private let fold: FeaturePlan.Fold
  private let length: Int
  /// Floats from one row of a table to the next.
  private let rowWidth: Int
  /// The rows of the table that the common work fills.
  private let outputRows: [Int]
  private var starts: [SampleTime]
  /// A table for each window.
  private var tables: [LaneGroup]
  /// The lanes of all windows, and what comes out of them: one register a row.
  private var rows: [Lanes]
  private var results: [Lanes]

  /// Room for the windows that `plan` is for.
  init(_ plan: FeaturePlan, _ fold: FeaturePlan.Fold) {
    self.fold = fold
    length = plan.length
    rowWidth = plan.packing.groupCount * 8
    outputRows =
      fold.part.outputs.map { plan.partOutputs[$0].row }
      + fold.part.lags.flatMap { [plan.partLags[$0].lagRow, plan.partLags[$0].heightRow] }
    let windows = FeaturePlan.Fold.windowCount
    starts = Array(repeating: SampleTime(nanoseconds: 0), count: windows)
    tables = Array(repeating: .zero, count: windows * plan.rowCount * plan.packing.groupCount)
    rows = Array(repeating: .zero, count: plan.length)
    results = Array(repeating: .zero, count: plan.rowCount)
  }

  private var tableCount: Int { tables.count / FeaturePlan.Fold.windowCount }

  /// Takes the next window; `fill` fills its table with what does not wait.
  mutating func append(_ window: LaneWindow, start: SampleTime, _ fill: (UnsafeMutablePointer<LaneGroup>) -> Void) {
    let (index, length, tableCount) = (count, length, tableCount)
    starts[index] = start
    count += 1
    tables.withUnsafeMutableBufferPointer { fill($0.baseAddress! + index * tableCount) }
    // Two lanes at a time, as one number of eight bytes.
    var source = UnsafeRawPointer(window.base + fold.slot)
    rows.withUnsafeMutableBytes { rows in
      var target = rows.baseAddress! + index * 8
      for _ in 0..<length {
        target.storeBytes(of: source.load(as: UInt64.self), as: UInt64.self)
        source += window.width * 4
        target += MemoryLayout<Lanes>.stride
      }
    }
  }

  /// Has `work` done on the common part, and puts what comes out into each window's table.
  mutating func unfold(
    _ work: (_ part: FeaturePlan.Part, _ rows: UnsafePointer<Lanes>, _ table: UnsafeMutablePointer<Lanes>) -> Void
  ) {
    let (fold, count, rowWidth, tableCount, outputRows) = (fold, count, rowWidth, tableCount, outputRows)
    rows.withUnsafeBufferPointer { rows in
      results.withUnsafeMutableBufferPointer { results in
        work(fold.part, rows.baseAddress!, results.baseAddress!)
        let results = UnsafeRawPointer(results.baseAddress!)
        tables.withUnsafeMutableBufferPointer { tables in
          for index in 0..<count {
            let table = UnsafeMutableRawPointer((tables.baseAddress! + index * tableCount).floats + fold.slot)
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

  /// Calls `body` with the beginning of a window that waits and its table.
  func withTable<Result>(_ index: Int, _ body: (SampleTime, UnsafePointer<Float>) -> Result) -> Result {
    tables.withUnsafeBufferPointer {
      let table = UnsafeRawPointer($0.baseAddress! + index * tableCount).assumingMemoryBound(to: Float.self)
      return body(starts[index], table)
    }
  }

  /// Forgets the windows.
  mutating func clear() { count = 0 }
}
