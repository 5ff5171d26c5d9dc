"""What MkDocs alone does not do: patterns in the menu, and a build that fails where a page looks other than on GitHub."""

import logging
import re
from pathlib import Path

log = logging.getLogger("mkdocs.hooks.site")  # its warnings fail the build, as mkdocs.yml is strict

FENCED = re.compile(r"^((?: {4})*)```.*?^\1```$", re.M | re.S)
IN_MARKDOWN = {"what is in a list has to be indented by four": r"^ {1,3}(?:```|[-*+] |\d+\. ).*"}
IN_HTML = {
    "no empty line before a list, table or fence": r"<p>(?:(?:(?!</p>)[\s\S])*?\n)?(?:[-*+|] |\d+\. |```).*",
    "a drawing in a block of text, whose lines flow": r'<div class="language-text (?:(?!</div>)[\s\S])*?(?:[─-╿]|--&gt;).*',
}


def on_config(config):
    docs = Path(config.docs_dir)
    named = set(re.findall(r"[\w./-]+\.md", str(config.nav)))

    def expanded(items):
        for item in items:
            if isinstance(item, dict):
                yield {title: list(expanded(part)) if isinstance(part, list) else part for title, part in item.items()}
            elif "*" in item:
                found = {page.relative_to(docs).as_posix() for page in docs.glob(item)} - named
                named.update(found)
                yield from sorted(found)
            else:
                yield item

    config.nav = list(expanded(config.nav))


def on_page_markdown(markdown, page, **_):
    warn(page, FENCED.sub("", markdown), IN_MARKDOWN)


def on_page_content(html, page, **_):
    warn(page, html, IN_HTML)


def warn(page, text, faults):
    for fault, pattern in faults.items():
        for found in re.finditer(pattern, text, re.M):
            line = re.sub("<[^>]*>", "", found[0].splitlines()[-1])
            log.warning("%s: %s: %s", page.file.src_path, fault, line.strip())
