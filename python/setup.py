"""A wheel for every Python 3 on one platform: the library is loaded by ctypes, so no version of Python matters."""
import os
import pathlib
import shutil

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.dist_info import dist_info
from setuptools.dist import Distribution


def require_library():
    """Takes the library from GAIT_LIBRARY, or ends with what is missing and the cure."""
    library = pathlib.Path(__file__).parent / "src/gait_motion/libgait.so"
    if os.path.isfile(os.environ.get("GAIT_LIBRARY", "")):
        shutil.copyfile(os.environ["GAIT_LIBRARY"], library)
    if not library.exists():
        raise SystemExit(
            "gait-motion cannot be built: these sources lack the library libgait.so, which needs Swift to build. Run "
            "`make wheel` in "
            "Gait's repository and install .build/python/gait_motion-*.whl, or set GAIT_LIBRARY to the libgait.so of "
            "`make c-library`.")


class Metadata(dist_info):
    def run(self):
        require_library()
        super().run()


class PlatformWheel(bdist_wheel):
    def run(self):
        require_library()
        super().run()

    def get_tag(self):
        # Scripts/python-package gives the platform that the library needs.
        return "py3", "none", os.environ.get("GAIT_WHEEL_PLATFORM", super().get_tag()[2])


class PlatformDistribution(Distribution):
    def has_ext_modules(self):
        return True


setup(cmdclass={"bdist_wheel": PlatformWheel, "dist_info": Metadata}, distclass=PlatformDistribution)
