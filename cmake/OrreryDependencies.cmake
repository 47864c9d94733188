# Everything foreign, found once and named clearly when it is missing.
#
# Sets for the rooms: CLANG_C_INCLUDE, CLANG_C_LIBRARY, ISL_LIBRARY, JANSSON_LIBRARY,
# MPI::MPI_C (an imported target), CMOCKA_LIBRARY (empty when absent), ORRERY_CUDA, ORRERY_HDF5,
# ORRERY_MPICH (beside another MPI: MPICH_INCLUDE, MPICH_LIBRARY).

function(orrery_missing what package)
  message(FATAL_ERROR
    "Orrery needs ${what}. On Debian: sudo apt-get install ${package}\n"
    "scripts/install-deps installs everything at once.")
endfunction()

# A header and a library, both or an error.
macro(orrery_need_library variable what header library package)
  find_path(${variable}_INCLUDE ${header})
  find_library(${variable}_LIBRARY ${library})
  mark_as_advanced(${variable}_INCLUDE ${variable}_LIBRARY)
  if(NOT ${variable}_INCLUDE OR NOT ${variable}_LIBRARY)
    orrery_missing("${what}" ${package})
  endif()
endmacro()

# libclang: header and library of one version, the oldest that knows operator kinds first.
foreach(version 19 20 21 22 23)
  if(NOT CLANG_C_INCLUDE OR NOT CLANG_C_LIBRARY)
    unset(CLANG_C_INCLUDE CACHE)
    unset(CLANG_C_LIBRARY CACHE)
    find_path(CLANG_C_INCLUDE clang-c/Index.h
              PATHS /usr/lib/llvm-${version}/include NO_DEFAULT_PATH)
    find_library(CLANG_C_LIBRARY NAMES clang-${version} clang
                 PATHS /usr/lib/llvm-${version}/lib NO_DEFAULT_PATH)
  endif()
endforeach()
mark_as_advanced(CLANG_C_INCLUDE CLANG_C_LIBRARY)
if(NOT CLANG_C_INCLUDE OR NOT CLANG_C_LIBRARY)
  orrery_missing("libclang 19 or newer (its C interface)" libclang-19-dev)
endif()
file(STRINGS ${CLANG_C_INCLUDE}/clang-c/Index.h operator_kinds
     REGEX "clang_getCursorBinaryOperatorKind")
if(NOT operator_kinds)
  orrery_missing("libclang 19 or newer; ${CLANG_C_INCLUDE} is older" libclang-19-dev)
endif()

orrery_need_library(ISL "isl (integer sets)" isl/set.h isl libisl-dev)
orrery_need_library(JANSSON "jansson (JSON)" jansson.h jansson libjansson-dev)

find_path(UTHASH_INCLUDE uthash.h)
mark_as_advanced(UTHASH_INCLUDE)
if(NOT UTHASH_INCLUDE)
  orrery_missing("uthash (hash tables)" uthash-dev)
endif()

find_path(XXHASH_INCLUDE xxhash.h)
mark_as_advanced(XXHASH_INCLUDE)
if(NOT XXHASH_INCLUDE)
  orrery_missing("xxHash (hashes of bytes; its header)" libxxhash-dev)
endif()

find_package(MPI QUIET COMPONENTS C)
if(NOT MPI_C_FOUND)
  orrery_missing("an MPI with its C interface (Open MPI, MPICH)" "libopenmpi-dev openmpi-bin")
endif()
# A second MPI beside the first: programs take the one whose launcher starts them.
find_path(MPICH_INCLUDE mpi.h PATHS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE}/mpich /usr/include/mpich
          NO_DEFAULT_PATH)
find_library(MPICH_LIBRARY mpich)
mark_as_advanced(MPICH_INCLUDE MPICH_LIBRARY)
set(ORRERY_MPICH OFF)
if(MPICH_INCLUDE AND MPICH_LIBRARY AND NOT "${MPI_C_HEADER_DIR}" STREQUAL "${MPICH_INCLUDE}")
  set(ORRERY_MPICH ON)
endif()
find_package(Threads REQUIRED)

find_path(CMOCKA_INCLUDE cmocka.h)
find_library(CMOCKA_LIBRARY cmocka)
mark_as_advanced(CMOCKA_INCLUDE CMOCKA_LIBRARY)

# Optional parts: absent = the rest still builds and works.
find_package(CUDAToolkit QUIET)
set(ORRERY_CUDA OFF)
if(CUDAToolkit_FOUND AND CUDAToolkit_NVCC_EXECUTABLE)
  set(ORRERY_CUDA ON)
endif()
find_path(HDF5_C_INCLUDE hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(HDF5_C_LIBRARY NAMES hdf5_serial hdf5)
mark_as_advanced(HDF5_C_INCLUDE HDF5_C_LIBRARY)
set(ORRERY_HDF5 OFF)
if(HDF5_C_INCLUDE AND HDF5_C_LIBRARY)
  set(ORRERY_HDF5 ON)
endif()

# Said at the end of every configure.
function(orrery_summary)
  set(cuda "not found (optional; loops for a GPU can be built for the host shim only)")
  if(ORRERY_CUDA)
    set(cuda "${CUDAToolkit_NVCC_EXECUTABLE} ${CUDAToolkit_VERSION}")
  endif()
  set(hdf5 "not found (optional; checkpoints need it: libhdf5-dev)")
  if(ORRERY_HDF5)
    set(hdf5 "${HDF5_C_LIBRARY}")
  endif()
  set(cmocka "not found (optional; unit tests are left out: libcmocka-dev)")
  if(CMOCKA_LIBRARY AND CMOCKA_INCLUDE)
    set(cmocka "${CMOCKA_LIBRARY}")
  endif()
  set(sanitizer "none")
  if(ORRERY_SANITIZE)
    set(sanitizer "${ORRERY_SANITIZE}")
  endif()
  message(STATUS "Orrery ${PROJECT_VERSION}: ${CMAKE_BUILD_TYPE}, sanitizer ${sanitizer}")
  message(STATUS "  libclang  ${CLANG_C_LIBRARY}")
  message(STATUS "  isl       ${ISL_LIBRARY}")
  message(STATUS "  MPI       ${MPI_C_LIB_NAMES} ${MPI_C_VERSION} (${MPIEXEC_EXECUTABLE})")
  message(STATUS "  jansson   ${JANSSON_LIBRARY}")
  message(STATUS "  uthash    ${UTHASH_INCLUDE}")
  message(STATUS "  xxHash    ${XXHASH_INCLUDE}")
  message(STATUS "  cmocka    ${cmocka}")
  message(STATUS "  CUDA      ${cuda}")
  message(STATUS "  HDF5      ${hdf5}")
endfunction()
