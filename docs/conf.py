"""How Sphinx makes the site of the pages: scripts/site copies them and calls it."""
import re

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


def tree_once(app, _page, _template, context, _doctree):
    """Furo asks for the tree of its sidebar anew for each page, which takes most of the time: all get the root's."""
    local = getattr(app.builder, "_get_local_toctree", None)

    def shared(**options):
        if not hasattr(app, "tree_of_root"):
            app.tree_of_root = local(app.config.root_doc, **options)
        return app.tree_of_root

    if local and "toctree" in context:
        context["toctree"] = shared


def tree_of_page(app, page, _template, context, _doctree):
    """Of the root's tree that of a page: links from there, and its branch as Furo marks it."""
    if not hasattr(app, "tree_of_root"):
        return
    lines, branch, own = context["furo_navigation_tree"].split("\n"), [], None
    for at, line in enumerate(lines):
        link = re.search(r'(?<=<a class="reference internal" href=")([^"]*)\.html', line)
        if link and link[1] == page:
            own = at, list(branch)
            lines[at] = line.replace(f'"reference internal" href="{link[0]}"', '"current reference internal" href="#"')
        elif link:
            lines[at] = line.replace(f'href="{link[0]}"', f'href="{app.builder.get_relative_uri(page, link[1])}"')
        if "<ul>" in line:
            branch.append(at)
        elif line == "</ul>":
            branch.pop()
    for at in (own[0], *own[1]) if own else ():
        lines[at] = re.sub(r'(<li class="toctree-l\d)', r"\1 current", lines[at]).replace("<input ", '<input checked="" ')
        if at != own[0]:
            lines[at] = lines[at].replace("<ul>", '<ul class="current">')
        else:
            lines[at] = re.sub(r'(<li class="[^"]*)', r"\1 current-page", lines[at])
    context["furo_navigation_tree"] = "\n".join(lines)


def setup(app):
    app.connect("html-page-context", tree_once, priority=100)
    app.connect("html-page-context", tree_of_page, priority=900)
