// Written by `gait export --format swift`; do not edit, train the model again.

extension ActivityModel {
  /// Classifies running, still, walking.
  ///
  /// Trained on motionsense + boostrunclub: 221 recordings of 46 groups, windows 2061 running, 13609 still, 9521
  /// walking. By logistic regression, penalty 5e-05.
  ///
  /// Held out (10 folds of whole groups): accuracy 0.9911, macro-F1 0.9864, worst group 0.8523.
  ///
  /// Data: MotionSense, Copyright (c) 2018 Mohammad Malekzadeh, MIT License on GitHub, ODbL on Kaggle (Malekzadeh
  /// et al., "Mobile Sensor Data Anonymization", IoTDI 2019); BoostRunClub (boostcamp-2020, Project18-B), MIT License.
  /// `make model` trains it again.
  public static let runningPocket = ActivityModel(
    embedded: #"""
      { "card" : { "training" : { "groups" : 46, "method" : "logistic regression, penalty 5e-05",
      "recordings" : 221, "sampleRates" : [ 10, 50 ], "source" : "motionsense + boostrunclub", "windows" : {
      "running" : 2061, "still" : 13609, "walking" : 9521 } }, "validation" : { "accuracy" : 0.991068238656663,
      "balancedAccuracy" : 0.9861325101540808, "macroF1" : 0.9864351141512074,
      "method" : "10 folds of whole groups", "windows" : 25191, "worstGroup" : "boostrunclub/standing/ws2.csv",
      "worstGroupAccuracy" : 0.8522727272727273 } }, "checksum" : "fnv1a64:d586b5e172bde1e7",
      "format" : "gait.activityModel", "heads" : [ { "classifier" : { "intercepts" : [ -13.24936, 7.0530753,
      6.196285 ], "kind" : "logistic", "weights" : [ [ 3.8691244, 0.52560693, 5.3168993, 3.66807, -0.5106234,
      -0.34396124, -0.54269654 ], [ -6.338172, 0.5069623, -5.0841575, -1.3374667, 0.16154765, -1.0040056, 0.7399294
      ], [ 2.4690475, -1.0325693, -0.23274155, -2.3306034, 0.34907573, 1.3479668, -0.19723281 ] ] }, "features" : [
      "vertical.rms.log[0.01]", "total.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
      "userAcceleration.magnitude.percentile[10].log[0.01]", "vertical.maximum.signedLog[0.05]",
      "total.autocorrelationLag[0.2...1.1]", "vertical.meanCrossingRate", "gravity.sphericalVariance.log[0.01]" ],
      "hop" : 0.64, "labels" : [ "running", "still", "walking" ], "scaling" : { "mean" : [ -2.3188953, -0.012826459,
      -2.5233061, 1.6447777, 0.7182517, 8.523785, -3.87039 ], "standardDeviation" : [ 1.6580437, 0.5897989,
      1.2636123, 1.4290837, 0.2720977, 2.9521399, 0.7941052 ] }, "window" : 2.56 }, { "classifier" : {
      "intercepts" : [ -14.018737, 7.494111, 6.5246253 ], "kind" : "logistic", "weights" : [ [ 6.1552916,
      0.13291326, 4.5500407, 2.8759582, -0.49111587, -0.12583002, -1.05368 ], [ -6.7654734, 0.37708238, -3.822488,
      -1.3217478, 0.15631971, -0.79548544, 0.7931994 ], [ 0.6101817, -0.50999564, -0.7275524, -1.5542104,
      0.33479616, 0.9213155, 0.26048055 ] ] }, "features" : [ "vertical.rms.log[0.01]",
      "total.bandLogRatio[2.2...3.5/1.2...2.2+0.01]", "userAcceleration.magnitude.percentile[10].log[0.01]",
      "vertical.maximum.signedLog[0.05]", "total.autocorrelationLag[0.2...1.1]", "vertical.meanCrossingRate",
      "gravity.sphericalVariance.log[0.01]" ], "hop" : 0.2, "labels" : [ "running", "still", "walking" ],
      "scaling" : { "mean" : [ -2.3392093, 0.06334142, -2.4758403, 1.5260973, 0.43152606, 8.364032, -3.9471102 ],
      "standardDeviation" : [ 1.669037, 0.3400308, 1.2710164, 1.4172031, 0.13024953, 3.20479, 0.7479489 ] },
      "window" : 1 } ], "pauses" : { "evidenceWeight" : 0.5, "grace" : 5, "location" : { "dwell" : 3,
      "largestAccuracy" : 20, "mayPause" : false, "movingAbove" : 1, "runningAbove" : 2.2, "stillBelow" : 0.4 },
      "meanStay" : 30, "mergeGap" : 3, "pauseAbove" : 0.995, "pauseDwell" : 0, "resumeBelow" : 0.5,
      "resumeDwell" : 0.2, "shortestSegment" : 1, "smallestRhythm" : 0.3 }, "sampleRate" : 25, "version" : 2 }
      """#)
}
