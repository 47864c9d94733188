# cpack -G DEB, in the build folder: one package with compiler, runtime, headers, manual, plugin.
set(CPACK_PACKAGE_NAME orrery)
set(CPACK_PACKAGE_VENDOR Orrery)
set(CPACK_PACKAGE_CONTACT "Orrery maintainers <maintainers@orrery.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)

# Shared libraries are found by dpkg-shlibdeps. Beyond them: a compiler and what programs link
# with, the headers of libclang, a launcher of the MPI that the transport was built with.
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
get_filename_component(clang_library ${CLANG_C_LIBRARY} REALPATH)
string(REGEX REPLACE ".*libclang-([0-9]+).*" "\\1" clang_major "${clang_library}")
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "libclang-common-${clang_major}-dev, libhwloc-dev, gcc | c-compiler, libc6-dev, openmpi-bin")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, make, pkg-config, bash-completion")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Source-to-source compiler and runtime for serial C programs that train models.
One pragma in front of a loop: orrery-cc finds out what every iteration reads
and writes, and runs the loop on threads or on MPI ranks without breaking the
dependences that make it converge.")

install(FILES LICENSE DESTINATION share/doc/orrery RENAME copyright)
install(FILES README.md DESTINATION share/doc/orrery)
install(DIRECTORY docs DESTINATION share/doc/orrery FILES_MATCHING PATTERN "*.md")
include(CPack)
