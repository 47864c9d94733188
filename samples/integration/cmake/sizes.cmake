# sizes.txt as a header.
file(STRINGS ${INPUT} lines)
list(TRANSFORM lines PREPEND "#define ")
list(JOIN lines "\n" text)
file(WRITE ${OUTPUT} "${text}\n")
