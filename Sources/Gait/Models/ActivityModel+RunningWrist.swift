// Written by `gait export --format swift`; do not edit, train the model again.

extension ActivityModel {
  /// Classifies hands, running, still, walking.
  ///
  /// Trained on wrist-pauses: 217 recordings of 31 groups, windows 19945 hands, 6858 running, 13296 still, 15864
  /// walking. By logistic regression, penalty 0.006.
  ///
  /// Held out (10 folds of whole subjects): accuracy 0.8897, macro-F1 0.9037, worst group 0.6500.
  ///
  /// Data: WISDM Smartphone and Smartwatch Activity and
  /// Biometrics (Weiss, Yoneda, Hayajneh, IEEE Access 7, 2019), CC BY 4.0;
  /// Har-Lab's HumanActivityData, Copyright (c) 2023 Har-Lab, MIT License.
  /// `make model` trains it again.
  public static let runningWrist = ActivityModel(
    embedded: #"""
      { "card" : { "training" : { "attributions" : [
      "wisdm-watch: G. M. Weiss, K. Yoneda, T. Hayajneh, \"Smartphone and Smartwatch-Based Biometrics Using Activities of Daily Living\", IEEE Access 7, 2019, UCI data set 507; CC BY 4.0",
      "wisdm-hands: G. M. Weiss, K. Yoneda, T. Hayajneh, \"Smartphone and Smartwatch-Based Biometrics Using Activities of Daily Living\", IEEE Access 7, 2019, UCI data set 507; CC BY 4.0",
      "harlab-wrist: Har-Lab, HumanActivityData, Copyright (c) 2023 Har-Lab; MIT" ], "groups" : 31,
      "method" : "logistic regression, penalty 0.006", "recordings" : 217, "sampleRates" : [ 20, 100 ],
      "source" : "wrist-pauses", "windows" : { "hands" : 19945, "running" : 6858, "still" : 13296, "walking" : 15864
      } }, "validation" : { "accuracy" : 0.8897307149366546, "balancedAccuracy" : 0.9054188841073793,
      "macroF1" : 0.9037128084797552, "method" : "10 folds of whole subjects", "windows" : 55963,
      "worstGroup" : "harlab/030", "worstGroupAccuracy" : 0.65 } }, "checksum" : "fnv1a64:e40a27928017c627",
      "format" : "gait.activityModel", "heads" : [ { "classifier" : { "intercepts" : [ 2.4952013, -3.1166697,
      -0.15904295, 0.7805114 ], "kind" : "logistic", "weights" : [ [ -0.70045507, -0.03783972, 0.7806644, 0.9898939,
      -0.13080046, 0.080543965, -1.146993, 0.2660714, -1.1726079, -0.41487402, 0.6711355, 0.34653676, -0.3487172 ],
      [ 0.52780795, 0.7217212, 0.43171808, 0.48266864, -0.022177044, 0.035211623, 0.13583471, -0.60594624,
      0.20905803, 0.3899542, 0.85837317, -0.5766482, 0.5580037 ], [ -0.47991973, -0.021734806, -1.5206828,
      -0.64808434, -0.07844072, 0.037841707, 0.8930275, 0.032436535, -0.1932703, 0.013010698, -0.74952656,
      0.29125664, -1.0323138 ], [ 0.6525669, -0.6621467, 0.30830038, -0.8244782, 0.23141822, -0.1535973, 0.1181308,
      0.30743828, 1.1568202, 0.01190913, -0.7799821, -0.06114522, 0.8230274 ] ] }, "features" : [
      "vertical.rms.log[0.01]", "total.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
      "userAcceleration.magnitude.percentile[10].log[0.01]", "vertical.maximum.signedLog[0.05]",
      "total.autocorrelationLag[0.2...1.1]", "vertical.meanCrossingRate", "gravity.sphericalVariance.log[0.01]",
      "vertical.bandLogRatio[3.3...4.5/2.3...3.3+0.01]", "vertical.bandRMS[1.2...2.2].log[0.01]",
      "userAcceleration.magnitude.meanCrossingRate", "userAcceleration.magnitude.mean", "vertical.spectralEntropy",
      "vertical.interquartileRange.log[0.01]" ], "hop" : 0.64, "labels" : [ "hands", "running", "still", "walking"
      ], "scaling" : { "mean" : [ -1.9504282, 0.0053214584, -2.2433102, 1.9573995, 0.68002427, 6.7311983,
      -3.7465038, -0.21573855, -2.76933, 6.8133187, 0.42199013, 0.7164098, -1.8649625 ], "standardDeviation" : [
      1.3356003, 0.70293665, 1.3248675, 1.1077554, 0.25754818, 2.8263116, 0.98294306, 0.66335803, 1.3045284,
      3.0272112, 0.43650678, 0.13797086, 1.5741906 ] }, "window" : 2.56 }, { "classifier" : { "intercepts" : [
      2.1840637, -3.493712, 0.1607445, 1.1489036 ], "kind" : "logistic", "weights" : [ [ -1.0037452, -0.10339479,
      0.8228142, 0.9137389, -0.04359381, 0.1051086, -1.6222819, 0.11351886, -1.0259035, -0.3149959, 0.8906242,
      0.3000056, -0.52113366 ], [ 0.6804049, 0.6464145, 0.38859355, 0.6539227, -0.1405128, 0.1618907, 0.06945413,
      -0.21459892, 0.67189145, 0.5091911, 0.8138239, -0.4231718, 0.7829057 ], [ -0.42235062, -0.1456362, -1.5687858,
      -0.6034627, -0.004296281, -0.042229544, 1.0501279, 0.055052564, -0.38118175, -0.049927495, -0.6602857,
      0.053219907, -0.9574299 ], [ 0.7456909, -0.39738354, 0.35737798, -0.96419895, 0.18840288, -0.22476976,
      0.5026999, 0.046027504, 0.7351938, -0.14426766, -1.0441624, 0.06994628, 0.69565785 ] ] }, "features" : [
      "vertical.rms.log[0.01]", "total.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
      "userAcceleration.magnitude.percentile[10].log[0.01]", "vertical.maximum.signedLog[0.05]",
      "total.autocorrelationLag[0.2...1.1]", "vertical.meanCrossingRate", "gravity.sphericalVariance.log[0.01]",
      "vertical.bandLogRatio[3.3...4.5/2.3...3.3+0.01]", "vertical.bandRMS[1.2...2.2].log[0.01]",
      "userAcceleration.magnitude.meanCrossingRate", "userAcceleration.magnitude.mean", "vertical.spectralEntropy",
      "vertical.interquartileRange.log[0.01]" ], "hop" : 0.2, "labels" : [ "hands", "running", "still", "walking" ],
      "scaling" : { "mean" : [ -2.0088687, 0.121633075, -2.1629658, 1.7606179, 0.405646, 6.758329, -3.9620965,
      -0.30296257, -2.847975, 7.38222, 0.42204517, 0.74332654, -1.9044713 ], "standardDeviation" : [ 1.3707607,
      0.41239646, 1.3364142, 1.1166371, 0.14707112, 3.0159638, 0.8574892, 0.49540606, 1.3406628, 3.2744188,
      0.4427054, 0.10796673, 1.5866903 ] }, "window" : 1 } ], "meanings" : { "hands" : "still" }, "pauses" : {
      "evidenceWeight" : 0.3, "findsQuietWalks" : false, "grace" : 5, "location" : { "dwell" : 3,
      "largestAccuracy" : 20, "mayPause" : false, "movingAbove" : 1, "runningAbove" : 2.2, "stillBelow" : 0.4 },
      "meanStay" : 30, "mergeGap" : 3, "pauseAbove" : 0.995, "pauseDwell" : 0, "resumeBelow" : 0.5,
      "resumeDwell" : 0.4, "shortestSegment" : 1, "smallestRhythm" : 0.3, "walkingResumeDwell" : 2 },
      "sampleRate" : 25, "version" : 6 }
      """#)
}
