// Written by `gait export --format swift`; do not edit, train the model again.

extension ActivityModel {
  /// Classifies other, running, still, walking.
  ///
  /// Trained on places: 862 recordings of 85 groups, windows 5014 other, 30520 running, 53261 still, 93172 walking.
  /// By logistic regression, penalty 0.04, weight of other 1.3, weight of running 1.5, copies of running at
  /// 0.84…0.92 of its speed, a share of 0.32, copies of walking with knocks, a share of 0.2.
  ///
  /// Held out (10 folds of whole groups): accuracy 0.9590, macro-F1 0.8632, worst group 0.3864.
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
      "method" : "logistic regression, penalty 0.04, weight of other 1.3, weight of running 1.5, copies of running at 0.84…0.92 of its speed, a share of 0.32, copies of walking with knocks, a share of 0.2",
      "recordings" : 862, "sampleRates" : [ 10, 16.73, 17.318, 17.639, 17.922, 18.42, 19.26, 19.266, 19.374, 19.454,
      19.465, 19.494, 19.764, 20, 20.222, 20.236, 20.251, 20.253, 20.303, 20.351, 20.357, 20.37, 20.378, 20.411,
      20.423, 20.425, 20.438, 20.447, 20.456, 20.463, 20.466, 20.476, 20.494, 20.497, 20.512, 20.54, 20.542, 20.544,
      20.565, 20.636, 20.715, 20.74, 20.768, 20.782, 20.785, 20.823, 20.83, 20.832, 20.886, 20.924, 20.961, 20.973,
      20.983, 20.988, 20.997, 21.016, 21.215, 21.219, 21.314, 21.371, 21.574, 21.759, 25, 50, 100 ],
      "source" : "places", "windows" : { "other" : 5014, "running" : 30520, "still" : 53261, "walking" : 93172 } },
      "validation" : { "accuracy" : 0.9589853680583018, "balancedAccuracy" : 0.8296253309048025,
      "macroF1" : 0.8631975760900832, "method" : "10 folds of whole groups", "windows" : 159309,
      "worstGroup" : "boostrunclub/standing/ws2.csv", "worstGroupAccuracy" : 0.38636363636363635 } },
      "checksum" : "fnv1a64:79e6192d5ddf0746", "format" : "gait.activityModel", "heads" : [ { "calibration" : {
      "temperature" : 0.67434305 }, "classifier" : { "intercepts" : [ -1.2492003, -0.58729464, 0.035920233,
      1.8005748 ], "kind" : "logistic", "weights" : [ [ 0.22205003, -0.07383612, 0.028193021, -0.17117561,
      -0.14744303, 0.065331295, -0.14992584, -0.1329043, 0.023957213, 0.12958759, 0.103306286, 0.41067,
      -0.052629583, 0.27565098, 0.08043791, -0.29982626, 0.074389935, -0.009960543, -0.048274316, -0.060461204 ], [
      0.115509845, 0.36114737, 0.25649706, 0.08307892, 0.039991252, -0.308905, 0.31401497, 0.1560518, 0.119184636,
      0.1927966, 0.18913962, 0.13405198, 0.2956925, -0.004011465, 0.15078528, -0.26063275, 0.26527572, -0.093066566,
      0.061088677, 0.27974352 ], [ -0.58650875, 0.1834998, -0.52753437, 0.014726457, 0.26212132, 0.13406084,
      0.098909475, -0.10404152, -0.16649911, -0.61519915, 0.09085022, -0.16663334, -0.11955708, -0.03710766,
      -0.46343952, 0.16316216, -0.22406419, -0.07825127, -0.096501425, -0.054553375 ], [ 0.24894889, -0.47081107,
      0.24284431, 0.07337023, -0.15466954, 0.10951285, -0.2629986, 0.080894016, 0.023357255, 0.29281494,
      -0.38329613, -0.37808865, -0.123505846, -0.23453185, 0.23221633, 0.39729688, -0.11560145, 0.18127838,
      0.08368706, -0.16472895 ] ] }, "features" : [ "vertical.rms.log[0.01]",
      "total.bandLogRatio[2.2...3.5/1.2...2.2+0.01]", "userAcceleration.magnitude.percentile[10].log[0.01]",
      "total.autocorrelationLag[0.2...1.1]", "vertical.meanCrossingRate",
      "vertical.bandLogRatio[3.3...4.5/2.3...3.3+0.01]", "vertical.bandLogRatio[2.3...3.3/1.5...2.2+0.01]",
      "vertical.autocorrelationPeak[0.6...0.82]", "vertical.autocorrelationPeak[0.82...1.2]",
      "vertical.interquartileRange.log[0.01]", "jerk.autocorrelationPeak[0.3...0.45]", "total.rms.log[0.01]",
      "total.mean.log[0.01]", "userAcceleration.magnitude.bandLogRatio[3.3...4.5/2.3...3.3+0.01]",
      "vertical.bandRMS[2.6...3.3].log[0.01]", "vertical.percentile[25]", "vertical.autocorrelationPeak[0.2...1.1]",
      "total.spectralFlatness", "userAcceleration.magnitude.spectralEntropy",
      "userAcceleration.magnitude.meanCrossingRate" ], "hop" : 0.64, "labels" : [ "other", "running", "still",
      "walking" ], "scaling" : { "mean" : [ -1.7572982, -0.10967584, -2.1595368, 0.7020988, 7.071558, -0.28369412,
      -0.001907482, 0.29566154, 0.42032164, -1.6723951, 0.07655815, 0.15991388, 0.10607786, 0.00078158104,
      -2.7977715, -0.22779047, 0.5203721, 0.2891248, 0.8078695, 7.6034174 ], "standardDeviation" : [ 1.5237525,
      0.69868547, 1.2908938, 0.22777098, 3.2636127, 0.5825471, 0.7461097, 0.3269874, 0.34792334, 1.7295823,
      0.222806, 0.21068773, 0.17230098, 0.44864944, 1.3555225, 0.30310702, 0.2916414, 0.18277119, 0.083784506,
      2.710208 ] }, "window" : 2.56 }, { "classifier" : { "intercepts" : [ -14.018737, 7.494111, 6.5246253 ],
      "kind" : "logistic", "weights" : [ [ 6.1552916, 0.13291326, 4.5500407, 2.8759582, -0.49111587, -0.12583002,
      -1.05368 ], [ -6.7654734, 0.37708238, -3.822488, -1.3217478, 0.15631971, -0.79548544, 0.7931994 ], [
      0.6101817, -0.50999564, -0.7275524, -1.5542104, 0.33479616, 0.9213155, 0.26048055 ] ] }, "features" : [
      "vertical.rms.log[0.01]", "total.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
      "userAcceleration.magnitude.percentile[10].log[0.01]", "vertical.maximum.signedLog[0.05]",
      "total.autocorrelationLag[0.2...1.1]", "vertical.meanCrossingRate", "gravity.sphericalVariance.log[0.01]" ],
      "hop" : 0.2, "labels" : [ "running", "still", "walking" ], "scaling" : { "mean" : [ -2.3392093, 0.06334142,
      -2.4758403, 1.5260973, 0.43152606, 8.364032, -3.9471102 ], "standardDeviation" : [ 1.669037, 0.3400308,
      1.2710164, 1.4172031, 0.13024953, 3.20479, 0.7479489 ] }, "window" : 1 } ], "pauses" : {
      "evidenceWeight" : 0.5, "grace" : 5, "location" : { "dwell" : 3, "largestAccuracy" : 20, "mayPause" : false,
      "movingAbove" : 1, "runningAbove" : 2.2, "stillBelow" : 0.4 }, "meanStay" : 30, "mergeGap" : 3,
      "pauseAbove" : 0.995, "pauseDwell" : 0, "resumeBelow" : 0.5, "resumeDwell" : 0.2, "shortestSegment" : 1,
      "smallestRhythm" : 0.3 }, "sampleRate" : 25, "version" : 2 }
      """#)
}
