# Writes OUTPUT, a C file with the text of each of FILES (page.css becomes page_css).
#   cmake -DFILES=a.css;b.js -DOUTPUT=texts.c -P texts.cmake
set(texts "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  string(MAKE_C_IDENTIFIER ${name} name)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND texts "extern const char ${name}[];\nconst char ${name}[] = {${bytes}0};\n")
endforeach()
file(WRITE ${OUTPUT} "${texts}")
