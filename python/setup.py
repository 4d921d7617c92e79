"""A wheel for every Python 3 on one platform: the library is loaded by ctypes, so no version of Python matters.

Environment variables:
    GAIT_LIBRARY: the library that `make c-library` builds, if it is not in src/gait_motion.
    GAIT_WHEEL_PLATFORM: the platform that the library needs; Scripts/python-wheel finds it.
    GAIT_REPOSITORY: the address of Gait's repository, for the links of the metadata.
"""
import os
import pathlib
import re
import shutil

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.dist_info import dist_info
from setuptools.dist import Distribution

FOLDER = pathlib.Path(__file__).parent
LIBRARY = FOLDER / "src/gait_motion/libgait.so"
REPOSITORY = os.environ.get("GAIT_REPOSITORY", "").rstrip("/")


def require_library():
    """Takes the library from GAIT_LIBRARY, or ends with what is missing and the cure."""
    given = os.environ.get("GAIT_LIBRARY")
    if given and os.path.isfile(given):
        shutil.copyfile(given, LIBRARY)
    if not LIBRARY.exists():
        raise SystemExit(
            "gait-motion cannot be built: these sources lack the library libgait.so, which needs Swift to build. Run `make wheel` in "
            "Gait's repository and install .build/python/gait_motion-*.whl, or set GAIT_LIBRARY to the libgait.so that "
            "`make c-library` builds.")


def description():
    """The README with links into the repository; without its address the links are plain text."""
    text = (FOLDER / "README.md").read_text()
    if REPOSITORY:
        return re.sub(r"(\[[^\]]*\]\()\.\./", rf"\1{REPOSITORY}/blob/main/", text)
    return re.sub(r"\[([^\]]*)\]\(\.\./[^)]*\)", r"\1", text)


class Metadata(dist_info):
    def run(self):
        require_library()
        super().run()


class PlatformWheel(bdist_wheel):
    def run(self):
        require_library()
        super().run()

    def get_tag(self):
        return "py3", "none", os.environ.get("GAIT_WHEEL_PLATFORM", super().get_tag()[2])


class PlatformDistribution(Distribution):
    def has_ext_modules(self):
        return True


setup(
    cmdclass={"bdist_wheel": PlatformWheel, "dist_info": Metadata}, distclass=PlatformDistribution,
    long_description=description(), long_description_content_type="text/markdown",
    project_urls={
        "Source": REPOSITORY, "Documentation": f"{REPOSITORY}/blob/main/python/README.md",
        "Changelog": f"{REPOSITORY}/blob/main/CHANGELOG.md"} if REPOSITORY else {})
