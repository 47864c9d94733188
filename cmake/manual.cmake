# cmake -DBIN=... -DSHARE=... -DTREE=... -DVERSION=... -DDATE=... -P manual.cmake: SHARE/man, and completions for
# bash, zsh and fish.
function(make file)
  execute_process(COMMAND ${ARGN} OUTPUT_FILE ${file}.new RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${status}")
  endif()
  file(RENAME ${file}.new ${file})
endfunction()

file(REMOVE_RECURSE ${SHARE}/man ${SHARE}/bash-completion ${SHARE}/zsh ${SHARE}/fish)
file(MAKE_DIRECTORY ${SHARE}/man/man1 ${SHARE}/man/man3 ${SHARE}/man/man5 ${SHARE}/man/man7 ${SHARE}/bash-completion/completions
     ${SHARE}/zsh/site-functions ${SHARE}/zsh/vendor-completions ${SHARE}/fish/vendor_completions.d)
execute_process(COMMAND ${BIN}/orrery --help=bash OUTPUT_VARIABLE commands)
string(REGEX MATCHALL "[^\n]+" commands "${commands}")
foreach(command ${commands})
  make(${SHARE}/man/man1/orrery-${command}.1 ${BIN}/orrery ${command} --help=man)
endforeach()
make(${SHARE}/man/man1/orrery.1 ${BIN}/orrery --help=man)
make(${SHARE}/man/man1/orrery-cc.1 ${BIN}/orrery-cc --help=man)

# Those of the other sections are pages of docs/, whole or below one heading.
function(page name section source what only)
  make(${SHARE}/man/man${section}/${name}.${section} awk -v NAME=${name} -v SECTION=${section} -v WHAT=${what}
       -v VERSION=${VERSION} -v DATE=${DATE} -v ONLY=${only} -f ${TREE}/cmake/man.awk ${TREE}/docs/${source}.md)
endfunction()
page(orrery_load 3 loaders "read and save data" "")
page(orrery_try 3 shared "parallel loops in shared libraries" "")
page(orrery-plan 5 plan "plans of parallel loops as JSON" "The file")
page(orrery-effects 5 effects "what functions do whose text is not there" "")
page(orrery-cluster 5 simulate "a cluster as orrery-simulate(1) sees it" "The cluster")
page(orrery-pragma 7 pragma "marks and clauses of loops" "")
page(orrery-clauses 7 clauses "which clause when" "")
page(orrery-environment 7 environment "variables that a program reads when it runs" "")

set(bash ${SHARE}/bash-completion/completions)
make(${bash}/orrery ${BIN}/orrery completion bash)
file(CREATE_LINK orrery ${bash}/orrery-cc SYMBOLIC)
# Debian's zsh looks into the second folder, others' into the first.
make(${SHARE}/zsh/site-functions/_orrery ${BIN}/orrery completion zsh)
make(${SHARE}/zsh/vendor-completions/_orrery ${BIN}/orrery completion zsh)
set(fish ${SHARE}/fish/vendor_completions.d)
make(${fish}/orrery.fish ${BIN}/orrery completion fish)
file(CREATE_LINK orrery.fish ${fish}/orrery-cc.fish SYMBOLIC)
file(TOUCH ${SHARE}/made)
