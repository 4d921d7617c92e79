import Gait
