// Written by `gait export --format swift`; do not edit, train the model again.

extension ActivityModel {
  /// Classifies running, still, walking.
  ///
  /// Trained on places: 771 recordings of 85 groups, windows 26178 running, 53261 still, 78642 walking.
  /// By logistic regression, penalty 0.004, weight of running 2, copies of running at 0.84…0.92 of its speed, a share of 0.15.
  ///
  /// Held out (10 folds of whole groups): accuracy 0.9747, macro-F1 0.9740, worst group 0.4091.
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
      {
        "card" : {
          "training" : {
            "attributions" : [
              "motionsense: Copyright (c) 2018 Mohammad Malekzadeh; M. Malekzadeh, R. G. Clegg, A. Cavallaro, H. Haddadi, \"Mobile Sensor Data Anonymization\", IoTDI 2019; MIT (GitHub); ODbL on Kaggle",
              "wisdm-phone: G. M. Weiss, K. Yoneda, T. Hayajneh, \"Smartphone and Smartwatch-Based Biometrics Using Activities of Daily Living\", IEEE Access 7, 2019, UCI data set 507; CC BY 4.0",
              "wisdm-watch: G. M. Weiss, K. Yoneda, T. Hayajneh, \"Smartphone and Smartwatch-Based Biometrics Using Activities of Daily Living\", IEEE Access 7, 2019, UCI data set 507; CC BY 4.0",
              "dsads: K. Altun, B. Barshan, O. Tunçel, \"Comparative study on classifying human activities with miniature inertial and magnetic sensors\", Pattern Recognition 43(10), 2010, UCI data set 256; CC BY 4.0",
              "boostrunclub: boostcamp-2020, Project18-B (BoostRunClub), Copyright (c) 2020; MIT",
              "umafall-pocket: E. Casilari, J. A. Santoyo-Ramón, J. M. Cano-García, \"UMAFall: A Multisensor Dataset for the Research on Automatic Fall Detection\", Procedia Computer Science 110, 2017, figshare, doi:10.6084/m9.figshare.4214283; CC BY 4.0",
              "umafall-waist: E. Casilari, J. A. Santoyo-Ramón, J. M. Cano-García, \"UMAFall: A Multisensor Dataset for the Research on Automatic Fall Detection\", Procedia Computer Science 110, 2017, figshare, doi:10.6084/m9.figshare.4214283; CC BY 4.0",
              "umafall-wrist: E. Casilari, J. A. Santoyo-Ramón, J. M. Cano-García, \"UMAFall: A Multisensor Dataset for the Research on Automatic Fall Detection\", Procedia Computer Science 110, 2017, figshare, doi:10.6084/m9.figshare.4214283; CC BY 4.0"
            ],
            "groups" : 85,
            "method" : "logistic regression, penalty 0.004, weight of running 2, copies of running at 0.84…0.92 of its speed, a share of 0.15",
            "recordings" : 771,
            "sampleRates" : [
              10, 16.73, 17.318, 17.922, 18.42, 19.26, 19.266, 19.374, 19.454, 19.465, 19.494, 19.764, 20,
              20.222, 20.236, 20.253, 20.303, 20.351, 20.357, 20.37, 20.378, 20.423, 20.425, 20.438,
              20.447, 20.456, 20.463, 20.466, 20.476, 20.494, 20.497, 20.512, 20.54, 20.542, 20.565,
              20.715, 20.768, 20.785, 20.823, 20.83, 20.886, 20.924, 20.961, 20.973, 20.983, 20.988,
              20.997, 21.016, 21.215, 21.314, 21.574, 25, 50, 100
            ],
            "source" : "places",
            "windows" : {
              "running" : 26178,
              "still" : 53261,
              "walking" : 78642
            }
          },
          "validation" : {
            "accuracy" : 0.9747367056612334,
            "balancedAccuracy" : 0.9754039318023238,
            "macroF1" : 0.9740291075339274,
            "method" : "10 folds of whole groups",
            "windows" : 154295,
            "worstGroup" : "boostrunclub/standing/ws2.csv",
            "worstGroupAccuracy" : 0.4090909090909091
          }
        },
        "checksum" : "fnv1a64:8f67e047d998a213",
        "format" : "gait.activityModel",
        "heads" : [
          {
            "classifier" : {
              "intercepts" : [
                -1.6607584, -0.30302978, 1.9637882
              ],
              "kind" : "logistic",
              "weights" : [
                [
                  0.5087129, 0.682335, 0.7749026, 0.025279233, -0.0033248975, -0.44928297, 0.35784182,
                  0.3059735, 0.30540708, 0.9317778, 0.47674108, 0.64816934, 0.2800156, 0.24826388,
                  0.104335465
                ],
                [
                  -0.91290385, 0.3011213, -1.014749, -0.01111359, -0.08010594, 0.19371665, 0.072633356,
                  -0.4043783, -0.42392823, -1.2698221, 0.18428187, -0.18032669, -0.10006935, -0.05375255,
                  -0.65544516
                ],
                [
                  0.40419096, -0.9834563, 0.23984647, -0.0141656445, 0.083430834, 0.25556636, -0.43047518,
                  0.098404795, 0.11852113, 0.33804435, -0.66102296, -0.46784267, -0.17994623, -0.19451134,
                  0.5511097
                ]
              ]
            },
            "features" : [
              "vertical.rms.log[0.01]",
              "total.bandLogRatio[2.2...3.5/1.2...2.2+0.01]",
              "userAcceleration.magnitude.percentile[10].log[0.01]",
              "total.autocorrelationLag[0.2...1.1]",
              "vertical.meanCrossingRate",
              "vertical.bandLogRatio[3.3...4.5/2.3...3.3+0.01]",
              "vertical.bandLogRatio[2.3...3.3/1.5...2.2+0.01]",
              "vertical.autocorrelationPeak[0.6...0.82]",
              "vertical.autocorrelationPeak[0.82...1.2]",
              "vertical.interquartileRange.log[0.01]",
              "jerk.autocorrelationPeak[0.3...0.45]",
              "total.rms.log[0.01]",
              "total.mean.log[0.01]",
              "userAcceleration.magnitude.bandLogRatio[3.3...4.5/2.3...3.3+0.01]",
              "vertical.bandRMS[2.6...3.3].log[0.01]"
            ],
            "hop" : 0.64,
            "labels" : [
              "running",
              "still",
              "walking"
            ],
            "scaling" : {
              "mean" : [
                -1.9241347, -0.08496658, -2.279107, 0.70253617, 7.3287687, -0.27642637, 0.025877198,
                0.31331393, 0.4071752, -1.8527877, 0.07202541, 0.14002976, 0.095870696, -0.027980935,
                -2.9018664
              ],
              "standardDeviation" : [
                1.5384035, 0.70730716, 1.3076845, 0.22829081, 3.353281, 0.57709277, 0.755583, 0.32797942,
                0.34174713, 1.752152, 0.22066636, 0.1990613, 0.16872557, 0.41693798, 1.3876061
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
