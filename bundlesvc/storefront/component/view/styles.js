const HIDDEN =
  "position: absolute; width: 1px; height: 1px; padding: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap;";

/**
 * In layouts in which the bar shows the hint, the summary does not repeat it. Screen readers still read the whole
 * summary.
 */
const HINTED = `
  .reasons > li:first-child, .reasons:not(:has(li + li)) { ${HIDDEN} }
  .summary:has(.line):not(:has(.reasons > li)) .tier { ${HIDDEN} }
  .summary:not(:has(.line)) :is(.heading, .heading + .note) { ${HIDDEN} }
`;

/** Colours follow the `color-scheme` of the page; `--bundle-*` properties override them. */
export const css = `
:host {
  display: block; flex: auto; container-type: inline-size;
  --accent: var(--bundle-accent, light-dark(#23211e, #f3efe8));
  --on-accent: var(--bundle-on-accent, light-dark(#fff, #23211e));
  --text: var(--bundle-text, light-dark(#23211e, #f3efe8));
  --muted: var(--bundle-muted, light-dark(#66605a, #b5aea5));
  --surface: var(--bundle-surface, light-dark(#fff, #211f1c));
  --subtle: var(--bundle-subtle, light-dark(#f5f2ed, #312d29));
  --line: var(--bundle-line, light-dark(#e3ded6, #47423c));
  --edge: var(--bundle-edge, light-dark(#8a837a, #8f887e));
  --good: var(--bundle-good, light-dark(#1b6b45, #86d6ab));
  --bad: var(--bundle-bad, light-dark(#a3281c, #ffaa9e));
  --radius: var(--bundle-radius, 14px);
  --gap: var(--bundle-gap, 16px);
  --target: 36px;
}
:host([hidden]), [hidden], p:empty:not(.hint), .note:empty { display: none !important; }
@media (pointer: coarse) { :host { --target: 44px; } .field { font-size: max(1em, 16px); } }
*, ::before, ::after { box-sizing: border-box; }
h2, h3, h4, p, ul, ol, fieldset { margin: 0; padding: 0; border: 0; min-width: 0; font: inherit; }
legend { padding: 0; }
ul, ol { list-style: ""; }
button, input, select { font: inherit; color: inherit; }
button, input, select, summary { scroll-margin-block: 90px 160px; }
button, label, summary, select { cursor: pointer; touch-action: manipulation; }
.vh { ${HIDDEN} }
:focus-visible, label:has(.vh:focus-visible) { outline: 2px solid var(--bundle-focus, light-dark(#1d5fd0, #9cc2ff)); outline-offset: 2px; }

slot { display: block; }
[data-headed] .head { display: none; }
/* Size, family and colour-scheme come from the page; how it sets its own text does not. */
.root {
  text-align: start; text-align-last: auto; text-indent: 0; text-transform: none; text-shadow: none; font-style: normal; font-variant: normal; font-weight: 400;
  letter-spacing: normal; word-spacing: normal; white-space: normal; word-break: normal; hyphens: manual; line-height: 1.45; cursor: auto;
}
.root { background: var(--bundle-background, Canvas); color: var(--text); font-family: var(--bundle-font, inherit); overflow-wrap: anywhere; }
.root[aria-busy] > :not(.waiting) { opacity: .5; }
.head, .section-head { display: flex; gap: var(--gap); align-items: center; }
.columns, .main, .section, .summary, .act, .answers, .unit, .answer, .plans, .messages, .reasons, .bar, .notice, .item, form { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; }
.builder, .columns, .main { display: grid; gap: 28px; align-items: start; }
.section, .summary { gap: var(--gap); }
.summary { position: relative; }
.summary > ul:empty { display: none; }
.side { display: contents; }
.name, .heading { font-family: var(--bundle-heading-font, inherit); font-size: 1.75em; line-height: 1.2; letter-spacing: -.015em; }
.heading { font-size: 1.25em; }
.card, .summary, .bar, .pager, .steps, .section-head .note { font-size: .9em; }
.note, .hint, .description, .option legend, .missing, s, summary { color: var(--muted); font-weight: 400; }
.now, .amount { font-variant-numeric: tabular-nums; }
.picture, .cover, .section-picture { aspect-ratio: 1; overflow: hidden; background: var(--subtle); }
.cover, .section-picture { flex: none; width: 52px; border-radius: var(--radius); }
.cover { width: 84px; }
img { display: block; width: 100%; height: 100%; object-fit: cover; }
img:not([src]), [data-broken] { visibility: hidden; }

button, .field, .value { min-height: var(--target); min-width: var(--target); padding: 2px 14px; border: 1px solid var(--edge); border-radius: calc(var(--radius) * .7); background: var(--surface); }
button, legend, .name, .heading, .title, .now, .included, .badge, .outcome { font-weight: 600; }
button:hover { background: var(--subtle); }
.buy, .confirm, .next, .value:has(:checked) { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.buy:not([aria-disabled]):hover, .confirm:not([aria-disabled]):hover, .next:hover { background: var(--accent); text-decoration: underline; }
button[aria-disabled] { text-decoration: none; background: var(--subtle); border-color: var(--line); color: var(--muted); cursor: default; }
.field { width: 100%; padding-inline: 10px; }
::placeholder { color: var(--muted); opacity: 1; }
[aria-invalid] { border-color: var(--bad); box-shadow: 0 0 0 1px var(--bad); }
.tick, .plan input { width: 20px; height: 20px; margin: 0; accent-color: var(--accent); flex: none; }
summary { padding-block: 6px; text-decoration: underline; text-underline-offset: 3px; }

.steps, .values, .pager { display: flex; gap: 8px; }
.step-item { flex: 1; min-width: 0; }
.step-button { display: flex; gap: 2px 10px; align-items: center; width: 100%; height: 100%; padding: 6px 10px; border-color: var(--line); text-align: start; }
.step-button .note, .plan .note, .next { margin-inline-start: auto; }
.step-button .note { flex: none; }
.mark { display: grid; place-items: center; flex: none; width: 26px; height: 26px; border-radius: 50%; background: var(--subtle); }
[aria-current] { border-color: var(--accent); }
[aria-current] .mark { background: var(--accent); color: var(--on-accent); }

.grid { display: grid; gap: var(--gap); grid-template-columns: minmax(0, 1fr); }
[data-wide] { grid-column: 1 / -1; }
.card { position: relative; display: flex; flex-direction: column; gap: 10px; padding-bottom: 12px; overflow: clip; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); }
.card > :not(.picture, .badge) { padding-inline: 12px; }
.card[data-chosen] { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
.card[data-plain] { padding-top: 12px; }
.badge { position: absolute; inset: 10px auto auto 10px; padding: 2px 10px; border-radius: 99px; background: var(--good); color: light-dark(#fff, #10251a); }
[data-plain] > .badge { position: static; align-self: start; justify-self: start; margin-inline: 12px; }
.title { font-size: 1.08em; line-height: 1.3; }
.included, .saved { color: var(--good); }
.description { overflow: auto; }
.description > * { margin-block: 4px 0; }
.description * { max-width: 100%; }
.options { display: grid; gap: 10px; }
.values { flex-wrap: wrap; gap: 6px; margin-top: 4px; }
.value { display: grid; place-items: center; padding-inline: 11px; }
[data-missing] { text-decoration: line-through; }
[data-missing] .dot { opacity: .35; }
label:has(:disabled) { opacity: .4; cursor: default; }
.swatch { display: grid; place-items: center; width: var(--target); height: var(--target); border: 2px solid transparent; border-radius: 50%; }
.swatch:has(:checked) { border-color: var(--accent); }
.dot { width: 26px; height: 26px; border-radius: 50%; border: 1px solid var(--edge); overflow: hidden; forced-color-adjust: none; }
.act { margin-top: auto; }
.stepper { max-width: 15em; display: flex; align-items: center; justify-content: space-between; }
.step { padding: 0; }
[data-empty] .more { flex: 1; padding-inline: 14px; }
[data-empty] .more:not([aria-disabled]) { border-color: var(--accent); background: color-mix(in srgb, var(--accent) 10%, var(--surface)); }
[data-empty] .more:not([aria-disabled]):hover { background: color-mix(in srgb, var(--accent) 20%, var(--surface)); }
.unit { gap: 12px; padding: 12px; border: 1px solid var(--line); border-radius: var(--radius); }
.unit legend { float: inline-start; grid-column: 1 / -1; }
.plans legend { padding: 0 0 8px; }
.answer { gap: 3px; }
.answer + .note { margin-top: 4px; }
.answer:has(.tick) { grid-template-columns: auto minmax(0, 1fr); gap: 10px; align-items: center; min-height: var(--target); }
.answer .tick { order: -1; }

.line { display: grid; grid-template-columns: auto minmax(0, 1fr) auto var(--target); gap: 8px; align-items: center; min-height: var(--target); padding-block: 6px; line-height: 1.3; }
.line + .line { border-top: 1px solid var(--line); }
.line .note { display: block; margin-top: 2px; }
.remove { padding: 0; border: 0; background: none; color: var(--muted); }
.plan { display: flex; gap: 10px; align-items: center; min-height: 44px; padding: 4px 12px; border: 1px solid var(--line); border-radius: var(--radius); }
.plan:has(:checked) { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
.plan .note { text-align: end; }
.messages li, .tier { padding: 8px 12px; border-radius: var(--radius); background: var(--subtle); }
.tier::before { content: "✦  "; content: "✦  " / ""; color: var(--good); }
.reasons { color: var(--muted); }
.reasons li::before { content: "○  "; content: "○  " / ""; }
[data-urgent], [data-fault] { color: var(--bad); }
/* While it is at the edge of the window, its own lower edge is below that; at the end of the bundle it is seen whole. */
.bar { position: sticky; bottom: -10px; z-index: 1; grid-template-columns: minmax(0, 1fr) auto; gap: 2px 14px; align-items: center; padding: 10px 14px calc(10px + max(8px, env(safe-area-inset-bottom))); border: 1px solid var(--line); border-radius: var(--radius) var(--radius) min(var(--radius), 14px) min(var(--radius), 14px); background: var(--surface); box-shadow: 0 -8px 24px #0002; }
.hint { min-height: 1.45em; grid-column: 1 / -1; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.bar, .amount { overflow-wrap: break-word; }
.now, .was, .saved, .amount { white-space: nowrap; }
.total { display: flex; flex-wrap: wrap; gap: 0 10px; align-items: baseline; align-content: center; min-height: 54px; }
.sum { order: 1; flex-basis: 100%; }
.sum ~ .note { order: 2; }
.sum .now { font-size: 1.45em; }
.buy, .confirm { min-height: 48px; padding-inline: 18px; }
.outcome, .news { grid-column: 1 / -1; }
.news { display: grid; gap: 10px; margin-bottom: 4px; padding: 10px 12px; border-inline-start: 3px solid var(--accent); border-start-end-radius: calc(var(--radius) * .7); border-end-end-radius: calc(var(--radius) * .7); background: var(--subtle); }
.news-text + .news-text { margin-top: 4px; }
.news-acts { display: grid; gap: 8px; }
[data-asking] > :not(.news, .outcome) { display: none; }
.outcome:not([data-fault]) { color: var(--good); }
.notice { justify-items: center; gap: 16px; padding: 40px 20px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); text-align: center; }
.ghost { min-height: 52px; border-color: transparent; border-radius: var(--radius); background: var(--subtle); animation: breathe 1.5s infinite alternate; }
.ghost.card { min-height: 420px; }
.waiting { min-height: 100vh; align-content: start; }
@keyframes breathe { to { opacity: .5; } }
@media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; } }
@media (forced-colors: active) { [data-chosen], :has(> :checked), [aria-current] { outline: 2px solid Highlight; } }

@container (max-width: 22em) {
  .bar { grid-template-columns: minmax(0, 1fr); }
  .total { min-height: 0; }
  .sum { flex: none; margin-inline-start: auto; order: 0; }
}
@container (max-width: 34em) {
  .builder, .columns, .main { gap: 16px; }
  .section, .section-head { gap: 12px; }
  .section-picture { width: 44px; }
  [data-template=default] {
    .card { display: grid; grid-template-columns: 96px minmax(0, 1fr); }
    .card > :not(.picture, .badge, .text) { grid-column: 1 / -1; }
    .card > .text { padding: 10px 12px 0 0; }
    .card[data-plain] { grid-template-columns: minmax(0, 1fr); padding-top: 0; }
    .card[data-plain] > .text { padding-inline-start: 12px; }
    [data-plain] > .badge { margin-top: 12px; }
    .card > .picture { aspect-ratio: auto; min-height: 96px; max-height: 128px; border-end-end-radius: var(--radius); }
    .options { display: flex; flex-wrap: wrap; gap: 8px 16px; }
    .stepper { max-width: none; }
    .ghost.card { min-height: 240px; }
  }
  .step-item:not(:has([aria-current])) { flex: none; }
  .step-button { position: relative; overflow: clip; }
  .step-button:not([aria-current]) :not(.mark) { position: absolute; opacity: 0; }
}
@container (min-width: 34em) {
  .grid { grid-template-columns: repeat(auto-fill, minmax(190px, 1fr)); }
  .unit { grid-template-columns: 1fr 1fr; }
  [data-template=default] .item:not([data-wide]) .value { flex: 1 1 auto; padding-inline: 8px; }
  [data-template=default] .grid:has(> .item > .card > .picture) > .item:has(> [data-plain]) { align-self: start; }
  [data-wide] {
    .card { display: grid; grid-template: auto auto 1fr / 15em minmax(0, 1fr); align-items: start; padding-block: 0; }
    .card > :not(.picture, .badge) { padding-block: 8px; }
    .card[data-plain] { display: flex; gap: 0; }
    .picture { grid-row: 1 / 4; }
    .answers { grid-column: 1 / -1; }
  }
}
[data-template=compact] { ${HINTED} }
@container (max-width: 53.99em) { [data-template=default] { ${HINTED} } }
@container (min-width: 54em) {
  [data-template=default] {
    .columns { grid-template-columns: minmax(0, 1fr) 21em; }
    .side { display: block; position: sticky; top: var(--bundle-sticky-top, 16px); max-height: calc(100vh - 32px); overflow: auto; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); }
    .summary { padding: 20px; }
    .bar { bottom: 0; grid-template-columns: 1fr; padding: 12px 20px 20px; border-width: 1px 0 0; border-radius: 0; box-shadow: none; }
    .hint { display: none; }
  }
}
[data-template=compact] {
  .builder, .columns, .main { gap: 20px; max-width: 48em; margin-inline: auto; width: 100%; }
  .grid { gap: 0; grid-template-columns: minmax(0, 1fr); border-block: 1px solid var(--line); }
  .item + .item { border-top: 1px solid var(--line); }
  .card { display: grid; grid-template: auto auto / 60px minmax(0, 1fr) 120px; gap: 8px 14px; padding: 14px 0; border: 0; border-radius: 0; background: none; box-shadow: none; }
  .card > :not(.badge) { padding: 0; grid-column: 2 / -1; }
  .card > .picture { aspect-ratio: 1; grid-area: 1 / 1 / 3; align-self: start; border-radius: var(--radius); }
  .card > .text { grid-column: 2; }
  [data-plain] > :not(.act, .badge) { grid-column: 1 / -1; }
  [data-plain] > .text { grid-column: 1 / 3; }
  .card > .act { grid-area: 1 / 3; margin: 0; align-content: start; }
  .card > .act:has([open]) { grid-area: 3 / 2 / auto / -1; }
  [data-chosen] .picture { outline: 2px solid var(--accent); outline-offset: -2px; }
  .options { display: flex; flex-wrap: wrap; gap: 6px 20px; }
  .ghost.card { min-height: 84px; margin-block: 6px; }
}
`;

/** The style sheet shared by all elements. It needs no `style-src` in a page's policy. On a server, it is undefined. */
export const sheet = globalThis.CSSStyleSheet && new CSSStyleSheet();
sheet?.replaceSync(css);
