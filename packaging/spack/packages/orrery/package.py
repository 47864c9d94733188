# In a clone: spack repo add packaging/spack && spack dev-build orrery@main
from spack.package import *

try:
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:
    pass  # before Spack 1.0 it comes with spack.package


class Orrery(CMakePackage):
    """Runs serial C training loops in parallel, on threads, MPI ranks and GPUs, without breaking the
    dependences that make them converge."""

    homepage = "https://orrery.invalid"
    git = "https://orrery.invalid/orrery.git"
    license("Apache-2.0")

    version("main", branch="main")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("uthash", type="build")
    depends_on("xxhash", type="build")
    depends_on("llvm@19: +clang", type=("build", "link", "run"))
    depends_on("isl")
    depends_on("jansson")
    depends_on("hdf5@1.10: ~mpi")
    depends_on("openmpi@4.1", type=("build", "link", "run"))

    # The suite needs a Debian's packages (scripts/install-deps --tests).
    def cmake_args(self):
        return [self.define("BUILD_TESTING", False)]
