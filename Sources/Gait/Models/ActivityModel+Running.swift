// Written by `gait export --format swift`; do not edit, train the model again.

extension ActivityModel {
  /// Classifies running, still, walking.
  ///
  /// Trained on places: 569 recordings of 76 groups, windows 21609 running, 53240 still, 76751 walking.
  /// By logistic regression, penalty 0.006.
  ///
  /// Held out (10 folds of whole groups): accuracy 0.9807, macro-F1 0.9802, worst group 0.5568.
  ///
  /// Data: MotionSense, Copyright (c) 2018 Mohammad Malekzadeh, MIT License on GitHub, ODbL on Kaggle (Malekzadeh
  /// et al., "Mobile Sensor Data Anonymization", IoTDI 2019);
  /// WISDM Smartphone and Smartwatch Activity and Biometrics (Weiss, Yoneda, Hayajneh, IEEE Access 7, 2019), CC BY 4.0;
  /// Daily and Sports Activities (Altun, Barshan, Tunçel, Pattern Recognition 43, 2010), CC BY 4.0;
  /// BoostRunClub (boostcamp-2020, Project18-B), MIT License.
  /// `make model` trains it again.
  public static let running = ActivityModel(
    embedded: #"""
      {
        "card" : {
          "training" : {
            "attributions" : [
              "motionsense: Copyright (c) 2018 Mohammad Malekzadeh; M. Malekzadeh, R. G. Clegg, A. Cavallaro, H. Haddadi, \"Mobile Sensor Data Anonymization\", IoTDI 2019; MIT (GitHub); ODbL on Kaggle",
              "wisdm-phone: G. M. Weiss, K. Yoneda, T. Hayajneh, \"Smartphone and Smartwatch-Based Biometrics Using Activities of Daily Living\", IEEE Access 7, 2019, UCI data set 507; CC BY 4.0",
              "wisdm-watch: G. M. Weiss, K. Yoneda, T. Hayajneh, \"Smartphone and Smartwatch-Based Biometrics Using Activities of Daily Living\", IEEE Access 7, 2019, UCI data set 507; CC BY 4.0",
              "dsads: K. Altun, B. Barshan, O. Tunçel, \"Comparative study on classifying human activities with miniature inertial and magnetic sensors\", Pattern Recognition 43(10), 2010, UCI data set 256; CC BY 4.0",
              "boostrunclub: boostcamp-2020, Project18-B (BoostRunClub), Copyright (c) 2020; MIT"
            ],
            "groups" : 76,
            "method" : "logistic regression, penalty 0.006",
            "recordings" : 569,
            "sampleRates" : [
              10, 20, 25, 50, 100
            ],
            "source" : "places",
            "windows" : {
              "running" : 21609,
              "still" : 53240,
              "walking" : 76751
            }
          },
          "validation" : {
            "accuracy" : 0.980745382585752,
            "balancedAccuracy" : 0.9775729605695807,
            "macroF1" : 0.9801842201878278,
            "method" : "10 folds of whole groups",
            "windows" : 151600,
            "worstGroup" : "boostrunclub/standing/ws2.csv",
            "worstGroupAccuracy" : 0.5568181818181818
          }
        },
        "checksum" : "fnv1a64:4adf1c55a9d6937f",
        "format" : "gait.activityModel",
        "heads" : [
          {
            "classifier" : {
              "intercepts" : [
                -1.9334389, -0.086624764, 2.0200636
              ],
              "kind" : "logistic",
              "weights" : [
                [
                  0.28751034, 0.5610717, 0.45531356, 0.32126346, -0.0011887966, 0.06154926, 0.052949626,
                  -0.38015804, 0.46688786, 0.3995461, 0.12939373, 0.15912062, 0.4000272, -0.26293638,
                  0.7283355, 0.4880761
                ],
                [
                  -0.6485347, 0.2286388, -0.75549185, -0.5864923, -0.060427923, 0.14280565, 0.27983394,
                  0.21190642, -0.04290489, -0.38241678, -0.22377777, -0.7310852, -0.9191145, -0.21678169,
                  -0.3348084, -0.39876086
                ],
                [
                  0.36102435, -0.7897105, 0.30017832, 0.2652288, 0.06161672, -0.20435491, -0.33278355,
                  0.16825163, -0.42398295, -0.017129308, 0.094384044, 0.57196456, 0.51908726, 0.47971806,
                  -0.3935271, -0.08931524
                ]
              ]
            },
            "features" : [
              "vertical.rms.log[0.01]",
              "total.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
              "userAcceleration.magnitude.percentile[10].log[0.01]",
              "vertical.maximum.signedLog[0.05]",
              "total.autocorrelationLag[0.2...1.1]",
              "vertical.meanCrossingRate",
              "gravity.sphericalVariance.log[0.01]",
              "vertical.bandLogRatio[3.3...4.5/2.3...3.3+0.01]",
              "vertical.bandLogRatio[2.3...3.3/1.5...2.2+0.01]",
              "vertical.autocorrelationPeak[0.6...0.82]",
              "vertical.autocorrelationPeak[0.82...1.2]",
              "vertical.bandRMS[1.2...2.2].log[0.01]",
              "vertical.interquartileRange.log[0.01]",
              "vertical.spectralEntropy",
              "userAcceleration.magnitude.mean",
              "userAcceleration.magnitude.meanCrossingRate"
            ],
            "hop" : 0.64,
            "labels" : [
              "running",
              "still",
              "walking"
            ],
            "scaling" : {
              "mean" : [
                -1.9892101, -0.09604049, -2.3365657, 1.856201, 0.7015209, 7.3979425, -3.8280275,
                -0.2582921, 0.018283881, 0.31597295, 0.39591917, -2.6736376, -1.9302478, 0.7478968,
                0.40118864, 7.692983
              ],
              "standardDeviation" : [
                1.5302685, 0.70678526, 1.2944564, 1.25453, 0.2296655, 3.3920038, 0.8267598, 0.56387573,
                0.7568442, 0.326629, 0.33873844, 1.3453422, 1.7385119, 0.13161023, 0.4435674, 2.7684205
              ]
            },
            "window" : 2.56
          },
          {
            "classifier" : {
              "intercepts" : [
                -14.018737, 7.494111, 6.5246253
              ],
              "kind" : "logistic",
              "weights" : [
                [
                  6.1552916, 0.13291326, 4.5500407, 2.8759582, -0.49111587, -0.12583002, -1.05368
                ],
                [
                  -6.7654734, 0.37708238, -3.822488, -1.3217478, 0.15631971, -0.79548544, 0.7931995
                ],
                [
                  0.6101817, -0.50999564, -0.7275524, -1.5542104, 0.33479616, 0.9213155, 0.26048055
                ]
              ]
            },
            "features" : [
              "vertical.rms.log[0.01]",
              "total.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
              "userAcceleration.magnitude.percentile[10].log[0.01]",
              "vertical.maximum.signedLog[0.05]",
              "total.autocorrelationLag[0.2...1.1]",
              "vertical.meanCrossingRate",
              "gravity.sphericalVariance.log[0.01]"
            ],
            "hop" : 0.2,
            "labels" : [
              "running",
              "still",
              "walking"
            ],
            "scaling" : {
              "mean" : [
                -2.3392093, 0.06334142, -2.4758403, 1.5260973, 0.43152606, 8.364032, -3.9471102
              ],
              "standardDeviation" : [
                1.669037, 0.3400308, 1.2710164, 1.4172031, 0.13024953, 3.20479, 0.7479489
              ]
            },
            "window" : 1
          }
        ],
        "pauses" : {
          "evidenceWeight" : 0.5,
          "grace" : 5,
          "location" : {
            "dwell" : 3,
            "largestAccuracy" : 20,
            "mayPause" : false,
            "movingAbove" : 1,
            "runningAbove" : 2.2,
            "stillBelow" : 0.4
          },
          "meanStay" : 30,
          "mergeGap" : 3,
          "pauseAbove" : 0.995,
          "pauseDwell" : 0,
          "resumeBelow" : 0.5,
          "resumeDwell" : 0.2,
          "shortestSegment" : 1,
          "smallestRhythm" : 0.3
        },
        "sampleRate" : 25,
        "version" : 2
      }
      """#)
}
