import ArgumentParser
import CGaitBLAS
import Foundation
import Gait
import GaitLab

/// The command `gait-lab`: what judges models and limits on public data, and makes the bundled models.
@main
struct GaitLabCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gait-lab",
    abstract: "Judges Gait on public data sets, and makes its bundled models.",
    discussion: """
      For example: gait-lab judge two-speeds ../shared/data/sisfall

      DATA is a folder with the public data sets; datasets/README.md says where to get them. The command runs in the \
      folder of the sources, whose datasets/ it reads.
      """,
    subcommands: [
      Judge.self,
      Model.self,
    ])

  static func main() {
    #if os(Linux)
      // Recordings and folds run in parallel, and results must not depend on the number of threads.
      openblas_set_num_threads(1)
    #endif
    Self.main(nil)
  }
}

/// `gait-lab judge`, whose subcommands print the figures that the documentation quotes.
struct Judge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "judge", abstract: "Prints figures that the documentation quotes.",
    subcommands: [
      JudgeTwoSpeeds.self,
      JudgeDistance.self,
      JudgeSteps.self,
      JudgePhoneSteps.self,
      JudgeSimulatedPauses.self,
      JudgeFirstRows.self,
      JudgeDamage.self,
      JudgeCopies.self,
      JudgePlaces.self,
      JudgePauses.self,
      JudgePausePlaces.self,
      JudgeLive.self,
      JudgeDefaults.self,
      JudgeGravity.self,
    ])
}

/// The argument with the folder of the public data sets.
enum DataArgument {
  static let help: ArgumentHelp = "The folder with the public data sets of datasets/README.md."
}

/// Prints a line of a result at once: judging takes minutes.
func show(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
