"""A wheel for every Python 3 on one platform: the library is loaded by ctypes, so no version of Python matters."""
import os

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.dist import Distribution


class PlatformWheel(bdist_wheel):
    def get_tag(self):
        # Scripts/python-wheel gives the platform that the library needs.
        return "py3", "none", os.environ.get("GAIT_WHEEL_PLATFORM", super().get_tag()[2])


class PlatformDistribution(Distribution):
    def has_ext_modules(self):
        return True


setup(cmdclass={"bdist_wheel": PlatformWheel}, distclass=PlatformDistribution)
