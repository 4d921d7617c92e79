import Foundation
import GaitTestSupport
import Testing

/// The options that the command adds to the errors of the libraries.
@Suite struct OptionHintsTests {
  @Test(arguments: [
    ("a,b\n1,2\n", "gyroData, gait, accelerometer (--columns, --rate, --format)."),
    ("<?xml version=\"1.0\"?>\n<gpx></gpx>\n", "supply it beside the recording (--location)."),
    ("1,2\n3,4\n", "and the sample rate if none is of times (--columns, --rate)."),
    ("gravity.x,motionGravityX(G)\n1,2\n", "motionDataCollector, sensorLog (--format)."),
    ("t,ax,ay,az\n1,2,3,4\n", "s, ms, us, ns, 0.01s, 0.1ms (--acceleration-unit, --time-unit)."),
    ("time (s),ax (g),ay (g),az (g)\n1e30,0,0,1\n", "state the column's unit (--time-unit)."),
    ("time (s),ax (g),ay (g),az (g)\nnoon,0,0,1\n", "leave it empty if the value is missing."),
    ("time (ns),ax (g),ay (g),az (g)\n1,0,0,1\n2,0,0,1\n", "check the unit of the timestamps (--time-unit)."),
    ("frame time,ax (g),ay (g),az (g)\n1,0,0,1\n", "state the sample rate (--rate)."),
    ("ax (g),ay (g),az (g)\n0,0,1\n", "state the sample rate (--rate)."),
    ("time (s),ax (g),ay (g),az (g)\n,0,0,1\n,0,0,1\n", "state the sample rate (--rate)."),
  ])
  func `An error ends with the options that cure it`(text: String, ending: String) throws {
    let folder = try TemporaryDirectory()
    try folder.write(text, to: "run.csv")
    let run = try GaitProcess(["convert", "run.csv", "own.csv"], in: folder.url)
    #expect(run.status != 0, "\(run.complaints)")
    #expect(run.complaints.hasPrefix("Error: run.csv"), "\(run.complaints)")
    #expect(run.complaints.hasSuffix(ending + "\n"), "\(run.complaints)")
  }
}
