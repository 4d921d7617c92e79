// Written by `gait export --format swift`; do not edit, train the model again.

extension ActivityModel {
  /// Classifies running, still, walking.
  ///
  /// Trained on places: 771 recordings of 85 groups, windows 28747 running, 53261 still, 85788 walking. By logistic
  /// regression, penalty 0.016, copies of running at 0.84…0.92 of its speed, a share of 0.25, copies of walking with
  /// knocks, a share of 0.1.
  ///
  /// Held out (10 folds of whole groups): accuracy 0.9742, macro-F1 0.9742, worst group 0.3295.
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
      "method" : "logistic regression, penalty 0.016, copies of running at 0.84…0.92 of its speed, a share of 0.25, copies of walking with knocks, a share of 0.1",
      "recordings" : 771, "sampleRates" : [ 10, 16.73, 17.318, 17.922, 18.42, 19.26, 19.266, 19.374, 19.454, 19.465,
      19.494, 19.764, 20, 20.222, 20.236, 20.253, 20.303, 20.351, 20.357, 20.37, 20.378, 20.423, 20.425, 20.438,
      20.447, 20.456, 20.463, 20.466, 20.476, 20.494, 20.497, 20.512, 20.54, 20.542, 20.565, 20.715, 20.768, 20.785,
      20.823, 20.83, 20.886, 20.924, 20.961, 20.973, 20.983, 20.988, 20.997, 21.016, 21.215, 21.314, 21.574, 25, 50,
      100 ], "source" : "places", "windows" : { "running" : 28747, "still" : 53261, "walking" : 85788 } },
      "validation" : { "accuracy" : 0.9742182183479698, "balancedAccuracy" : 0.9724206199887577,
      "macroF1" : 0.9742195329052276, "method" : "10 folds of whole groups", "windows" : 154295,
      "worstGroup" : "boostrunclub/standing/ws2.csv", "worstGroupAccuracy" : 0.32954545454545453 } },
      "checksum" : "fnv1a64:58c79ac31ffec86c", "format" : "gait.activityModel", "heads" : [ { "calibration" : {
      "temperature" : 0.6391393 }, "classifier" : { "intercepts" : [ -1.3931296, -0.2844209, 1.6775504 ],
      "kind" : "logistic", "weights" : [ [ 0.29887027, 0.44732034, 0.43536067, 0.06735406, -0.07568301, -0.3934162,
      0.27684343, 0.21992849, 0.2960623, 0.45770964, 0.35008815, 0.46583158, 0.31577617, 0.16840966, 0.20963612 ], [
      -0.68581885, 0.21721959, -0.6651534, -0.039953228, 0.12072075, 0.16906324, 0.095392525, -0.23425119,
      -0.28722697, -0.8073971, 0.15006945, -0.18824722, -0.1321208, -0.02206376, -0.5579434 ], [ 0.38694862,
      -0.66453993, 0.22979271, -0.02740083, -0.04503774, 0.22435297, -0.37223595, 0.0143226925, -0.008835289,
      0.3496875, -0.5001576, -0.27758437, -0.18365535, -0.1463459, 0.3483073 ] ] }, "features" : [
      "vertical.rms.log[0.01]", "total.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
      "userAcceleration.magnitude.percentile[10].log[0.01]", "total.autocorrelationLag[0.2...1.1]",
      "vertical.meanCrossingRate", "vertical.bandLogRatio[3.3...4.5/2.3...3.3+0.01]",
      "vertical.bandLogRatio[2.3...3.3/1.5...2.2+0.01]", "vertical.autocorrelationPeak[0.6...0.82]",
      "vertical.autocorrelationPeak[0.82...1.2]", "vertical.interquartileRange.log[0.01]",
      "jerk.autocorrelationPeak[0.3...0.45]", "total.rms.log[0.01]", "total.mean.log[0.01]",
      "userAcceleration.magnitude.bandLogRatio[3.3...4.5/2.3...3.3+0.01]", "vertical.bandRMS[2.6...3.3].log[0.01]"
      ], "hop" : 0.64, "labels" : [ "running", "still", "walking" ], "scaling" : { "mean" : [ -1.8591936,
      -0.09226408, -2.2295847, 0.703279, 7.230243, -0.28266189, 0.018901879, 0.30790237, 0.41037345, -1.7821381,
      0.073796354, 0.14600423, 0.10011326, -0.023053985, -2.8562818 ], "standardDeviation" : [ 1.5248599,
      0.70206445, 1.2981776, 0.22765866, 3.312996, 0.5789537, 0.74890465, 0.3272955, 0.34392104, 1.7361557,
      0.22133227, 0.20161831, 0.17123342, 0.42200726, 1.3747482 ] }, "window" : 2.56 }, { "classifier" : {
      "intercepts" : [ -14.018737, 7.494111, 6.5246253 ], "kind" : "logistic", "weights" : [ [ 6.1552916,
      0.13291326, 4.5500407, 2.8759582, -0.49111587, -0.12583002, -1.05368 ], [ -6.7654734, 0.37708238, -3.822488,
      -1.3217478, 0.15631971, -0.79548544, 0.7931995 ], [ 0.6101817, -0.50999564, -0.7275524, -1.5542104,
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
