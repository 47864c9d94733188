# Writes OUTPUT, a C file with the text of INPUT.
#   cmake -DINPUT=library.effects -DOUTPUT=effects_library.c -P effects.cmake
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT}
     "#include \"analyzer/effects/private.h\"\n\nconst char effects_library[] = {${bytes}0};\n")
