# cpack -G DEB, in the build folder: packages for the compiler (with plugin and manual), what programs
# are built with, what they run with, the samples with their data, and the pages. deb.cmake puts the
# files into the form that Debian wants.
set(CPACK_PACKAGE_NAME orrery)
set(CPACK_PACKAGE_VENDOR Orrery)
set(CPACK_PACKAGE_CONTACT "Orrery maintainers <maintainers@orrery.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL compiler dev runtime samples doc)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/deb.cmake)
set(CPACK_POST_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/deb.cmake)

# Shared libraries are found by dpkg-shlibdeps. Beyond them: a compiler and what programs link
# with, the headers of libclang, a launcher of the MPI that the transport was built with.
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
get_filename_component(clang_library ${CLANG_C_LIBRARY} REALPATH)
string(REGEX REPLACE ".*libclang-([0-9]+).*" "\\1" clang_major "${clang_library}")
set(same "(= ${PROJECT_VERSION})")

# package COMPONENT NAME DEPENDS SUMMARY DESCRIPTION: one package of its own.
function(package component name depends summary description)
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
  set(CPACK_COMPONENT_${key}_DESCRIPTION "${summary}\n${description}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_SHLIBDEPS ON PARENT_SCOPE)
endfunction()

package(compiler orrery
  "orrery-dev ${same}, libclang-common-${clang_major}-dev, gcc | c-compiler, openmpi-bin"
  "compiler that runs serial training loops in parallel"
"One pragma in front of a loop: orrery-cc finds out what every iteration of a
serial C program reads and writes, and runs the loop on threads or on MPI ranks
without breaking the dependences that make it converge.")
package(dev orrery-dev "orrery-runtime ${same}, libc6-dev"
  "headers and libraries that orrery builds programs with"
"The run library as a static one, the headers of loaders and generated text, and
what CMake, make and pkg-config need to build programs by orrery-cc.")
package(runtime orrery-runtime ""
  "what programs built by orrery run with"
"The run library as a shared one, the transport between MPI ranks, the reader of
HDF5 files, and the recorder of a program's accesses.")
package(samples orrery-samples ""
  "serial training programs for orrery, with data"
"Matrix and tensor factorization, topic models, embeddings, regressions, trees
and other training programs in C, and the data that they are tried on.")
package(doc orrery-doc "" "pages about orrery"
"The tutorial, the pragma and its clauses, the commands, what a run promises,
and how the compiler and the run library work.")
set(CPACK_DEBIAN_COMPILER_PACKAGE_SUGGESTS "cmake, make, pkg-config, bash-completion, orrery-samples, orrery-doc")
set(CPACK_DEBIAN_SAMPLES_PACKAGE_SUGGESTS orrery)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
foreach(component SAMPLES DOC)
  set(CPACK_DEBIAN_${component}_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_${component}_PACKAGE_SHLIBDEPS OFF)
endforeach()

install(FILES README.md DESTINATION share/doc/orrery COMPONENT doc)
install(DIRECTORY docs DESTINATION share/doc/orrery COMPONENT doc FILES_MATCHING PATTERN "*.md" PATTERN "*.json"
        PATTERN convergence EXCLUDE PATTERN pictures EXCLUDE)
include(CPack)

# What `cmake --install` has put somewhere goes again: cmake --build build --target uninstall.
add_custom_target(uninstall VERBATIM
  COMMAND ${CMAKE_COMMAND} -DMANIFEST=${CMAKE_BINARY_DIR}/install_manifest.txt
          -P ${CMAKE_SOURCE_DIR}/cmake/uninstall.cmake)
