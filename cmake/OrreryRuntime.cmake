# Orrery::runtime: the static run library in programs, the shared one in shared libraries.
if(TARGET Orrery::runtime)
  return()
endif()

file(STRINGS "${ORRERY_HOUSE}/wrap.txt" wrapped REGEX "^[A-Za-z_]")
list(APPEND wrapped main)
list(REMOVE_DUPLICATES wrapped)
list(TRANSFORM wrapped PREPEND "LINKER:--wrap=")
set(program "$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>")
set(library "$<OR:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>,$<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>>")

add_library(Orrery::runtime INTERFACE IMPORTED)
set_target_properties(Orrery::runtime PROPERTIES
  INTERFACE_INCLUDE_DIRECTORIES "${ORRERY_HOUSE}/include"
  INTERFACE_LINK_OPTIONS "$<${program}:-no-pie>;$<$<OR:${program},${library}>:LINKER:-rpath,${ORRERY_HOUSE}>;$<${library}:LINKER:-Bsymbolic-functions,-z,nodelete>"
  INTERFACE_LINK_LIBRARIES
    "$<${program}:${ORRERY_HOUSE}/liborrery.a>;$<${program}:${ORRERY_HOUSE}/liborrery-load.a>;$<${program}:pthread>;$<${program}:dl>;$<${program}:m>;$<${library}:${ORRERY_HOUSE}/liborrery.so>")
foreach(option ${wrapped})
  set_property(TARGET Orrery::runtime APPEND PROPERTY INTERFACE_LINK_OPTIONS "$<${program}:${option}>")
endforeach()
unset(wrapped)
unset(program)
unset(library)
