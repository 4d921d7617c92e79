// Written by `gait export --format swift`; do not edit, train the model again.

extension ActivityModel {
  /// Classifies running, still, walking.
  ///
  /// Trained on places: 771 recordings of 85 groups, windows 26178 running, 53261 still, 78642 walking. By logistic
  /// regression, penalty 0.004, weight of running 2, copies of running at 0.84…0.92 of its speed, a share of 0.15.
  ///
  /// Held out (10 folds of whole groups): accuracy 0.9682, macro-F1 0.9646, worst group 0.4091.
  ///
  /// Data: MotionSense, Copyright (c) 2018 Mohammad Malekzadeh, MIT License on GitHub, ODbL on Kaggle (Malekzadeh
  /// et al., "Mobile Sensor Data Anonymization", IoTDI 2019);
  /// WISDM Smartphone and Smartwatch Activity and Biometrics (Weiss, Yoneda, Hayajneh, IEEE Access 7, 2019), CC BY 4.0;
  /// Daily and Sports Activities (Altun, Barshan, Tunçel, Pattern Recognition 43, 2010), CC BY 4.0;
  /// UMAFall (Casilari, Santoyo-Ramón, Cano-García, Procedia Computer Science 110, 2017), CC BY 4.0;
  /// BoostRunClub (boostcamp-2020, Project18-B), MIT License.
  /// `make model` trains it again.
  public static let runningLinear = ActivityModel(
    embedded: #"""
      { "card" : { "training" : { "attributions" : [
      "motionsense: Copyright (c) 2018 Mohammad Malekzadeh; M. Malekzadeh, R. G. Clegg, A. Cavallaro, H. Haddadi, \"Mobile Sensor Data Anonymization\", IoTDI 2019; MIT (GitHub); ODbL on Kaggle",
      "wisdm-phone: G. M. Weiss, K. Yoneda, T. Hayajneh, \"Smartphone and Smartwatch-Based Biometrics Using Activities of Daily Living\", IEEE Access 7, 2019, UCI data set 507; CC BY 4.0",
      "wisdm-watch: G. M. Weiss, K. Yoneda, T. Hayajneh, \"Smartphone and Smartwatch-Based Biometrics Using Activities of Daily Living\", IEEE Access 7, 2019, UCI data set 507; CC BY 4.0",
      "dsads: K. Altun, B. Barshan, O. Tunçel, \"Comparative study on classifying human activities with miniature inertial and magnetic sensors\", Pattern Recognition 43(10), 2010, UCI data set 256; CC BY 4.0",
      "boostrunclub: boostcamp-2020, Project18-B (BoostRunClub), Copyright (c) 2020; MIT",
      "umafall-pocket: E. Casilari, J. A. Santoyo-Ramón, J. M. Cano-García, \"UMAFall: A Multisensor Dataset for the Research on Automatic Fall Detection\", Procedia Computer Science 110, 2017, figshare, doi:10.6084/m9.figshare.4214283; CC BY 4.0",
      "umafall-waist: E. Casilari, J. A. Santoyo-Ramón, J. M. Cano-García, \"UMAFall: A Multisensor Dataset for the Research on Automatic Fall Detection\", Procedia Computer Science 110, 2017, figshare, doi:10.6084/m9.figshare.4214283; CC BY 4.0",
      "umafall-wrist: E. Casilari, J. A. Santoyo-Ramón, J. M. Cano-García, \"UMAFall: A Multisensor Dataset for the Research on Automatic Fall Detection\", Procedia Computer Science 110, 2017, figshare, doi:10.6084/m9.figshare.4214283; CC BY 4.0"
      ], "groups" : 85,
      "method" : "logistic regression, penalty 0.004, weight of running 2, copies of running at 0.84…0.92 of its speed, a share of 0.15",
      "recordings" : 771, "sampleRates" : [ 10, 16.73, 17.318, 17.922, 18.42, 19.26, 19.266, 19.374, 19.454, 19.465,
      19.494, 19.764, 20, 20.222, 20.236, 20.253, 20.303, 20.351, 20.357, 20.37, 20.378, 20.423, 20.425, 20.438,
      20.447, 20.456, 20.463, 20.466, 20.476, 20.494, 20.497, 20.512, 20.54, 20.542, 20.565, 20.715, 20.768, 20.785,
      20.823, 20.83, 20.886, 20.924, 20.961, 20.973, 20.983, 20.988, 20.997, 21.016, 21.215, 21.314, 21.574, 25, 50,
      100 ], "source" : "places", "windows" : { "running" : 26178, "still" : 53261, "walking" : 78642 } },
      "validation" : { "accuracy" : 0.96822320878836, "balancedAccuracy" : 0.9681422086204732,
      "macroF1" : 0.9645562440825634, "method" : "10 folds of whole groups", "windows" : 154295,
      "worstGroup" : "boostrunclub/standing/ws2.csv", "worstGroupAccuracy" : 0.4090909090909091 } },
      "checksum" : "fnv1a64:d682a9fa6272206f", "format" : "gait.activityModel", "heads" : [ { "classifier" : {
      "intercepts" : [ -2.4089882, 0.23713624, 2.171852 ], "kind" : "logistic", "weights" : [ [ 1.9082618,
      -0.16949224, 0.30818036, 0.35667244, 0.4121152, 0.2792422, -0.0957365, 0.07947456, 2.3399858, -0.2922676,
      0.4268216, -0.022975678, 0.50959116, 0.34974313, 0.06696734, 0.20347704 ], [ -2.0289948, -0.09588251,
      -0.10757925, -0.07003484, -0.29803514, 0.0089110155, 0.162037, 0.027366763, -2.343372, -0.12194338, 0.1360537,
      -0.22756845, -0.16081512, -0.4516526, 0.02271079, -0.27827924 ], [ 0.120733045, 0.26537475, -0.2006011,
      -0.2866376, -0.114080034, -0.2881532, -0.06630049, -0.10684132, 0.0033862104, 0.41421095, -0.5628753,
      0.25054413, -0.348776, 0.10190943, -0.08967812, 0.074802205 ] ] }, "features" : [
      "userAcceleration.magnitude.rms.log[0.01]",
      "userAcceleration.magnitude.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
      "userAcceleration.magnitude.bandLogRatio[3.3...4.5/2.3...3.3+0.01]",
      "userAcceleration.magnitude.bandLogRatio[2.3...3.3/1.5...2.2+0.01]",
      "userAcceleration.magnitude.autocorrelationPeak[0.6...0.82]",
      "userAcceleration.magnitude.autocorrelationPeak[0.3...0.45]", "userAcceleration.magnitude.skewness",
      "userAcceleration.magnitude.kurtosis", "jerk.percentile[50].log[0.01]", "jerk.skewness",
      "jerk.autocorrelationPeak[0.3...0.45]", "userAcceleration.magnitude.autocorrelationPeak[0.82...1.2]",
      "jerk.bandLogRatio[2.3...3.3/1.5...2.2+0.01]", "jerk.autocorrelationPeak[0.6...0.82]", "jerk.kurtosis",
      "jerk.autocorrelationPeak[0.82...1.2]" ], "hop" : 0.64, "labels" : [ "running", "still", "walking" ],
      "scaling" : { "mean" : [ -1.5363014, -0.03765337, -0.027980931, 0.0013581215, 0.20696375, 0.10404737,
      0.8381743, 1.3354527, 0.72648436, 1.3651086, 0.07202541, 0.2765633, -0.13684255, 0.20058416, 2.5294356,
      0.25371665 ], "standardDeviation" : [ 1.5121617, 0.43461958, 0.41693798, 0.4579761, 0.27753597, 0.20662497,
      0.77876025, 3.1022215, 1.828402, 0.80264044, 0.22066636, 0.3047684, 0.61137617, 0.2654184, 3.9079256,
      0.29211313 ] }, "window" : 2.56 }, { "classifier" : { "intercepts" : [ -13.985342, 7.9227285, 6.0626135 ],
      "kind" : "logistic", "weights" : [ [ 9.744885, -0.048505202, 0.23600996, -0.048505202, -0.007248586,
      0.54483736, -0.48046812, 0.19933622, 4.110571, -0.6748565, 0.3912192, 0, -0.13438058, 0.23471959, 0.20947692,
      0 ], [ -7.2407312, -0.0053358646, -0.09255259, -0.0053358646, -0.052464575, -0.20400497, 0.5244713,
      -0.2365574, -4.795673, 0.31660503, -0.118953966, 0, 0.062517114, -0.20970196, -0.10803499, 0 ], [ -2.504154,
      0.053841066, -0.14345737, 0.053841066, 0.05971316, -0.34083235, -0.044003166, 0.037221182, 0.68510187,
      0.35825142, -0.27226523, 0, 0.071863465, -0.025017632, -0.101441935, 0 ] ] }, "features" : [
      "userAcceleration.magnitude.rms.log[0.01]",
      "userAcceleration.magnitude.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
      "userAcceleration.magnitude.bandLogRatio[3.3...4.5/2.3...3.3+0.01]",
      "userAcceleration.magnitude.bandLogRatio[2.3...3.3/1.5...2.2+0.01]",
      "userAcceleration.magnitude.autocorrelationPeak[0.6...0.82]",
      "userAcceleration.magnitude.autocorrelationPeak[0.3...0.45]", "userAcceleration.magnitude.skewness",
      "userAcceleration.magnitude.kurtosis", "jerk.percentile[50].log[0.01]", "jerk.skewness",
      "jerk.autocorrelationPeak[0.3...0.45]", "userAcceleration.magnitude.autocorrelationPeak[0.82...1.2]",
      "jerk.bandLogRatio[2.3...3.3/1.5...2.2+0.01]", "jerk.autocorrelationPeak[0.6...0.82]", "jerk.kurtosis",
      "jerk.autocorrelationPeak[0.82...1.2]" ], "hop" : 0.2, "labels" : [ "running", "still", "walking" ],
      "scaling" : { "mean" : [ -1.8496237, 0.028869573, -0.12564975, 0.028869573, 0.037287056, 0.11342301,
      0.4349075, 0.011516384, 0.20989634, 0.78923595, 0.05934691, 0, -0.18938309, 0.026487952, 0.33068383, 0 ],
      "standardDeviation" : [ 1.4904376, 0.33897236, 0.37222603, 0.33897236, 0.16627358, 0.24329464, 0.63632715,
      1.4901397, 2.1218832, 0.6056192, 0.22724076, 1, 0.46825504, 0.17656085, 1.6205826, 1 ] }, "window" : 1 } ],
      "pauses" : { "evidenceWeight" : 0.5, "grace" : 5, "location" : { "dwell" : 3, "largestAccuracy" : 20,
      "mayPause" : false, "movingAbove" : 1, "runningAbove" : 2.2, "stillBelow" : 0.4 }, "meanStay" : 30,
      "mergeGap" : 3, "pauseAbove" : 0.995, "pauseDwell" : 0, "resumeBelow" : 0.01, "resumeDwell" : 0.2,
      "shortestSegment" : 1, "smallestRhythm" : 0.3 }, "sampleRate" : 25, "version" : 2 }
      """#)
}
