// Written by `gait export --format swift`; do not edit, train the model again.

extension ActivityModel {
  /// Classifies other, running, still, walking.
  ///
  /// Trained on places: 931 recordings of 92 groups, windows 5014 other, 30280 running, 53261 still, 101866
  /// walking. By logistic regression, penalty 0.04, weight of other 1.3, weight of running 1.5, copies of running
  /// at 0.84…0.92 of its speed, a share of 0.25, copies of walking with knocks, a share of 0.2.
  ///
  /// Held out (10 folds of whole groups): accuracy 0.9563, macro-F1 0.8190, worst group 0.3864.
  ///
  /// Data: MotionSense, Copyright (c) 2018 Mohammad Malekzadeh, MIT License on GitHub, ODbL on Kaggle (Malekzadeh
  /// et al., "Mobile Sensor Data Anonymization", IoTDI 2019);
  /// WISDM Smartphone and Smartwatch Activity and Biometrics (Weiss, Yoneda, Hayajneh, IEEE Access 7, 2019), CC BY 4.0;
  /// Daily and Sports Activities (Altun, Barshan, Tunçel, Pattern Recognition 43, 2010), CC BY 4.0;
  /// UMAFall (Casilari, Santoyo-Ramón, Cano-García, Procedia Computer Science 110, 2017), CC BY 4.0;
  /// Har-Lab's HumanActivityData, Copyright (c) 2023 Har-Lab, MIT License;
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
      "umafall-wrist: E. Casilari, J. A. Santoyo-Ramón, J. M. Cano-García, \"UMAFall: A Multisensor Dataset for the Research on Automatic Fall Detection\", Procedia Computer Science 110, 2017, figshare, doi:10.6084/m9.figshare.4214283; CC BY 4.0",
      "harlab-waist: Har-Lab, HumanActivityData, Copyright (c) 2023 Har-Lab; MIT",
      "harlab-wrist: Har-Lab, HumanActivityData, Copyright (c) 2023 Har-Lab; MIT",
      "harlab-ankle: Har-Lab, HumanActivityData, Copyright (c) 2023 Har-Lab; MIT" ], "groups" : 92,
      "method" : "logistic regression, penalty 0.04, weight of other 1.3, weight of running 1.5, copies of running at 0.84…0.92 of its speed, a share of 0.25, copies of walking with knocks, a share of 0.2",
      "recordings" : 931, "sampleRates" : [ 10, 16.73, 17.318, 17.639, 17.922, 18.42, 19.26, 19.266, 19.374, 19.454,
      19.465, 19.494, 19.764, 20, 20.222, 20.236, 20.251, 20.253, 20.303, 20.351, 20.357, 20.37, 20.378, 20.411,
      20.423, 20.425, 20.438, 20.447, 20.456, 20.463, 20.466, 20.476, 20.494, 20.497, 20.512, 20.54, 20.542, 20.544,
      20.565, 20.636, 20.715, 20.74, 20.768, 20.782, 20.785, 20.823, 20.83, 20.832, 20.886, 20.924, 20.961, 20.973,
      20.983, 20.988, 20.997, 21.016, 21.215, 21.219, 21.314, 21.371, 21.574, 21.759, 25, 50, 100 ],
      "source" : "places", "windows" : { "other" : 5014, "running" : 30280, "still" : 53261, "walking" : 101866 } },
      "validation" : { "accuracy" : 0.9562943103961871, "balancedAccuracy" : 0.7918661704239123,
      "macroF1" : 0.8190237303322363, "method" : "10 folds of whole groups", "windows" : 167850,
      "worstGroup" : "boostrunclub/standing/ws2.csv", "worstGroupAccuracy" : 0.38636363636363635 } },
      "checksum" : "fnv1a64:99b5a5e9e18b1bc4", "format" : "gait.activityModel", "heads" : [ { "calibration" : {
      "temperature" : 0.66966796 }, "classifier" : { "intercepts" : [ -1.3448669, -0.6897321, 0.07986827, 1.9547306
      ], "kind" : "logistic", "weights" : [ [ 0.25154507, -0.08992415, 0.083371975, -0.18887505, -0.16275324,
      0.069782816, -0.16804028, -0.14566529, 0.045707297, 0.17478552, 0.120751366, 0.42990837, 0.32030582,
      0.07793398, 0.10175018, -0.026787398, -0.055672225, -0.043109298 ], [ 0.16337852, 0.3674042, 0.3701342,
      0.07450613, 0.055714123, -0.29031208, 0.33840823, 0.2009245, 0.10647674, 0.25184315, 0.18557556, 0.3129577,
      0.0016558074, 0.19027126, 0.2953996, -0.065946355, 0.035274196, 0.29167858 ], [ -0.6155389, 0.19041851,
      -0.56220776, 0.018777464, 0.26650745, 0.1310038, 0.1055794, -0.10539302, -0.18127644, -0.6428795, 0.086240135,
      -0.19430861, -0.052250408, -0.48350403, -0.24389109, -0.07229528, -0.08838536, -0.057923518 ], [ 0.20061533,
      -0.46789855, 0.108701594, 0.09559146, -0.15946832, 0.08952547, -0.27594733, 0.05013381, 0.029092412,
      0.21625079, -0.39256707, -0.54855746, -0.26971123, 0.21529879, -0.15325868, 0.16502903, 0.10878339,
      -0.19064575 ] ] }, "features" : [ "vertical.rms.log[0.01]", "total.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
      "userAcceleration.magnitude.percentile[10].log[0.01]", "total.autocorrelationLag[0.2...1.1]",
      "vertical.meanCrossingRate", "vertical.bandLogRatio[3.3...4.5/2.3...3.3+0.01]",
      "vertical.bandLogRatio[2.3...3.3/1.5...2.2+0.01]", "vertical.autocorrelationPeak[0.6...0.82]",
      "vertical.autocorrelationPeak[0.82...1.2]", "vertical.interquartileRange.log[0.01]",
      "jerk.autocorrelationPeak[0.3...0.45]", "total.rms.log[0.01]",
      "userAcceleration.magnitude.bandLogRatio[3.3...4.5/2.3...3.3+0.01]", "vertical.bandRMS[2.6...3.3].log[0.01]",
      "vertical.autocorrelationPeak[0.2...1.1]", "total.spectralFlatness",
      "userAcceleration.magnitude.spectralEntropy", "userAcceleration.magnitude.meanCrossingRate" ], "hop" : 0.64,
      "labels" : [ "other", "running", "still", "walking" ], "scaling" : { "mean" : [ -1.7210511, -0.12288399,
      -2.1468704, 0.7073413, 6.993915, -0.28409413, -0.018035742, 0.29071477, 0.43525636, -1.6311171, 0.07424179,
      0.16491205, 0.0027487015, -2.7762413, 0.529082, 0.28337705, 0.80709004, 7.579408 ], "standardDeviation" : [
      1.5022552, 0.7046854, 1.2631558, 0.22923069, 3.2262332, 0.5820411, 0.7549142, 0.32724613, 0.35273507,
      1.7030814, 0.22228363, 0.21234599, 0.45563334, 1.3446672, 0.29316136, 0.18111679, 0.08292417, 2.6959696 ] },
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
