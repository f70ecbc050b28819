import { type Fragment, html } from './template.ts';

/**
 * Colours have a contrast of at least 4.5 to their background, in both themes, and never carry meaning alone: each has
 * a word or a mark beside it. On paper and where a reader has chosen colours, borders and marks are left.
 */
export const stylesheet: Fragment = html`
:root {
  color-scheme: light dark;
  --page: #ffffff; --box: #f6f7f9; --line: #d4d8de; --text: #1b1f24; --faint: #555d68; --link: #0b57b0;
  --old: #fdecea; --old-word: #f7b8b2; --old-edge: #b3261e; --new: #e6f4e9; --new-word: #a4dcb0; --new-edge: #1a6b32;
  --moved: #ece9fb; --moved-edge: #5b45b5; --mind: #fff4d6; --mind-edge: #8a5a00;
  --edit: #eaf1fb; --edit-word: #bcd5f5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171b; --box: #1d2126; --line: #3a4149; --text: #e8eaed; --faint: #a9b1bb; --link: #8ab8ff;
    --old: #3a1f1e; --old-word: #7d302b; --old-edge: #ff9d94; --new: #18301f; --new-word: #2a5f38; --new-edge: #86d99b;
    --moved: #272244; --moved-edge: #b9adff; --mind: #362b10; --mind-edge: #f0c460;
    --edit: #1c2a3c; --edit-word: #35557d;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 1rem 1.25rem 3rem; max-width: 84rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .75rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
h3 { display: inline; font-size: 1.05rem; }
h4 { font-size: 1rem; margin: 0 0 .35rem; font-weight: 600; }
p { margin: .35rem 0; }
ul, ol { margin: .35rem 0; padding-left: 1.4rem; }
a { color: var(--link); }
code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .92em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.brand { color: var(--faint); font-size: .85rem; margin: 0; }
.verdict { font-size: 1.15rem; font-weight: 600; padding: .6rem .9rem; border-left: .35rem solid var(--new-edge); background: var(--new); border-radius: .25rem; }
.verdict.refused { background: var(--old); border-color: var(--old-edge); }
.verdict.mind { background: var(--mind); border-color: var(--mind-edge); }
.verdict.nothing { background: var(--box); border-color: var(--faint); }
.advice { margin: .6rem 0; }
.fact, .about, .source, .marker { color: var(--faint); }
.fact { margin: .15rem 0; }
.notices { background: var(--mind); border: 1px solid var(--mind-edge); border-radius: .4rem; padding: .25rem 1rem .6rem; margin-top: 1.25rem; }
.notices h2 { margin-top: .5rem; }
.ask { margin: .1rem 0 .6rem; }
.label { color: var(--old-edge); }
nav ol { list-style: none; padding: 0; }
nav li { padding: .15rem 0; }
.badge {
  display: inline-block; min-width: 4.6rem; text-align: center; font-size: .8rem; font-weight: 600; padding: .05rem .5rem;
  border: 1px solid var(--faint); border-radius: 1rem; color: var(--text); background: var(--page);
}
.badge.create { color: var(--new-edge); border-color: var(--new-edge); }
.badge.update, .badge.revert, .badge.send-again, .badge.drifted, .badge.unverified { color: var(--mind-edge); border-color: var(--mind-edge); }
.badge.blocked, .badge.failed { color: var(--old-edge); border-color: var(--old-edge); }
.origin { font-weight: 600; margin: 1.25rem 0 .35rem; }
.resource { border: 1px solid var(--line); border-radius: .4rem; margin: .8rem 0; }
.resource > summary { padding: .6rem .9rem; background: var(--box); border-radius: .4rem; }
.content { scroll-margin-top: 3.5rem; padding: .6rem .9rem .9rem; }
summary { cursor: pointer; }
.change { border-top: 1px solid var(--line); padding: .8rem 0 .4rem; }
.content > .change:first-child { border-top: 0; padding-top: .2rem; }
.gist { font-weight: 400; }
.gist::before { content: "\\2014\\00a0"; }
.marker { font-weight: 400; font-size: .9rem; }
.source { font-size: .88rem; }
.note { border-left: .25rem solid var(--mind-edge); padding-left: .6rem; }
.values del, .values ins, .values span { display: inline-block; padding: .05rem .4rem; border-radius: .2rem; text-decoration: none; }
del, ins { text-decoration: none; }
del { background: var(--old); }
ins { background: var(--new); }
.values del { text-decoration: line-through; text-decoration-color: var(--old-edge); }
.values .arrow { padding: 0; }
.diff { border: 1px solid var(--line); border-radius: .3rem; margin: .4rem 0; overflow: hidden; }
.row { display: grid; grid-template-columns: 1fr 1fr; margin: 0; }
.three .row { grid-template-columns: 1fr 1fr 1fr; }
.row > * { min-width: 0; padding: .08rem .6rem .08rem 1.9rem; white-space: pre-wrap; unicode-bidi: plaintext; position: relative; }
.row > * + * { border-left: 1px solid var(--line); }
.moves { background: var(--edit); }
.moves mark { background: var(--edit-word); text-decoration: underline; }
.row > .moves::before { content: "\\2260"; color: var(--faint); position: absolute; left: .6rem; font-weight: 700; }
.choice { border: 1px solid var(--line); border-radius: .3rem; padding: .2rem .8rem; margin: .5rem 0; background: var(--box); }
.path { color: var(--faint); font-weight: 400; font-size: .85em; }
.quote { border-left: .25rem solid var(--line); padding-left: .6rem; }
.row > .none { background: var(--box); padding: 0; }
.row.heads > * { padding-left: .6rem; }
.diff:not(.three) > .heads > :first-child::before { content: "\\2212  "; color: var(--old-edge); }
.diff:not(.three) > .heads > :last-child::before { content: "+  "; color: var(--new-edge); }
.heads { background: var(--box); color: var(--faint); font-size: .85rem; font-weight: 600; border-bottom: 1px solid var(--line); }
.row > del::before, .elements > del::before, .whole > del::before { content: "\\2212"; color: var(--old-edge); position: absolute; left: .6rem; font-weight: 700; }
.row > ins::before, .elements > ins::before, .whole > ins::before { content: "+"; color: var(--new-edge); position: absolute; left: .6rem; font-weight: 700; }
mark { color: inherit; border-radius: .15rem; font-weight: 600; }
del mark { background: var(--old-word); text-decoration: line-through; text-decoration-color: var(--old-edge); }
ins mark { background: var(--new-word); text-decoration: underline; text-decoration-color: var(--new-edge); }
.elements > *, .whole > * { display: block; position: relative; padding: .08rem .6rem .08rem 1.9rem; white-space: pre-wrap; unicode-bidi: plaintext; }
.text { white-space: pre-wrap; unicode-bidi: plaintext; margin: 0; }
.fold, .gap { border-top: 1px dashed var(--line); border-bottom: 1px dashed var(--line); background: var(--box); color: var(--faint); font-size: .88rem; margin: 0; padding: .1rem .6rem; }
.rest > summary { border-top: 1px dashed var(--line); color: var(--faint); font-size: .88rem; padding: .1rem .6rem; }
.fold .text { color: var(--text); font-size: 1rem; padding: .2rem .9rem; }
.fold + .row, .gap + .row { border-top: 0; }
.moved { background: var(--moved); }
.row > .moved::before { content: "\\2195"; color: var(--moved-edge); position: absolute; left: .6rem; }
.moved .note, .moved summary { border: 0; padding: 0; color: var(--moved-edge); font-size: .88rem; font-weight: 600; }
.quiet { margin-top: 1.5rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .5rem 0; }
dt { font-weight: 600; }
dd { margin: 0; }
footer { margin-top: 2.5rem; border-top: 1px solid var(--line); color: var(--faint); font-size: .85rem; }
@media (max-width: 44rem) {
  body { padding: .75rem .75rem 2rem; }
  .row, .three .row { grid-template-columns: 1fr; }
  .row > * + * { border-left: 0; }
  .row > .none, .same > [aria-hidden], .kept { display: none; }
  .three > .heads { display: none; }
  .three > .row:not(.same):not(.heads) > *::before { position: static; display: block; font-size: .78rem; font-weight: 600; color: var(--faint); }
  .three > .row:not(.same):not(.heads) > :nth-child(1)::before { content: "Before (last applied)"; }
  .three > .row:not(.same):not(.heads) > :nth-child(2)::before { content: "Live now (on the service)"; }
  .three > .row:not(.same):not(.heads) > :nth-child(3)::before { content: "Proposed (in the manifest)"; }
  dl { grid-template-columns: 1fr; }
  dd { margin-bottom: .5rem; }
  .badge { min-width: 0; }
}
@media print {
  :root {
    --page: #fff; --box: #fff; --line: #999; --text: #000; --faint: #333; --link: #000; --old: #fff; --new: #fff; --moved: #fff; --mind: #fff;
    --old-word: #ddd; --new-word: #ddd; --old-edge: #000; --new-edge: #000; --moved-edge: #000; --mind-edge: #000; --edit: #fff; --edit-word: #ddd;
  }
  html { font-size: 10pt; }
  body { max-width: none; padding: 0; }
  nav { display: none; }
  .resource::details-content, .long::details-content { content-visibility: visible; display: block; height: auto; }
  .row, .change h4, .verdict { break-inside: avoid; }
  h2, h3, h4, .resource > summary { break-after: avoid; }
}
@media (forced-colors: active) {
  .badge, .diff, .verdict { border-color: CanvasText; }
  mark { outline: 1px solid; }
}
`;
