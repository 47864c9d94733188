# The layout that everything finds relative to itself: PREFIX/bin, PREFIX/lib/orrery, and beside
# them what other build systems look for. The build tree has the same (build/bin, build/lib), so
# nothing behaves differently once installed, and an installed tree may be moved.
set(ORRERY_HOUSE ${CMAKE_BINARY_DIR}/lib/orrery)
file(MAKE_DIRECTORY ${ORRERY_HOUSE})

# One file, into a folder below PREFIX and below build/; of which package (OrreryPackage.cmake).
function(orrery_place file folder package)
  get_filename_component(name ${file} NAME)
  configure_file(${file} ${CMAKE_BINARY_DIR}/${folder}/${name} COPYONLY)
  install(FILES ${file} DESTINATION ${folder} COMPONENT ${package})
endfunction()

# Headers that emitted and user text include, and the link-time redirections.
orrery_place(${CMAKE_SOURCE_DIR}/include/orrery.h lib/orrery/include dev)
orrery_place(${CMAKE_SOURCE_DIR}/include/orrery.h include dev)
orrery_place(${CMAKE_SOURCE_DIR}/include/orrery_reductions.def lib/orrery/include dev)
foreach(header run body lanes device device_rows device_grid device_copies)
  orrery_place(${CMAKE_SOURCE_DIR}/runtime/orrery_${header}.h lib/orrery/include dev)
endforeach()
orrery_place(${CMAKE_SOURCE_DIR}/dsm/interception/wrap.txt lib/orrery compiler)
orrery_place(${CMAKE_SOURCE_DIR}/dsm/interception/own_memory.txt lib/orrery compiler)
orrery_place(${CMAKE_SOURCE_DIR}/runtime/accesses/accesses_wrap.txt lib/orrery compiler)
orrery_place(${CMAKE_SOURCE_DIR}/runtime/accesses/accesses_list.txt lib/orrery compiler)

# A static library as programs see it: one object, of whose names only those of a list are left. What
# others need of them begins with orrery_ (renames.txt).
function(orrery_place_library target exports)
  set(library ${ORRERY_HOUSE}/lib${target}.a)
  set(object ${CMAKE_BINARY_DIR}/${target}-house.o)
  add_custom_command(OUTPUT ${library} VERBATIM
    COMMAND ${CMAKE_COMMAND} -E rm -f ${library}
    COMMAND ${CMAKE_LINKER} -r --whole-archive $<TARGET_FILE:${target}> -o ${object}
    COMMAND ${CMAKE_OBJCOPY} --redefine-syms=${CMAKE_SOURCE_DIR}/runtime/renames.txt ${object}
    COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbols=${CMAKE_SOURCE_DIR}/${exports} ${object}
    COMMAND ${CMAKE_AR} rcs ${library} ${object}
    DEPENDS ${target} ${exports} runtime/renames.txt)
  add_custom_target(${target}-house ALL DEPENDS ${library})
  if(TARGET orrery-cc)
    add_dependencies(orrery-cc ${target}-house)
  endif()
  install(FILES ${library} DESTINATION lib/orrery COMPONENT dev)
endfunction()
if(TARGET orrery)
  orrery_place_library(orrery runtime/exports.txt)
endif()
orrery_place_library(orrery-load runtime/load/exports.txt)
if(TARGET orrery-cuda)
  orrery_place_library(orrery-cuda runtime/device/cuda/exports.txt)
endif()

# The same as a shared library, for shared libraries with parallel loops. Its soname has the number
# by which tables of loops and the runtime know that they fit.
if(TARGET orrery)
  file(STRINGS runtime/orrery_run.h abi REGEX "define ORRERY_RUN_ABI")
  string(REGEX REPLACE ".*[(]([0-9]+) .*" "\\1" abi "${abi}")
  # What checkpoints note before the program's memory is anybody's (.preinit_array) is a program's only.
  set(object ${CMAKE_BINARY_DIR}/orrery-shared.o)
  add_custom_command(OUTPUT ${object} VERBATIM
    COMMAND ${CMAKE_OBJCOPY} --rename-section .preinit_array=orrery_program_only ${CMAKE_BINARY_DIR}/orrery-house.o ${object}
    DEPENDS ${ORRERY_HOUSE}/liborrery.a)
  add_library(orrery-shared SHARED runtime/start/shared.c ${object})
  set_target_properties(orrery-shared PROPERTIES OUTPUT_NAME orrery SOVERSION ${abi}
    VERSION ${abi}.${PROJECT_VERSION} LIBRARY_OUTPUT_DIRECTORY ${ORRERY_HOUSE}
    LINK_DEPENDS ${CMAKE_SOURCE_DIR}/runtime/shared_exports.txt)
  target_link_options(orrery-shared PRIVATE -Wl,--wrap=main -Wl,-z,nodelete
    -Wl,--version-script=${CMAKE_SOURCE_DIR}/runtime/shared_exports.txt)
  if(NOT ORRERY_SANITIZE)
    target_link_options(orrery-shared PRIVATE -Wl,-z,defs)
  endif()
  target_link_libraries(orrery-shared PRIVATE Threads::Threads m ${CMAKE_DL_LIBS})
  if(TARGET orrery-cc)
    add_dependencies(orrery-cc orrery-shared)
  endif()
  install(TARGETS orrery-shared LIBRARY DESTINATION lib/orrery COMPONENT runtime)
