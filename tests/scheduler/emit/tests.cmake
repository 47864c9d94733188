# Emitted text: compiled by two compilers in several dialects, run against the plain program; and
# loops that cannot be moved into a function.
if(TARGET orrery-cc)
  file(GLOB programs CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/programs/emit/*.c)
  foreach(program IN LISTS programs)
    get_filename_component(what ${program} NAME_WE)
    add_test(NAME emit.${what}
             COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/program.sh ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
                     ${CMAKE_SOURCE_DIR}/runtime ${program})
    set_tests_properties(emit.${what} PROPERTIES TIMEOUT 600)
  endforeach()
  add_test(NAME emit.refused
           COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/refused.sh ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  add_test(NAME emit.constants
           COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/constants.sh ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  add_test(NAME emit.copies
           COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/copies.sh ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  add_test(NAME emit.scratch
           COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/scratch.sh ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  add_test(NAME emit.short
           COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/short.sh ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  add_test(NAME emit.text
           COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/text.sh ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
                   ${CMAKE_SOURCE_DIR}/runtime)
  add_test(NAME emit.unroll
           COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/unroll.sh ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
                   ${CMAKE_SOURCE_DIR}/runtime)
  add_test(NAME emit.sized
           COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/sized.sh ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
                   ${CMAKE_SOURCE_DIR}/runtime)
  add_test(NAME emit.lanes
           COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/lanes.sh ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
                   ${CMAKE_SOURCE_DIR}/runtime)
  foreach(form openmp pthreads)
    add_test(NAME emit.openmp_${form}
             COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/standalone.sh ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} ${form}
                     ${CMAKE_SOURCE_DIR}/tests/programs/standalone/classes.c)
    add_test(NAME emit.openmp_floats_${form}
             COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/standalone.sh ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} ${form}
                     ${CMAKE_SOURCE_DIR}/tests/programs/standalone/floats.c)
  endforeach()
  add_test(NAME emit.openmp_rows
           COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/standalone.sh ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} pthreads
                   ${CMAKE_SOURCE_DIR}/tests/programs/standalone/rows.c)
  add_test(NAME emit.openmp_corpus
           COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/standalone_corpus.sh ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
                   ${CMAKE_SOURCE_DIR}/tests/programs/emit)
  add_test(NAME emit.openmp_refused
           COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/standalone_refused.sh ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  add_test(NAME emit.openmp_freed
           COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/standalone_freed.sh ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
                   ${CMAKE_SOURCE_DIR}/tests/programs/standalone/freed.c)
  set_tests_properties(emit.openmp_freed PROPERTIES TIMEOUT 600)
  add_test(NAME emit.openmp_instructions
           COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/standalone_instructions.sh ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
                   ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  set_tests_properties(emit.openmp_instructions PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77)
  set_tests_properties(emit.openmp_openmp emit.openmp_pthreads emit.openmp_rows emit.openmp_corpus emit.openmp_refused
                       PROPERTIES TIMEOUT 600)
  set_tests_properties(emit.lanes emit.refused emit.sized emit.text emit.unroll PROPERTIES TIMEOUT 600)
endif()
