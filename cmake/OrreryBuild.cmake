# How everything is compiled: one language level, one set of warnings, one layout of build/.

get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT CMAKE_BUILD_TYPE AND NOT multi_config)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Kind of build" FORCE)
endif()
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g1" CACHE STRING "Assertions stay on" FORCE)

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
add_compile_options(-Wall -Wextra)
set(CMAKE_COMPILE_WARNING_AS_ERROR ON CACHE BOOL "Warnings are errors (cmake --compile-no-warning-as-error: not)")
include_directories(${CMAKE_SOURCE_DIR})

set(ORRERY_SANITIZE "" CACHE STRING
    "Sanitizers of the whole build: address, undefined, thread, or address,undefined")
set_property(CACHE ORRERY_SANITIZE PROPERTY STRINGS "" address undefined thread address,undefined)
if(ORRERY_SANITIZE)
  if(NOT ORRERY_SANITIZE MATCHES "^(address|undefined|thread|address,undefined)$")
    message(FATAL_ERROR 
      "ORRERY_SANITIZE is '${ORRERY_SANITIZE}': use address, undefined, thread or address,undefined.")
  endif()
  # Half the time of -O2 -g to compile, and traces still name lines.
  set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O1 -g1")
  add_compile_options(-fsanitize=${ORRERY_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ORRERY_SANITIZE})
  if(ORRERY_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=all)
    add_link_options(-fno-sanitize-recover=all)
  endif()
endif()

option(ORRERY_FUZZ "Targets for libFuzzer (tests/fuzz): needs clang and libclang-rt-19-dev" OFF)
if(ORRERY_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "ORRERY_FUZZ needs clang: -DCMAKE_C_COMPILER=clang-19")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=address,undefined)
endif()

# Objects of the static and of the shared run library: calls are as in a program where the linker can have it so.
function(orrery_for_both target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -fno-semantic-interposition)
endfunction()

# The compile side with sanitizers: compiled in a third of the time without optimization, and the race
# detector has nothing to watch where there are no threads.
function(orrery_sanitize_compile_side)
  set(options -O0)
  if(ORRERY_SANITIZE STREQUAL "thread")
    list(APPEND options -fno-sanitize=thread)
  endif()
  foreach(target orrery-analyzer orrery-compiler orrery-tools-base orrery-tools orrery-commands
          orrery-command orrery-cc)
    if(ORRERY_SANITIZE AND TARGET ${target})
      target_compile_options(${target} PRIVATE ${options})
    endif()
  endforeach()
endfunction()
