# A strategy that the product does not have, by one file and one row: the table is compiled once more
# with the row at its end, before the library's own.
set(table scheduler/base/strategies.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${table})
file(READ ${CMAKE_SOURCE_DIR}/${table} rows)
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/open/${table} @ONLY
  CONTENT "@rows@STRATEGY(CYCLIC, cyclic, \"cyclic\", ORRERY_INDEPENDENT, DIMS)\n")
add_executable(test_open ${CMAKE_CURRENT_LIST_DIR}/test_open.c ${CMAKE_CURRENT_LIST_DIR}/cyclic.c
  ${CMAKE_SOURCE_DIR}/scheduler/base/kind.c ${CMAKE_SOURCE_DIR}/scheduler/strategy/strategies.c
  ${CMAKE_SOURCE_DIR}/scheduler/choose/choose.c ${CMAKE_SOURCE_DIR}/scheduler/choose/file_read.c)
target_include_directories(test_open BEFORE PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/open)
target_link_libraries(test_open PRIVATE orrery-compiler ${CMOCKA_LIBRARY})
add_test(NAME scheduler.strategy_open COMMAND test_open)
set_tests_properties(scheduler.strategy_open PROPERTIES TIMEOUT 600)
