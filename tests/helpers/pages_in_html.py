"The elements of a page that a figure makes."
import re
from base64 import b64decode
from html.parser import HTMLParser

def drawing(page):
    "The picture of the last moment."
    return b64decode(re.search(r'src="data:image/svg\+xml;base64,([^"]*)"', page)[1]).decode()

class Elements(HTMLParser):
    "The elements of a page, their attributes, and how deep the last one is."
    def __init__(self, page):
        super().__init__()
        self.found, self.deep = [], 0
        self.feed(page)
        self.close()
    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))
        self.deep += 1
    def handle_endtag(self, tag): self.deep -= 1
    def handle_startendtag(self, tag, attributes): self.found.append((tag, dict(attributes)))

NAMES = ["</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "<!--<script>",
         "'`${x}\\", "{{data}}", "a\u2028b", "$x$"]
