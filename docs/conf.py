"""How Sphinx makes the site of the pages: scripts/site copies them and calls it."""
project = "Orrery"
extensions = ["myst_parser"]
root_doc = "README"
html_theme = "furo"
html_title = "Orrery"
html_copy_source = False
# Colours of code that can be told from their ground: contrast of at least 4.5.
pygments_style = "xcode"
pygments_dark_style = "github-dark"
html_use_index = False
# The search works on pages that are read from a disk, too, where a browser reads no other file.
html_show_search_summary = False
html_show_copyright = False
# Headings have the names that GitHub gives them.
myst_heading_anchors = 6
# Text in C may leave out what it does not show.
suppress_warnings = ["misc.highlighting_failure"]
