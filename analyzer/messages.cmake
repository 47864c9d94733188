# Writes OUTPUT, a C file with the text of every page PAGES/ORRnnnn.md, without its remarks (lines `<!-- ... -->`).
#   cmake -DPAGES=docs/messages -DOUTPUT=diag_pages.c -P messages.cmake
file(GLOB pages ${PAGES}/ORR[0-9][0-9][0-9][0-9].md)
list(SORT pages)
set(texts "")
set(table "")
foreach(page IN LISTS pages)
  get_filename_component(code ${page} NAME_WE)
  file(READ ${page} bytes HEX)
  string(REGEX REPLACE "(..)" "\\1 " bytes "${bytes}")
  string(REGEX REPLACE "3c 21 2d 2d ([^0]. |0[^a] )*0a " "" bytes "${bytes}")
  string(REGEX REPLACE "(..) " "0x\\1," bytes "${bytes}")
  string(APPEND texts "static const unsigned char ${code}[] = {${bytes}0};\n")
  string(APPEND table "    {\"${code}\", ${code}},\n")
endforeach()
file(WRITE ${OUTPUT}
     "#include \"analyzer/diag_pages.h\"\n\n${texts}\nconst struct diag_page diag_pages[] = {\n${table}    {0, 0},\n};\n")
