// Written by `gait export --format swift`; do not edit, train the model again.

extension ActivityModel {
  /// Classifies hands, running, still, walking.
  ///
  /// Trained on wrist-pauses: 154 recordings of 24 groups, windows 9972 hands, 6371 running, 13296 still, 13020 walking.
  /// By logistic regression, penalty 0.006.
  ///
  /// Held out (10 folds of whole subjects): accuracy 0.9410, macro-F1 0.9431, worst group 0.8001.
  ///
  /// Data: WISDM Smartphone and Smartwatch Activity and
  /// Biometrics (Weiss, Yoneda, Hayajneh, IEEE Access 7, 2019), CC BY 4.0.
  /// `make model` trains it again.
  public static let runningWrist = ActivityModel(
    embedded: #"""
      { "card" : { "training" : { "attributions" : [
      "wisdm-watch: G. M. Weiss, K. Yoneda, T. Hayajneh, \"Smartphone and Smartwatch-Based Biometrics Using Activities of Daily Living\", IEEE Access 7, 2019, UCI data set 507; CC BY 4.0"
      ], "groups" : 24, "method" : "logistic regression, penalty 0.006", "recordings" : 154, "sampleRates" : [ 20,
      100 ], "source" : "wrist-pauses", "windows" : { "hands" : 9972, "running" : 6371, "still" : 13296,
      "walking" : 13020 } }, "validation" : { "accuracy" : 0.9409737687240676,
      "balancedAccuracy" : 0.9417055435544108, "macroF1" : 0.9431100191083448,
      "method" : "10 folds of whole subjects", "windows" : 42659, "worstGroup" : "wisdm/1620",
      "worstGroupAccuracy" : 0.8000902527075813 } }, "checksum" : "fnv1a64:b67afbbbd9d40bad",
      "format" : "gait.activityModel", "heads" : [ { "classifier" : { "intercepts" : [ 1.8441018, -2.7902377,
      0.26619658, 0.6799394 ], "kind" : "logistic", "weights" : [ [ -0.44540527, 0.14223944, 0.8490798, 0.06545351,
      -0.119705744, -0.12944116, -1.4302945, 0.3955387, -1.0762923, -0.39771208, 0.9505811, 0.12500466, -0.26462156
      ], [ 0.5019451, 0.7296607, 0.4492955, 0.51892054, -0.048882842, -0.009371855, 0.43255535, -0.62862164,
      0.16497424, 0.35239768, 0.8501499, -0.66217047, 0.5382425 ], [ -0.3339955, -0.018853733, -1.8412153,
      -0.24938455, -0.0033356184, 0.35710987, 0.5494407, 0.10085673, -0.20586337, 0.069792256, -0.9598023,
      0.50883394, -0.878304 ], [ 0.27745566, -0.8530464, 0.54283994, -0.33498952, 0.1719242, -0.21829686,
      0.44829854, 0.13222624, 1.1171814, -0.024477873, -0.8409286, 0.028331846, 0.604683 ] ] }, "features" : [
      "vertical.rms.log[0.01]", "total.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
      "userAcceleration.magnitude.percentile[10].log[0.01]", "vertical.maximum.signedLog[0.05]",
      "total.autocorrelationLag[0.2...1.1]", "vertical.meanCrossingRate", "gravity.sphericalVariance.log[0.01]",
      "vertical.bandLogRatio[3.3...4.5/2.3...3.3+0.01]", "vertical.bandRMS[1.2...2.2].log[0.01]",
      "userAcceleration.magnitude.meanCrossingRate", "userAcceleration.magnitude.mean", "vertical.spectralEntropy",
      "vertical.interquartileRange.log[0.01]" ], "hop" : 0.64, "labels" : [ "hands", "running", "still", "walking"
      ], "scaling" : { "mean" : [ -1.940445, 0.02226712, -2.181626, 1.9588118, 0.6767201, 6.457404, -3.5990932,
      -0.2848475, -2.7286282, 6.9526377, 0.45657417, 0.6975833, -1.8155353 ], "standardDeviation" : [ 1.4170437,
      0.73837525, 1.3951685, 1.1874316, 0.25297344, 2.7516694, 1.0236958, 0.68967557, 1.3645177, 3.157642,
      0.46356025, 0.14003891, 1.6690189 ] }, "window" : 2.56 }, { "classifier" : { "intercepts" : [ 1.4432467,
      -3.1435018, 0.5454112, 1.1548438 ], "kind" : "logistic", "weights" : [ [ -0.6042401, 0.02722032, 1.0317901,
      -0.06625806, 0.0069018565, -0.036870085, -1.9363619, 0.17940336, -0.8616547, -0.3096108, 1.1223843,
      0.17115985, -0.4785994 ], [ 0.67490643, 0.63495517, 0.41128272, 0.7179997, -0.1770712, 0.15027273, 0.2758718,
      -0.20240569, 0.6535708, 0.44816485, 0.8254384, -0.52737945, 0.757408 ], [ -0.2862733, -0.16899998, -1.9029158,
      -0.28589916, 0.0019006404, 0.13378352, 0.85663164, 0.10079386, -0.43870872, 0.040091485, -0.8841138,
      0.29164478, -0.7130347 ], [ 0.21560703, -0.4931755, 0.45984292, -0.36584246, 0.1682687, -0.24718615,
      0.8038585, -0.077791534, 0.64679265, -0.17864549, -1.0637088, 0.06457481, 0.4342261 ] ] }, "features" : [
      "vertical.rms.log[0.01]", "total.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
      "userAcceleration.magnitude.percentile[10].log[0.01]", "vertical.maximum.signedLog[0.05]",
      "total.autocorrelationLag[0.2...1.1]", "vertical.meanCrossingRate", "gravity.sphericalVariance.log[0.01]",
      "vertical.bandLogRatio[3.3...4.5/2.3...3.3+0.01]", "vertical.bandRMS[1.2...2.2].log[0.01]",
      "userAcceleration.magnitude.meanCrossingRate", "userAcceleration.magnitude.mean", "vertical.spectralEntropy",
      "vertical.interquartileRange.log[0.01]" ], "hop" : 0.2, "labels" : [ "hands", "running", "still", "walking" ],
      "scaling" : { "mean" : [ -1.9894279, 0.13194644, -2.105455, 1.7891229, 0.4052146, 6.49932, -3.8143203,
      -0.34650844, -2.7840912, 7.4746785, 0.45634568, 0.73067564, -1.858569 ], "standardDeviation" : [ 1.4443939,
      0.4248879, 1.4055924, 1.1871946, 0.14756103, 2.9270663, 0.91724175, 0.49710646, 1.3982488, 3.329132,
      0.46902913, 0.10887395, 1.6818504 ] }, "window" : 1 } ], "meanings" : { "hands" : "still" }, "pauses" : {
      "evidenceWeight" : 0.5, "findsQuietWalks" : false, "grace" : 5, "location" : { "dwell" : 3,
      "largestAccuracy" : 20, "mayPause" : false, "movingAbove" : 1, "runningAbove" : 2.2, "stillBelow" : 0.4 },
      "meanStay" : 30, "mergeGap" : 3, "pauseAbove" : 0.9, "pauseDwell" : 0, "resumeBelow" : 0.2,
      "resumeDwell" : 0.2, "shortestSegment" : 1, "smallestRhythm" : 0.3, "walkingResumeDwell" : 8 },
      "sampleRate" : 25, "version" : 6 }
      """#)
}
