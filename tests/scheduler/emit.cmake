# Emitted text: compiled by two compilers in several dialects, run against the plain program.
file(GLOB programs CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/emit/*.c)
foreach(program ${programs})
  get_filename_component(name ${program} NAME_WE)
  add_test(NAME emit.${name}
           COMMAND ${CMAKE_CURRENT_LIST_DIR}/emit_program.sh $<TARGET_FILE:orrery>
                   $<TARGET_FILE:orrery-runtime> ${program})
  set_tests_properties(emit.${name} PROPERTIES TIMEOUT 120)
endforeach()
