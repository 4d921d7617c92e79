import Foundation
import GaitBenchmarks

/// Runs one workload a given number of times: `RunWorkload NAME COUNT`. `RunWorkload --list` prints the names of the
/// pipeline's workloads. For tools that measure a whole process, such as callgrind.
@main
struct RunWorkload {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "--list" {
      for workload in Workload.all where workload.isInPipeline { print(workload.name) }
      return
    }
    guard arguments.count == 2, let name = arguments.first, let count = arguments.last.flatMap({ Int($0) }),
      let workload = Workload.all.first(where: { $0.name == name })
    else {
      FileHandle.standardError.write(Data("usage: RunWorkload NAME COUNT | RunWorkload --list\n".utf8))
      exit(64)
    }
    let work = try workload.prepare()
    var sum: Float = 0
    for _ in 0..<count { sum += try work() }
    print("\(name) × \(count): \(sum)")
  }
}
