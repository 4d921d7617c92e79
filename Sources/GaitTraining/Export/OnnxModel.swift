import Gait

/// A head's classifier as an ONNX graph: `features`, Float `[windows × features]`, to `probabilities`, Float `[windows
/// × labels]`.
///
/// Source: onnx.ai, "Operators" and `onnx.proto`, intermediate representation 8; operator set 13, and set 1 of
/// `ai.onnx.ml` for trees.
struct OnnxModel {
  /// The file.
  let file: ProtobufMessage

  private static let (floatType, integerVersion) = (1, 8)

  init(_ model: ActivityModel, name: String, notice: String) throws(ModelExportError) {
    let head = model.activityHead
    var graph = OnnxGraph(input: "features")
    if let scaling = head.scaling {
      graph.apply("Sub", constants: [("mean", [scaling.featureCount], scaling.mean)])
      graph.apply("Div", constants: [("deviation", [scaling.featureCount], scaling.standardDeviation)])
    }
    switch head.classifier {
    case .logistic(let logistic): Self.add(logistic, to: &graph)
    case .decisionTree(let tree): graph.apply(ExportedTrees(tree))
    case .randomForest(let forest): graph.apply(ExportedTrees(forest))
    case .boostedTrees(let trees): graph.apply(ExportedTrees(trees))
    }
    switch head.calibration {
    case nil: break
    case .temperature(let temperature):
      graph.apply("Clip", constants: [("smallest", [], [Float.leastNormalMagnitude])])
      graph.apply("Log")
      graph.apply("Div", constants: [("temperature", [], [temperature])])
      graph.apply("Softmax", integers: [("axis", -1)])
    case .isotonic: throw .calibration(.onnx)
    }
    graph.apply("Identity", output: "probabilities")
    file = Self.file(graph, head: head, model: model, name: name, notice: notice)
  }

  private static func add(_ logistic: LogisticRegression, to graph: inout OnnxGraph) {
    let sums = logistic.unscaled(by: nil)
    graph.apply(
      "Gemm", integers: [("transB", 1)],
      constants: [
        ("weights", [logistic.labelCount, logistic.featureCount], sums.weights.map { Float($0) }),
        ("intercepts", [logistic.labelCount], sums.intercepts.map { Float($0) }),
      ])
    graph.apply("Softmax", integers: [("axis", -1)])
  }

  private static func file(
    _ graph: OnnxGraph, head: ActivityModel.Head, model: ActivityModel, name: String, notice: String
  ) -> ProtobufMessage {
    ProtobufMessage { file in
      file.add(1, integerVersion)
      file.add(2, "gait")
      file.add(7) { message in
        graph.write(to: &message)
        message.add(2, name)
        message.add(11, matrix("features", columns: head.features.count))
        message.add(12, matrix("probabilities", columns: head.labels.count))
      }
      for (domain, version) in [("", 13), ("ai.onnx.ml", 1)] {
        file.add(8) { set in
          set.add(1, domain)
          set.add(2, version)
        }
      }
      let metadata = [
        ("labels", SafeText.lines(head.labels)),
        ("features", head.features.map(\.description).joined(separator: "\n")),
        ("sampleRate", InvariantFormat.short(model.sampleRate.hertz)),
        ("window", InvariantFormat.short(head.window.seconds)),
        ("hop", InvariantFormat.short(head.window.hopSeconds)), ("notice", notice),
      ]
      for (key, value) in metadata where !value.isEmpty {
        file.add(14) { entry in
          entry.add(1, key)
          entry.add(2, value)
        }
      }
    }
  }

  /// A Float matrix of any number of rows, as an input or output.
  private static func matrix(_ name: String, columns: Int) -> (inout ProtobufMessage) -> Void {
    { value in
      value.add(1, name)
      value.add(2) { type in
        type.add(1) { tensor in
          tensor.add(1, floatType)
          tensor.add(2) { shape in
            shape.add(1) { $0.add(2, "windows") }
            shape.add(1) { $0.add(1, columns) }
          }
        }
      }
    }
  }
}
