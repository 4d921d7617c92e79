// Written by `gait export --format swift`; do not edit, train the model again.

extension ActivityModel {
  /// Classifies running, still, walking.
  ///
  /// Trained on motionsense + boostrunclub: 221 recordings of 53 groups, windows 2061 running, 13609 still, 9521 walking.
  /// By logistic regression, penalty 5e-05.
  ///
  /// Held out (10 folds of whole groups): accuracy 0.9911, macro-F1 0.9864, worst group 0.8523.
  ///
  /// Data: MotionSense, Copyright (c) 2018 Mohammad Malekzadeh, MIT License (Malekzadeh et al., "Mobile Sensor Data
  /// Anonymization", IoTDI 2019); BoostRunClub (boostcamp-2020, Project18-B), MIT License. `make model` trains it again.
  public static let running = ActivityModel(
    embedded: #"""
      {
        "card" : {
          "training" : {
            "groups" : 53,
            "method" : "logistic regression, penalty 5e-05",
            "recordings" : 221,
            "sampleRates" : [
              10, 50
            ],
            "source" : "motionsense + boostrunclub",
            "windows" : {
              "running" : 2061,
              "still" : 13609,
              "walking" : 9521
            }
          },
          "validation" : {
            "accuracy" : 0.991068238656663,
            "balancedAccuracy" : 0.9861325101540808,
            "macroF1" : 0.9864351141512074,
            "method" : "10 folds of whole groups",
            "windows" : 25191,
            "worstGroup" : "boostrunclub/standing/ws2.csv",
            "worstGroupAccuracy" : 0.8522727272727273
          }
        },
        "checksum" : "fnv1a64:c953fcfeef21737a",
        "format" : "gait.activityModel",
        "heads" : [
          {
            "classifier" : {
              "intercepts" : [
                -13.249742, 7.0534763, 6.1962657
              ],
              "kind" : "logistic",
              "weights" : [
                [
                  3.8687837, 0.5253783, 5.3152776, 3.668878, -0.510907, -0.34418866, -0.5427634
                ],
                [
                  -6.3366156, 0.5074127, -5.080529, -1.3402685, 0.1620589, -1.0033234, 0.7400768
                ],
                [
                  2.4678319, -1.032791, -0.23474848, -2.3286095, 0.3488481, 1.3475121, -0.19731337
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
            "hop" : 0.64,
            "labels" : [
              "running",
              "still",
              "walking"
            ],
            "scaling" : {
              "mean" : [
                -2.3189144, -0.012832829, -2.5233378, 1.6448078, 0.7183124, 8.523939, -3.8703365
              ],
              "standardDeviation" : [
                1.6580445, 0.58980423, 1.2636313, 1.4290746, 0.27209383, 2.9517043, 0.7941435
              ]
            },
            "window" : 2.56
          },
          {
            "classifier" : {
              "intercepts" : [
                -14.019252, 7.496193, 6.5230594
              ],
              "kind" : "logistic",
              "weights" : [
                [
                  6.158561, 0.1325141, 4.5505886, 2.8742867, -0.49204198, -0.12690336, -1.0580152
                ],
                [
                  -6.776152, 0.37793463, -3.8230588, -1.3155396, 0.15800895, -0.7933227, 0.80179065
                ],
                [
                  0.6175909, -0.51044875, -0.72752976, -1.558747, 0.33403304, 0.92022604, 0.2562246
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
                -2.339208, 0.06333686, -2.4758358, 1.5261109, 0.4314955, 8.363983, -3.9470818
              ],
              "standardDeviation" : [
                1.6690369, 0.34002122, 1.2710272, 1.4172022, 0.13027214, 3.2047195, 0.7479979
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
