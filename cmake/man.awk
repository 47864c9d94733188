# A page of docs/ (Markdown as far as we write it) as a manual page: headings, paragraphs, lists, tables, code.
# awk -v NAME=orrery-pragma -v SECTION=7 -v WHAT="..." -v VERSION=0.1.0 -v DATE=2026-11-28 [-v ONLY="A heading"] -f man.awk PAGE
# ONLY: what stands below that heading. Remarks, pictures and the targets of links go; lines are cut at 78 characters.
function escaped(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    return text
}
# What may stand at the beginning of a line and is no request.
function safe(line) {
    return line ~ /^[.']/ ? "\\&" line : line
}
# Code in bold, emphasis in italics, links without their targets.
function inline(text,   out, at, part) {
    while (match(text, /!?\[[^]]*\]\([^)]*\)/)) {
        part = substr(text, RSTART, RLENGTH)
        sub(/\]\([^)]*\)$/, "", part)
        sub(/^!?\[/, "", part)
        text = substr(text, 1, RSTART - 1) part substr(text, RSTART + RLENGTH)
    }
    gsub(/\*\*/, "", text)
    out = ""
    while (match(text, /`[^`]*`|\*[^* ][^*]*\*/)) {
        part = substr(text, RSTART + 1, RLENGTH - 2)
        at = substr(text, RSTART, 1) == "`" ? "\\fB" : "\\fI"
        out = out escaped(substr(text, 1, RSTART - 1)) at escaped(part) "\\fR"
        text = substr(text, RSTART + RLENGTH)
    }
    return out escaped(text)
}
function flush_text(   words, count, i, line) {
    count = split(text_of, words, / +/)
    line = ""
    for (i = 1; i <= count; ++i) {
        if (line != "" && length(line) + length(words[i]) > 76) {
            print safe(line)
            line = ""
        }
        line = line == "" ? words[i] : line " " words[i]
    }
    if (line != "") print safe(line)
    text_of = ""
}
function add(line) {
    gsub(/^ +| +$/, "", line)
    text_of = text_of == "" ? inline(line) : text_of " " inline(line)
}
function heading(text) {
    text = toupper(text)
    print ".SH \"" escaped(text) "\""
    started = 0
}
# A row: its first cell is what the others speak of. The head of a table and its rule are not shown.
function row(line,   cells, count, i) {
    gsub(/^\| *| *\|$/, "", line)
    gsub(/\\\|/, "\001", line)
    count = split(line, cells, / *\| */)
    for (i = 1; i <= count; ++i) gsub(/\001/, "|", cells[i])
    print ".TP"
    print safe(inline(cells[1] == "" ? "\\&" : cells[1]))
    for (i = 2; i <= count; ++i)
        if (cells[i] != "") text_of = text_of (text_of == "" ? "" : "; ") inline(cells[i])
    flush_text()
    started = 1
}
BEGIN {
    printf ".TH \"%s\" %s \"%s\" \"Orrery %s\" \"Orrery\"\n.SH NAME\n%s \\- %s\n", toupper(NAME), SECTION, DATE, VERSION, escaped(NAME), WHAT
    shown = ONLY == ""
}
/^<!--/ { next }
/^```/ {
    flush_text()
    if (shown) print code ? ".fi\n.RE" : (started ? ".PP\n" : "") ".RS 4\n.nf"
    code = !code
    started = 1
    next
}
code { if (shown) { line = escaped($0); print safe(line) } next }
/^#/ {
    flush_text()
    title = $0
    sub(/^#+ */, "", title)
    if (ONLY != "") {
        if ($0 ~ /^## /) shown = index(title, ONLY) == 1
        if (shown) heading($0 ~ /^## / ? "description" : title)
    } else if ($0 ~ /^# /) heading("description")
    else heading(title)
    next
}
!shown { next }
/^\|/ {
    flush_text()
    if (!table) { table = 1; next }
    if ($0 ~ /^\|[-| :]*$/) next
    row($0)
    next
}
{ table = 0 }
/^[*] |^[0-9]+\. / {
    flush_text()
    mark = $1 == "*" ? "\\(bu" : $1
    print ".IP " mark " 3"
    sub(/^[^ ]+ /, "")
    add($0)
    started = 1
    next
}
/^ *$/ { flush_text(); blank = 1; next }
{
    if (blank && started && text_of == "" && $0 !~ /^  /) print ".PP"
    blank = 0
    started = 1
    add($0)
}
END {
    flush_text()
    print ".SH \"SEE ALSO\"\n.BR orrery (1)"
}
