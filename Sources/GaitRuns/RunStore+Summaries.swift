import Foundation
import Gait

extension RunStore {
  /// The summaries by date, oldest first, and the files that cannot be read with a sentence about each. Runs are not opened.
  ///
  /// A damaged file is named here if its length or its summary is wrong, and otherwise when the run is loaded.
  ///
  /// - Parameter interval: the runs that started in it, its end excluded, so that months in a row have each run once; `nil` for all.
  /// - Complexity: O(runs), with one small file to open; after a change, also each changed run's first 2 kB.
  public func summaries(
    in interval: DateInterval? = nil
  ) -> (summaries: [RunSummary], unreadable: [URL: String]) {
    let list = listed()
    guard let interval else { return (list.summaries, list.unreadable) }
    return (list.summaries.filter { interval.start <= $0.startedAt && $0.startedAt < interval.end }, list.unreadable)
  }

  /// What is in the folder.
  struct List {
    var summaries: [RunSummary] = []
    /// The name of each run's file.
    var files: [UUID: String] = [:]
    var unreadable: [URL: String] = [:]
    /// The number of runs whose file was opened.
    var openedCount = 0
  }

  /// Lists the folder, by its index where that is up to date.
  func listed() -> List {
    let known = SummaryIndex(in: directory)
    var index = SummaryIndex()
    var list = List()
    var zones: [String: TimeZone?] = [:]
    var (places, path) = ([UUID: Int](), directory.path + "/")
    if path.hasSuffix("//") { path.removeLast() }
    for name in fileNames {
      guard let stamp = SummaryIndex.Stamp(of: path + name) else { continue }
      let entry: SummaryIndex.Entry
      if let same = known.entries[name], same.stamp == stamp {
        entry = same
      } else {
        list.openedCount += 1
        let url = directory.appending(path: name)
        do throws(RunStoreError) { entry = try Self.entry(of: url, &zones) } catch {
          // A run that was deleted in between is not damaged.
          if SummaryIndex.Stamp(of: url.path) != nil { list.unreadable[url] = error.description }
          continue
        }
      }
      index.entries[name] = entry
      let summary = entry.summary
      if let place = places[summary.id] {
        guard name == fileName(of: summary.id, .compact) else { continue }
        list.summaries[place] = summary
      } else {
        places[summary.id] = list.summaries.count
        list.summaries.append(summary)
      }
      list.files[summary.id] = name
    }
    if list.openedCount > list.unreadable.count || index.entries.count != known.entries.count {
      index.write(in: directory)
    }
    list.summaries.sort { Self.isBefore(($0.startedAt, $0.id), ($1.startedAt, $1.id)) }
    return list
  }

  /// The summary at the beginning of a file, or of a run in JSON.
  private static func entry(
    of url: URL, _ zones: inout [String: TimeZone?]
  ) throws(RunStoreError) -> SummaryIndex.Entry {
    let file = RunFile(name: url.relativePath)
    var (head, rest, stamp) = (Data(), Data(), SummaryIndex.Stamp?.none)
    do {
      let handle = try FileHandle(forReadingFrom: url)
      defer { try? handle.close() }
      stamp = SummaryIndex.Stamp(of: handle)
      head = try handle.read(upToCount: RunFile.usualHead) ?? Data()
      if let stamp, let summary = try file.summary(in: head, size: stamp.size, zones: &zones) {
        return SummaryIndex.Entry(stamp: stamp, summary: summary)
      }
      rest = try handle.readToEnd() ?? Data()
    } catch {
      throw error as? RunStoreError ?? file.unreadable(error)
    }
    guard let stamp else { throw file.damaged("it is not a file") }
    return SummaryIndex.Entry(stamp: stamp, summary: try StoredRun(data: head + rest, name: file.name).summary)
  }
}
