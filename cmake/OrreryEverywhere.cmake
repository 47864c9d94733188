# All targets of a project that knows nothing of Orrery:
#   cmake -DCMAKE_PROJECT_INCLUDE=PREFIX/lib/cmake/Orrery/OrreryEverywhere.cmake [-DORRERY_OPTIONS=...]
# Unmarked loops too. At the end of the top folder, when all targets are there.
get_property(_orrery_everywhere GLOBAL PROPERTY ORRERY_EVERYWHERE)
if(NOT _orrery_everywhere)
  set_property(GLOBAL PROPERTY ORRERY_EVERYWHERE ON)
  include("${CMAKE_CURRENT_LIST_DIR}/OrreryConfig.cmake")
  set(ORRERY_OPTIONS "" CACHE STRING "Options of orrery-cc for all targets")
  if(ORRERY_OPTIONS)
    cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL orrery_all_targets AUTO OPTIONS ${ORRERY_OPTIONS})
  else()
    cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL orrery_all_targets AUTO)
  endif()
endif()
