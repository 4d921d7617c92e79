import ArgumentParser

@main
struct GaitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "gait")
}
