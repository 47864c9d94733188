#!/usr/bin/env python3
"""Every link of the pages leads to a file of the tree, and behind `#` to one of its headings. From README.md two links
lead to every page, but for those of messages, which have their list.

usage: links.py TREE                 the pages in Markdown
       links.py --site FOLDER        the pages that scripts/site made
"""
import functools
import os
import re
import sys


def without_code(text):
    """Fenced blocks and code spans hold no links."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(text):
    """Headings as GitHub names them."""
    names = set()
    for heading in re.findall(r"^#+ (.*)$", text, flags=re.M):
        words = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        names.add(words)
    return names


def pages(tree):
    for folder, folders, files in os.walk(tree):
        folders[:] = [f for f in folders if not f.startswith((".", "build"))]
        for name in sorted(files):
            if name.endswith(".md"):
                yield os.path.normpath(os.path.join(folder, name))


def markdown(tree):
    """(page, link) of all pages."""
    for page in pages(tree):
        with open(page, encoding="utf-8") as file:
            for link in re.findall(r"\]\(([^)\s]+)\)", without_code(file.read())):
                yield page, link


def site(folder):
    """(page, link) of all pages."""
    for where, _, files in os.walk(folder):
        for name in sorted(files):
            if name.endswith(".html"):
                page = os.path.join(where, name)
                with open(page, encoding="utf-8") as file:
                    for link in re.findall(r'(?:href|src)="([^"]*)"', file.read()):
                        yield page, link


@functools.lru_cache(maxsize=None)
def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


@functools.lru_cache(maxsize=None)
def leads(target, anchor):
    """Is the page there, and the anchor in it? The same of all pages that link to it."""
    return os.path.exists(target) and (not anchor or holds(target, anchor))


def holds(target, anchor):
    """Is the anchor in the page?"""
    if not os.path.isfile(target):
        return False
    text = text_of(target)
    return f'id="{anchor}"' in text if target.endswith(".html") else anchor in anchors(text)


def not_in_two(tree, pairs):
    """The pages that no two links lead to."""
    links = {}
    for page, link in pairs:
        target = os.path.normpath(os.path.join(os.path.dirname(page), link.partition("#")[0]))
        links.setdefault(page, set()).add(os.path.join(target, "README.md") if os.path.isdir(target) else target)
    near = {os.path.normpath(os.path.join(tree, "README.md"))}
    for _ in range(2):
        near |= {target for page in near for target in links.get(page, ())}
    others = re.compile(r"tests/|docs/messages/")
    return [page for page in pages(tree) if page not in near and not others.match(os.path.relpath(page, tree))]


def main():
    pairs = list(site(sys.argv[2]) if sys.argv[1] == "--site" else markdown(sys.argv[1]))
    wrong = 0
    for page, link in pairs:
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        path = path.partition("?")[0]
        target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if not leads(target, anchor):
            print(f"{page}: {link} leads nowhere")
            wrong += 1
    far = not_in_two(sys.argv[1], pairs) if sys.argv[1] != "--site" else []
    for page in far:
        print(f"{page}: more than two links away from README.md")
    print(f"{len(pairs)} links, {wrong} of them lead nowhere")
    return 1 if wrong or far or not pairs else 0


sys.exit(main())
