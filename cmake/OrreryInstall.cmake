# The layout that orrery-cc finds relative to itself: PREFIX/bin and PREFIX/lib/orrery. The build
# tree has the same (build/bin, build/lib/orrery), so nothing behaves differently once installed.
include(GNUInstallDirs)
set(ORRERY_HOUSE ${CMAKE_BINARY_DIR}/lib/orrery)

# Headers that emitted and user text include, and the link-time redirections.
foreach(file include/orrery.h runtime/orrery_run.h dsm/wrap.txt)
  if(EXISTS ${CMAKE_SOURCE_DIR}/${file})
    get_filename_component(name ${file} NAME)
    set(folder "")
    if(name MATCHES "\\.h$")
      set(folder include)
    endif()
    configure_file(${CMAKE_SOURCE_DIR}/${file} ${ORRERY_HOUSE}/${folder}/${name} COPYONLY)
    install(FILES ${CMAKE_SOURCE_DIR}/${file} DESTINATION lib/orrery/${folder})
  endif()
endforeach()

# The run-time libraries, beside what orrery-cc looks for.
file(MAKE_DIRECTORY ${ORRERY_HOUSE})
foreach(pair orrery/liborrery.a orrery-mpi/liborrery-mpi.so)
  get_filename_component(target ${pair} DIRECTORY)
  get_filename_component(name ${pair} NAME)
  if(TARGET ${target})
    file(CREATE_LINK ../${name} ${ORRERY_HOUSE}/${name} SYMBOLIC)
    install(FILES $<TARGET_FILE:${target}> DESTINATION lib/orrery)
  endif()
endforeach()

# The pages of the message codes, which SARIF logs point to.
if(EXISTS ${CMAKE_SOURCE_DIR}/docs/messages)
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/docs/messages ${ORRERY_HOUSE}/messages SYMBOLIC)
  install(DIRECTORY docs/messages DESTINATION lib/orrery)
endif()
