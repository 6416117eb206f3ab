/** Reduces a shop's HTML to text and formatting, as the sanitiser of a browser (`setHTML`) does. */

/** Elements that affect only the appearance and the arrangement of text. */
const ALLOWED = new Set(
  "a abbr b bdi bdo blockquote br cite code dd del dfn div dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q s samp small span strong sub sup time u ul var wbr".split(
    " ",
  ),
);
const EMPTY = new Set(["br", "hr", "wbr"]);
const ENDS_PARAGRAPH = new Set("blockquote div dl h1 h2 h3 h4 h5 h6 hr ol p pre ul".split(" "));
// Elements without an end tag, and elements whose content is not HTML.
const UNCLOSED = new Set("area base col embed img input link meta param source track".split(" "));
const RAW = new Set("iframe noembed noframes noscript plaintext script style textarea title xmp".split(" "));

const TOKEN = /<!--[\s\S]*?-->|<(?:[!?]|\/[^a-z])[^>]*>|<(\/?)([a-z][a-z\d-]*)((?:[^"'>]|"[^"]*"|'[^']*')*)>|[^<]+|</gi;
const REFERENCE = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi;
const HREF = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;

/**
 * Appends the text and formatting of HTML. Whatever the HTML contains, only escaped text, allowed elements without
 * attributes, and links to pages and e-mail addresses are written.
 *
 * @template {{ append: (...nodes: unknown[]) => void, setAttribute: (name: string, value: string) => void, localName: string }} Node
 * @param {Node} root
 * @param {string} html
 * @param {{ elementOf: (name: string) => Node, textOf: (text: string, written: string) => unknown }} make
 */
export function appendFormatted(root, html, { elementOf, textOf }) {
  const open = [root];
  /** The element whose content is being left out, and the number of open elements with its name. */
  let skipped = { name: "", depth: 0 };
  for (const [token, slash, tag, attributes] of html.matchAll(TOKEN)) {
    const name = tag?.toLowerCase();
    if (skipped.depth) {
      if (name === skipped.name) skipped.depth += slash ? -1 : Number(!RAW.has(name));
    } else if (!name) {
      if (!/^<[!?/]/.test(token)) open[open.length - 1].append(textOf(...written(token)));
    } else if (slash) close(open, name);
    else if (!ALLOWED.has(name)) {
      if (!UNCLOSED.has(name)) skipped = { name, depth: 1 };
    } else {
      if (ENDS_PARAGRAPH.has(name)) close(open, "p");
      if (name === "a" || open.at(-1)?.localName === name) close(open, name);
      const node = elementOf(name);
      const address = name === "a" ? linkOf(attributes) : "";
      if (address) node.setAttribute("href", address);
      open[open.length - 1].append(node);
      if (!EMPTY.has(name)) open.push(node);
    }
  }
}

/**
 * Closes the innermost element with this name, and the elements in it.
 *
 * @param {{ localName: string }[]} open
 * @param {string} name
 */
function close(open, name) {
  const place = open.findLastIndex(({ localName }, index) => index > 0 && localName === name);
  if (place > 0) open.length = place;
}

/**
 * A text, and its form in HTML: character references are unchanged.
 *
 * @param {string} token
 * @returns {[text: string, written: string]}
 */
function written(token) {
  const escaped = (/** @type {string} */ text) =>
    text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const references = token.match(REFERENCE) ?? [];
  const texts = token.split(REFERENCE).map(escaped);
  const whole = texts.map((text, place) => text + (references[place] ?? "")).join("");
  return [token.replace(REFERENCE, (reference) => (reference === "&nbsp;" ? "\xa0" : "?")), whole];
}

/**
 * The address of a link to a page or an e-mail address; "" for any other link.
 *
 * @param {string} attributes
 */
function linkOf(attributes) {
  const [, double, single, bare] = HREF.exec(attributes) ?? [];
  const address = (double ?? single ?? bare ?? "").replace(/&amp;/g, "&").trim();
  return /^(https?:\/\/|mailto:|\/(?!\/))/i.test(address) ? address : "";
}
