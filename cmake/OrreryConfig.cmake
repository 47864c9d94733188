# find_package(Orrery): parallel loops in the targets of a CMake project. docs/build.md has examples.
#
#   orrery_target(TARGET [PLAN FILE...] [TARGET cpu|gpu] [AUTO] [OPTIONS ...])
#       The target's C sources go through orrery-cc, and so does its link. Everything else, the
#       compiler too, stays as it is. PLAN: plan files, each for the source that it names.
#   orrery_all_targets([AUTO] [OPTIONS ...])
#       The same for all executables and libraries of this folder and those below.
#   orrery_add_test(NAME N COMMAND TARGET [arguments...] [RANKS R] [THREADS T] [VERIFY])
#       A test that runs the program, on R ranks under MPIEXEC_* where these are set.
#   Orrery::runtime
#       What a program with parallel loops links with, for objects that were compiled elsewhere.
#
# Everything is found beside this file: PREFIX/lib/cmake/Orrery, PREFIX/bin, PREFIX/lib/orrery.
cmake_minimum_required(VERSION 3.21)

get_filename_component(ORRERY_PREFIX "${CMAKE_CURRENT_LIST_DIR}" REALPATH)
get_filename_component(ORRERY_PREFIX "${ORRERY_PREFIX}/../../.." REALPATH)
set(ORRERY_COMMAND "${ORRERY_PREFIX}/bin/orrery")
set(ORRERY_CC "${ORRERY_PREFIX}/bin/orrery-cc")
set(ORRERY_HOUSE "${ORRERY_PREFIX}/lib/orrery")
foreach(part "${ORRERY_COMMAND}" "${ORRERY_CC}" "${ORRERY_HOUSE}/wrap.txt" "${ORRERY_HOUSE}/liborrery.a")
  if(NOT EXISTS "${part}")
    set(Orrery_FOUND FALSE)
    set(Orrery_NOT_FOUND_MESSAGE "${part} is missing: Orrery is not installed completely.")
    return()
  endif()
endforeach()

include("${CMAKE_CURRENT_LIST_DIR}/OrreryRuntime.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/OrreryTarget.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/OrreryTest.cmake")
