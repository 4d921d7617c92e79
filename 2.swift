import Gait
import GaitRuns
import SwiftUI

struct RunView: View {
  let session: RunSession

  var body: some View {
    VStack {
      if let figures = session.figures {
        Text("\(Int(figures.distance ?? 0)) m in \(Int(figures.movingSeconds)) s")
        Text(session.isPaused ? "Paused" : "Running")
      }
      Button("Pause") { session.pause() }
      Button("Resume") { session.resume() }
      Button("Finish") { session.stop() }
    }
  }
}