endif()

# The run-time modules, beside what orrery-cc looks for.
foreach(pair orrery-accesses-static/liborrery-accesses.a
             orrery-accesses-shared/liborrery-accesses.so orrery-mpi/liborrery-mpi.so
             orrery-mpich/liborrery-mpich.so orrery-hdf5/liborrery-hdf5.so)
  get_filename_component(target ${pair} DIRECTORY)
  get_filename_component(name ${pair} NAME)
  if(TARGET ${target})
    file(CREATE_LINK ../${name} ${ORRERY_HOUSE}/${name} SYMBOLIC)
    string(REGEX REPLACE "^.*[.]a$" dev package ${name})
    string(REGEX REPLACE "^.*-mpich[.]so$" mpich package ${package})
    string(REGEX REPLACE "^.*[.]so$" runtime package ${package})
    install(FILES $<TARGET_FILE:${target}> DESTINATION lib/orrery COMPONENT ${package})
  endif()
endforeach()

# The loaders, for serial programs too: cc ... -lorrery-load
install(FILES ${ORRERY_HOUSE}/liborrery-load.a DESTINATION lib COMPONENT dev)

# Where programs with kernels find CUDA's libraries.
if(TARGET orrery-cuda)
  file(WRITE ${ORRERY_HOUSE}/cuda.txt "${CUDAToolkit_LIBRARY_DIR}\n")
  install(FILES ${ORRERY_HOUSE}/cuda.txt DESTINATION lib/orrery)
endif()

# The pages of the message codes, which SARIF logs point to.
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/docs/messages ${ORRERY_HOUSE}/messages SYMBOLIC)
install(DIRECTORY docs/messages DESTINATION lib/orrery)

# The build-system plugin.
include(CMakePackageConfigHelpers)
foreach(file Config Runtime Target Test Everywhere)
  orrery_place(${CMAKE_SOURCE_DIR}/cmake/Orrery${file}.cmake lib/cmake/Orrery dev)
endforeach()
write_basic_package_version_file(${CMAKE_BINARY_DIR}/lib/cmake/Orrery/OrreryConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/lib/cmake/Orrery/OrreryConfigVersion.cmake DESTINATION lib/cmake/Orrery
        COMPONENT dev)
orrery_place(${CMAKE_SOURCE_DIR}/cmake/orrery.mk include dev)

list(JOIN ORRERY_WRAP_OPTIONS " " ORRERY_WRAP_WORDS)
string(APPEND ORRERY_WRAP_WORDS " -Wl,--wrap=main")
configure_file(${CMAKE_SOURCE_DIR}/cmake/orrery.pc.in ${CMAKE_BINARY_DIR}/lib/pkgconfig/orrery.pc @ONLY)
configure_file(${CMAKE_SOURCE_DIR}/cmake/orrery-shared.pc.in ${CMAKE_BINARY_DIR}/lib/pkgconfig/orrery-shared.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/lib/pkgconfig/orrery.pc ${CMAKE_BINARY_DIR}/lib/pkgconfig/orrery-shared.pc
        DESTINATION lib/pkgconfig COMPONENT dev)

# Manual pages and completions, from the commands' own tables and pages of docs/.
set(manual_pages loaders shared plan effects simulate pragma clauses environment)
if(TARGET orrery-cc)
  list(TRANSFORM manual_pages REPLACE "(.+)" "${CMAKE_SOURCE_DIR}/docs/\\1.md")
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/share/made
    COMMAND ${CMAKE_COMMAND} -DBIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY} -DSHARE=${CMAKE_BINARY_DIR}/share
            -DTREE=${CMAKE_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} -DDATE=${ORRERY_DATE}
            -P ${CMAKE_SOURCE_DIR}/cmake/manual.cmake
    DEPENDS orrery-command orrery-cc ${CMAKE_SOURCE_DIR}/cmake/manual.cmake ${CMAKE_SOURCE_DIR}/cmake/man.awk ${manual_pages}
    COMMENT "Manual pages and completions" VERBATIM)
  add_custom_target(manual ALL DEPENDS ${CMAKE_BINARY_DIR}/share/made)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/share/man ${CMAKE_BINARY_DIR}/share/bash-completion
          ${CMAKE_BINARY_DIR}/share/zsh ${CMAKE_BINARY_DIR}/share/fish DESTINATION share)
endif()

# The Python package, which finds the commands from its own place: build/python, PREFIX/share/orrery/python.
file(GLOB_RECURSE python CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/bindings/python bindings/python/*)
list(FILTER python EXCLUDE REGEX "__pycache__|\\.pyc$|^(dist|build)/|egg-info")
foreach(file ${python})
  configure_file(bindings/python/${file} python/${file} COPYONLY)
  get_filename_component(folder ${file} DIRECTORY)
  install(FILES bindings/python/${file} DESTINATION share/orrery/python/${folder})
endforeach()

# The samples with their data, which the tutorial uses.
install(DIRECTORY samples DESTINATION share/orrery USE_SOURCE_PERMISSIONS COMPONENT samples)

# What the JSON of the commands looks like (docs/cli.md).
install(DIRECTORY docs/schemas DESTINATION share/orrery)
