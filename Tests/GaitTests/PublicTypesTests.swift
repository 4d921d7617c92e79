import GaitTestSupport
import Testing

/// The public API of each library stays small, and its first page lists the types.
@Suite struct PublicTypesTests {
  @Test func `The scan finds nested and conditional types, and skips internal ones`() {
    let source = """
      // public struct Comment {}
      public struct Outer {
        public let value: Int
        public indirect enum Inner { case one }
        struct Hidden {}
        public typealias Alias = Int
      }
      extension Outer.Inner {
        public final class Deep {
          class func make() {}
        }
      }
      #if os(iOS)
        public protocol Conditional {}
      #endif
      package struct Shared {}
      """
    #expect(PublicTypes.names(in: source) == ["Outer", "Outer.Inner", "Outer.Inner.Deep", "Conditional"])
  }

  @Test(arguments: [("Gait", 59), ("GaitFormats", 25), ("GaitRuns", 25), ("GaitTraining", 78)])
  func `A library has few public types`(library: String, largestCount: Int) throws {
    let types = try PublicTypes(ofLibrary: library).names
    #expect(!types.isEmpty, "\(library): \(types.count) public types: \(types.sorted())")
    #expect(types.count <= largestCount, "\(library): \(types.count) public types: \(types.sorted())")
  }

  @Test func `The article Gait lists every public type`() throws {
    let types = try PublicTypes(ofLibrary: "Gait")
    #expect(types.names.isSuperset(of: ["RunTracker", "ActivityModel.Head", "RunTimeline.Slice", "LocationSample"]))
    let missing = try types.missing(from: "Gait.docc/Gait.md")
    #expect(missing.isEmpty, "Gait.md does not list \(missing)")
  }

  @Test(arguments: ["GaitReports", "GaitLab", "GaitRuns", "GaitTraining"])
  func `A library's first page lists its top-level types`(library: String) throws {
    let missing = try PublicTypes(ofLibrary: library).missing(from: "\(library).docc/\(library).md")
    let top = missing.filter { !$0.contains(".") }
    #expect(top.isEmpty, "\(library).md does not list \(top)")
  }
}
