# cmake -DBIN=... -DSHARE=... -P manual.cmake: SHARE/man/man1/*.1, and completions for bash and zsh.
function(make file)
  execute_process(COMMAND ${ARGN} OUTPUT_FILE ${file}.new RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${status}")
  endif()
  file(RENAME ${file}.new ${file})
endfunction()

file(REMOVE_RECURSE ${SHARE}/man ${SHARE}/bash-completion ${SHARE}/zsh)
file(MAKE_DIRECTORY ${SHARE}/man/man1 ${SHARE}/bash-completion/completions
     ${SHARE}/zsh/site-functions ${SHARE}/zsh/vendor-completions)
execute_process(COMMAND ${BIN}/orrery --help=bash OUTPUT_VARIABLE commands)
string(REGEX MATCHALL "[^\n]+" commands "${commands}")
foreach(command ${commands})
  make(${SHARE}/man/man1/orrery-${command}.1 ${BIN}/orrery ${command} --help=man)
endforeach()
make(${SHARE}/man/man1/orrery.1 ${BIN}/orrery --help=man)
make(${SHARE}/man/man1/orrery-cc.1 ${BIN}/orrery-cc --help=man)

set(bash ${SHARE}/bash-completion/completions)
make(${bash}/orrery ${BIN}/orrery completion bash)
file(CREATE_LINK orrery ${bash}/orrery-cc SYMBOLIC)
# Debian's zsh looks into the second folder, others' into the first.
make(${SHARE}/zsh/site-functions/_orrery ${BIN}/orrery completion zsh)
make(${SHARE}/zsh/vendor-completions/_orrery ${BIN}/orrery completion zsh)
file(TOUCH ${SHARE}/made)
