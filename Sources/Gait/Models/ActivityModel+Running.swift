// Written by `gait export --format swift`; do not edit, train the model again.

extension ActivityModel {
  /// Classifies other, running, still, walking.
  ///
  /// Trained on places: 862 recordings of 85 groups, windows 5014 other, 28747 running, 53261 still, 96843 walking.
  /// By logistic regression, penalty 0.04, weight of other 1.3, weight of running 1.5, copies of running at
  /// 0.84…0.92 of its speed, a share of 0.25, copies of walking with knocks, a share of 0.25.
  ///
  /// Held out (10 folds of whole groups): accuracy 0.9564, macro-F1 0.8393, worst group 0.3864.
  ///
  /// Data: MotionSense, Copyright (c) 2018 Mohammad Malekzadeh, MIT License on GitHub, ODbL on Kaggle (Malekzadeh
  /// et al., "Mobile Sensor Data Anonymization", IoTDI 2019);
  /// WISDM Smartphone and Smartwatch Activity and Biometrics (Weiss, Yoneda, Hayajneh, IEEE Access 7, 2019), CC BY 4.0;
  /// Daily and Sports Activities (Altun, Barshan, Tunçel, Pattern Recognition 43, 2010), CC BY 4.0;
  /// UMAFall (Casilari, Santoyo-Ramón, Cano-García, Procedia Computer Science 110, 2017), CC BY 4.0;
  /// BoostRunClub (boostcamp-2020, Project18-B), MIT License.
  /// `make model` trains it again.
  public static let running = ActivityModel(
    embedded: #"""
      { "card" : { "training" : { "groups" : 85,
      "method" : "logistic regression, penalty 0.04, weight of other 1.3, weight of running 1.5, copies of running at 0.84…0.92 of its speed, a share of 0.25, copies of walking with knocks, a share of 0.25",
      "recordings" : 862, "sampleRates" : [ 10, 16.73, 17.318, 17.639, 17.922, 18.42, 19.26, 19.266, 19.374, 19.454,
      19.465, 19.494, 19.764, 20, 20.222, 20.236, 20.251, 20.253, 20.303, 20.351, 20.357, 20.37, 20.378, 20.411,
      20.423, 20.425, 20.438, 20.447, 20.456, 20.463, 20.466, 20.476, 20.494, 20.497, 20.512, 20.54, 20.542, 20.544,
      20.565, 20.636, 20.715, 20.74, 20.768, 20.782, 20.785, 20.823, 20.83, 20.832, 20.886, 20.924, 20.961, 20.973,
      20.983, 20.988, 20.997, 21.016, 21.215, 21.219, 21.314, 21.371, 21.574, 21.759, 25, 50, 100 ],
      "source" : "places", "windows" : { "other" : 5014, "running" : 28747, "still" : 53261, "walking" : 96843 } },
      "validation" : { "accuracy" : 0.9563929219315921, "balancedAccuracy" : 0.8081637900153971,
      "macroF1" : 0.8392804444699145, "method" : "10 folds of whole groups", "windows" : 159309,
      "worstGroup" : "boostrunclub/standing/ws2.csv", "worstGroupAccuracy" : 0.38636363636363635 } },
      "checksum" : "fnv1a64:fdabdd92a50bcfcf", "format" : "gait.activityModel", "heads" : [ { "calibration" : {
      "temperature" : 0.6676868 }, "classifier" : { "intercepts" : [ -1.321022, -0.74181753, 0.14309682, 1.9197427
      ], "kind" : "logistic", "weights" : [ [ 0.24730997, -0.08572939, 0.05267566, -0.17136833, -0.1628247,
      0.064168744, -0.17287013, -0.14948906, 0.053619374, 0.16565253, 0.11019316, 0.4551352, 0.3035491, 0.07864575,
      0.10941674, -0.042747065, -0.060430065, -0.045337062 ], [ 0.15601572, 0.35942402, 0.32687762, 0.0902683,
      0.033910386, -0.31564936, 0.32933795, 0.18725026, 0.13601671, 0.2430935, 0.17714544, 0.32055002, 0.0013637235,
      0.19269802, 0.2985165, -0.064901724, 0.048792414, 0.29215565 ], [ -0.614073, 0.19165196, -0.555582,
      0.013973928, 0.2701632, 0.13686147, 0.10329607, -0.107013576, -0.1814599, -0.64260936, 0.091183625,
      -0.18931977, -0.044001456, -0.48797736, -0.2391927, -0.076658614, -0.092148826, -0.055733573 ], [ 0.21074729,
      -0.4653466, 0.17602868, 0.0671261, -0.14124891, 0.11461914, -0.2597639, 0.06925238, -0.008176181, 0.2338633,
      -0.37852222, -0.58636546, -0.26091138, 0.21663359, -0.16874057, 0.1843074, 0.103786476, -0.19108501 ] ] },
      "features" : [ "vertical.rms.log[0.01]", "total.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
      "userAcceleration.magnitude.percentile[10].log[0.01]", "total.autocorrelationLag[0.2...1.1]",
      "vertical.meanCrossingRate", "vertical.bandLogRatio[3.3...4.5/2.3...3.3+0.01]",
      "vertical.bandLogRatio[2.3...3.3/1.5...2.2+0.01]", "vertical.autocorrelationPeak[0.6...0.82]",
      "vertical.autocorrelationPeak[0.82...1.2]", "vertical.interquartileRange.log[0.01]",
      "jerk.autocorrelationPeak[0.3...0.45]", "total.rms.log[0.01]",
      "userAcceleration.magnitude.bandLogRatio[3.3...4.5/2.3...3.3+0.01]", "vertical.bandRMS[2.6...3.3].log[0.01]",
      "vertical.autocorrelationPeak[0.2...1.1]", "total.spectralFlatness",
      "userAcceleration.magnitude.spectralEntropy", "userAcceleration.magnitude.meanCrossingRate" ], "hop" : 0.64,
      "labels" : [ "other", "running", "still", "walking" ], "scaling" : { "mean" : [ -1.7605217, -0.11892889,
      -2.167883, 0.70077354, 7.060133, -0.27441528, -0.009677707, 0.29493916, 0.41501, -1.6797789, 0.073389985,
      0.1566476, -0.002351546, -2.804481, 0.5153003, 0.28985944, 0.8077535, 7.5581355 ], "standardDeviation" : [
      1.5105978, 0.6977463, 1.2759521, 0.22816241, 3.2607162, 0.5755281, 0.74577916, 0.3255149, 0.34677076,
      1.7118549, 0.22011466, 0.20701444, 0.4456578, 1.34424, 0.29024228, 0.18286783, 0.083956204, 2.7113557 ] },
      "window" : 2.56 }, { "classifier" : { "intercepts" : [ -14.018737, 7.494111, 6.5246253 ], "kind" : "logistic",
      "weights" : [ [ 6.1552916, 0.13291326, 4.5500407, 2.8759582, -0.49111587, -0.12583002, -1.05368 ], [
      -6.7654734, 0.37708238, -3.822488, -1.3217478, 0.15631971, -0.79548544, 0.7931994 ], [ 0.6101817, -0.50999564,
      -0.7275524, -1.5542104, 0.33479616, 0.9213155, 0.26048055 ] ] }, "features" : [ "vertical.rms.log[0.01]",
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
