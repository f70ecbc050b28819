import { type Fragment, html } from './template.ts';

/**
 * The stylesheet. The stylesheet is embedded, because a page must not load other files. Colours are variables for light
 * and dark mode. Each colour accompanies a word or mark, and has a contrast of at least 4.5 to 1.
 */
export const stylesheet: Fragment = html`:root{color-scheme:light dark;
--bg:#f6f7f9;--card:#fff;--in:#f3f4f7;--line:#dfe3e8;--edge:#c9cfd7;--text:#191c21;--soft:#59616c;--link:#0b57c9;--fill:#0b57c9;--onfill:#fff;
--new:#14713a;--newbg:#e8f6ed;--neww:#b3e5c4;--old:#b3261e;--oldbg:#fdeeec;--oldw:#f8c6c0;
--ask:#865300;--askbg:#fff6e0;--askln:#ecc777;--askw:#fbe0a3;--move:#5a3fc0;--movebg:#f2effd;--wait:#4b535e;--waitbg:#eceff3;
--shadow:0 1px 2px rgb(20 28 40/.06)}
@media (prefers-color-scheme:dark){:root{
--bg:#0e1115;--card:#161a20;--in:#1e232b;--line:#2b313a;--edge:#414955;--text:#e8ebef;--soft:#a1abb7;--link:#84b6ff;--fill:#2f6fde;--onfill:#fff;
--new:#74d99a;--newbg:#12281b;--neww:#22603b;--old:#ff9f96;--oldbg:#341b1b;--oldw:#7b322d;
--ask:#f3c86e;--askbg:#2b230f;--askln:#6d5621;--askw:#5f4a17;--move:#baabff;--movebg:#231e3d;--wait:#b4bcc7;--waitbg:#252b34;
--shadow:none}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:4rem}
body{margin:0;padding:0;background:var(--bg);color:var(--text);font:.9375rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
h1,h2,h3,h4,p,ul,ol,dl,dd{margin:0}
ul,ol{padding:0;list-style:none}
h1{font-size:1.625rem;line-height:1.25;letter-spacing:-.015em;font-weight:650}
h2{font-size:1.125rem;line-height:1.35;letter-spacing:-.008em;font-weight:650}
h3,h4{font-size:.9375rem;font-weight:600}
a{color:var(--link);text-decoration:underline;text-decoration-thickness:.06em;text-underline-offset:.18em}
a:hover{text-decoration-thickness:.12em}
:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:.25rem}
code,.src,.mono{font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
code{font-size:.86em}
svg{width:1em;height:1em;flex:none;fill:none;stroke:currentColor;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}
.sprite{position:absolute;width:0;height:0}
.vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.soft{color:var(--soft)}
.skip{position:absolute;left:-999rem}
.skip:focus{left:1rem;top:.5rem;background:var(--card);padding:.5rem .75rem;z-index:9}
.top{background:var(--card);border-bottom:1px solid var(--line)}
.wrap{max-width:80rem;margin:0 auto;padding:0 1.5rem}
.top .wrap{padding-top:1rem;padding-bottom:1rem}
.crumb{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .5rem;font-size:.875rem;color:var(--soft);margin-bottom:.625rem}
.crumb b{color:var(--text);font-weight:600}
.env{border:1px solid var(--edge);border-radius:1rem;padding:0 .6rem;color:var(--text);font-size:.8125rem;font-weight:550}
.meta{display:flex;flex-wrap:wrap;align-items:center;gap:.375rem 1.125rem;margin-top:.75rem;font-size:.875rem;color:var(--soft)}
.meta li{display:flex;align-items:center;gap:.4rem}
.state{display:inline-flex;align-items:center;gap:.4rem;border-radius:1rem;padding:.2rem .7rem .2rem .55rem;font-size:.875rem;font-weight:600;color:var(--wait);background:var(--waitbg)}
.state{text-decoration:none}a.state:hover{text-decoration:underline}.state.ask{color:var(--ask);background:var(--askbg);box-shadow:inset 0 0 0 1px var(--askln)}
.state.old{color:var(--old);background:var(--oldbg);box-shadow:inset 0 0 0 1px currentColor}
.state.new{color:var(--new);background:var(--newbg);box-shadow:inset 0 0 0 1px currentColor}
.chips{display:flex;flex-wrap:wrap;gap:.5rem;margin-top:.875rem}
.chips a{display:flex;align-items:center;gap:.45rem;border:1px solid var(--line);border-radius:.5rem;background:var(--card);padding:.3rem .7rem;color:var(--soft);text-decoration:none;font-size:.875rem}
.chips a:hover{border-color:var(--edge);background:var(--in)}
.chips b{color:var(--text);font-weight:650;font-variant-numeric:tabular-nums}
.chips svg,.card svg,nav svg{color:var(--soft)}
svg.new{color:var(--new)!important}svg.ask{color:var(--ask)!important}svg.old{color:var(--old)!important}svg.edit{color:var(--link)!important}
.note{margin-top:1rem;color:var(--soft);font-size:.875rem}
.frame{display:grid;gap:2rem;padding-top:1.25rem;padding-bottom:4rem}
.frame>*{min-width:0}
.side{display:none}
@media (min-width:68rem){.frame{grid-template-columns:15.5rem minmax(0,1fr)}
.side{display:block;position:sticky;top:1.25rem;align-self:start;max-height:calc(100vh - 2.5rem);overflow:auto;font-size:.875rem;padding-bottom:1rem}}
.side h2{font-size:.8125rem;letter-spacing:0;color:var(--soft);font-weight:600;margin:1.25rem 0 .25rem .5rem}
.side h2:first-child{margin-top:0}.side ul+ul{margin-top:1.25rem}
.side a{display:flex;align-items:center;gap:.5rem;padding:.28rem .5rem;border-radius:.375rem;color:var(--text);text-decoration:none}
.side a:hover{background:var(--in)}
.side a span{flex:1;min-width:0;line-height:1.35}
.side small{color:var(--soft);font-size:.8125rem;font-variant-numeric:tabular-nums}
.sec{margin-top:2rem}
.sec:first-child{margin-top:0}
.head{margin-bottom:.75rem;display:flex;flex-wrap:wrap;align-items:baseline;gap:0 .5rem}
.head p{font-size:.875rem;color:var(--soft)}
.asks{background:var(--card);border:1px solid var(--line);border-radius:.75rem;box-shadow:var(--shadow)}
.asks.hot{border-color:var(--askln)}.asks.bad{border-color:var(--old)}
.asks .q{display:grid;grid-template-columns:1.75rem minmax(0,1fr);gap:.25rem .75rem;padding:.5rem 1.125rem}
.asks .q+.q{border-top:1px solid var(--line)}
.num{width:1.5rem;height:1.5rem;border-radius:50%;display:grid;place-items:center;font-size:.8125rem;font-weight:650;color:var(--ask);background:var(--askbg);box-shadow:inset 0 0 0 1px var(--askln)}
.bad .num{color:var(--old);background:var(--oldbg);box-shadow:inset 0 0 0 1px currentColor}
.q p{color:var(--soft);font-size:.875rem;margin-top:.125rem}
.ch{grid-column:2;display:flex;flex-wrap:wrap;gap:.375rem 1.25rem;margin-top:.375rem;font-size:.875rem}
.ch li{display:grid;grid-template-columns:1.375rem minmax(0,1fr);gap:.5rem}
.ch i,.pick i{font-style:normal;width:1.375rem;height:1.375rem;border-radius:.3125rem;display:grid;place-items:center;font-size:.75rem;font-weight:650;border:1px solid var(--edge);color:var(--text);background:var(--card)}
.ch b,.pick b{font-weight:600}
.dflt{color:var(--soft);border:1px solid var(--line);border-radius:1rem;padding:0 .5rem;font-size:.75rem;display:inline-block;margin-left:.25rem}
@media (min-width:52rem){.asks .q{grid-template-columns:1.75rem minmax(0,11fr) minmax(0,10fr);column-gap:.75rem}
.q .ch{grid-column:3;grid-row:1;margin-top:0;padding-left:1.25rem;border-left:1px solid var(--line);align-content:start}}
.reply{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;padding:.625rem 1.125rem;border-top:1px solid var(--line);background:var(--in);border-radius:0 0 .6875rem .6875rem;font-size:.875rem;color:var(--soft)}
.btn{display:inline-flex;align-items:center;gap:.4rem;background:var(--fill);color:var(--onfill);border-radius:.5rem;padding:.4rem .875rem;font-weight:600;text-decoration:none}
.btn:hover{text-decoration:underline}
.reply kbd{font:inherit;color:var(--text);font-weight:600;white-space:nowrap}
.card{background:var(--card);border:1px solid var(--line);border-radius:.75rem;margin-top:.75rem;box-shadow:var(--shadow);overflow:clip}
.card>summary{display:grid;grid-template-columns:.875rem 1rem minmax(0,1fr) auto;align-items:center;gap:0 .625rem;padding:.75rem 1.125rem;cursor:pointer;list-style:none;background:var(--card)}
summary::-webkit-details-marker{display:none}
.card>summary::before,.fold>summary::before{content:"";width:.45rem;height:.45rem;border:solid var(--soft);border-width:0 1.6px 1.6px 0;transform:rotate(-45deg);margin-left:.1rem}
.card[open]>summary::before,.fold[open]>summary::before{transform:translateY(-.15rem) rotate(45deg)}
.card>summary:hover{background:var(--in)}
.card[open]>summary{position:sticky;top:0;z-index:2;border-bottom:1px solid var(--line)}
.card h3{display:inline}
.card .what{color:var(--soft);font-size:.875rem}
.card .what::before{content:"\\00a0\\00a0"}
.tag{border-radius:1rem;padding:.05rem .6rem;font-size:.8125rem;font-weight:550;color:var(--wait);background:var(--waitbg);white-space:nowrap}
.tag.ask{color:var(--ask);background:var(--askbg)}.tag.old{color:var(--old);background:var(--oldbg)}
.body{padding:0 1.125rem}
.set{padding:1.125rem 0;border-top:1px solid var(--line)}
.body>.set:first-child{border-top:0}
.body>.set+.set,.sec .set{margin-top:0}
.hd{display:flex;flex-wrap:wrap;align-items:baseline;gap:.125rem .75rem;margin-bottom:.625rem}
.hd:last-child{margin-bottom:0}.hd p{font-size:.875rem;color:var(--soft)}
.src{margin-left:auto;font-size:.75rem;color:var(--soft);text-decoration-color:var(--edge)}
a.src{color:var(--soft)}
.foot{border-top:1px solid var(--line);padding:.5rem 1.125rem;background:var(--in);font-size:.8125rem;color:var(--soft)}
.fold>summary{display:inline-flex;align-items:center;gap:.6rem;cursor:pointer;list-style:none;padding:.25rem 0;color:var(--soft)}
.fold>summary::before{flex:none}
.fold>summary:hover{color:var(--text);text-decoration:underline}
.fold>summary b{color:var(--text);font-weight:600;white-space:nowrap}
.names{columns:11rem auto;column-gap:1.25rem;font-size:.875rem;padding:.375rem 0 .5rem 1.15rem}
.names li{break-inside:avoid;padding:.0625rem 0}
.kv{display:grid;gap:.375rem 1.25rem}
.kv div{display:contents}
.kv dt{font-weight:600}.kv dt.soft{font-weight:400}.kv dd .src{line-height:1.9}
.kv dd{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem .5rem}
@media (min-width:44rem){.kv{grid-template-columns:minmax(9rem,15rem) minmax(0,1fr)}}
.kv small{color:var(--soft);font-size:.8125rem}
del,ins{text-decoration:none}
.kv del,.kv ins{border-radius:.3125rem;padding:.0625rem .45rem}
.kv del{background:var(--oldbg);color:var(--text)}
.kv ins{background:var(--newbg);color:var(--text);font-weight:550}
.to{color:var(--soft)}
.tab{width:100%;border-collapse:collapse;font-size:.875rem}
.tab th,.tab td{text-align:left;vertical-align:top;padding:.4375rem 0;border-top:1px solid var(--line);font-weight:400}
.tab tr:first-child>*{border-top:0}
.tab th{width:38%;padding-right:1.25rem;color:var(--soft)}
@media (min-width:44rem){.tab th{width:16rem}}
.diff{border:1px solid var(--line);border-radius:.5rem;overflow:clip;background:var(--in);font-size:.875rem}
.diff .cols{display:none}
.diff p,.diff del,.diff ins{display:block;position:relative;padding:.1875rem .875rem .1875rem 2rem;background:var(--card);unicode-bidi:plaintext;white-space:pre-wrap}
.diff p{color:var(--soft)}
.diff .h{font-weight:600}
.diff del{background:var(--oldbg)}.diff ins{background:var(--newbg)}
.diff del::before,.diff ins::before{position:absolute;left:.75rem;font-weight:650}
.diff del::before{content:"\\2212";content:"\\2212"/"Before:";color:var(--old)}
.diff ins::before{content:"+";content:"+"/"After:";color:var(--new)}
.diff .m{background:var(--movebg)}
.diff .m::before{content:"\\2195";content:"\\2195"/"Moved:";color:var(--move)}
.diff .m small{color:var(--move);font-size:.75rem;font-weight:600;margin-left:.375rem}
.diff .l{padding-left:3.125rem}
.diff .l>span,.diff .l::after{position:absolute;left:2rem;top:.1875rem}
.diff .l::after{content:"\\2022";content:"\\2022"/""}.diff .n::after{content:none}
mark{color:inherit;border-radius:.1875rem;padding:.03em .12em;margin:0 -.06em}
.diff del mark,.pick del mark{background:var(--oldw);text-decoration:line-through;text-decoration-thickness:.07em}
.diff ins mark,.pick mark{background:var(--neww);text-decoration:underline;text-decoration-thickness:.07em;text-underline-offset:.16em}
.pick .was mark{background:var(--askw)}
.diff details{background:var(--in);grid-column:1/-1}
.diff summary{display:block;padding:.25rem .875rem .25rem 2rem;color:var(--soft);font-size:.8125rem;cursor:pointer;list-style:none}
.diff summary::before{content:"\\22EF";position:absolute;left:.7rem}
.diff summary{position:relative}
.diff summary:hover{color:var(--text);text-decoration:underline}
.diff .w{grid-column:1/-1;background:var(--askbg);color:var(--ask);font-size:.8125rem;font-weight:550;padding-left:2rem}
.diff .w svg{color:inherit;position:absolute;left:.65rem;top:.4rem}
@media (min-width:52rem){.diff.two{display:grid;grid-template-columns:1fr 1fr}
.diff .cols{display:block;background:var(--in);color:var(--soft);font-size:.8125rem;font-weight:600;padding-left:.875rem;border-bottom:1px solid var(--line)}
.two>p:not(.cols){grid-column:1/-1}.two>del{grid-column:1}.two>ins{grid-column:2}
.two>ins,.cols+.cols{box-shadow:-1px 0 var(--line)}}
.pick{display:grid;gap:.75rem}
.pick>*{border:1px solid var(--line);border-radius:.5rem;padding:.75rem .875rem;display:grid;grid-template-columns:1.375rem minmax(0,1fr);gap:.25rem .625rem;align-content:start}
.pick p{grid-column:2;font-size:.875rem}.pick>*>b:first-child,.pick>*>b:first-child~*{grid-column:1/-1}
@media (min-width:60rem){.pick.c3{grid-template-columns:1fr 1fr 1fr}.pick.c2{grid-template-columns:1fr 1fr}}
.quote{background:var(--in);border-radius:.375rem;padding:.4375rem .625rem;margin:.25rem 0}
.pre{margin:0 0 .75rem;font-size:.875rem;color:var(--soft)}
.why{display:flex;gap:.6rem;font-size:.875rem;color:var(--soft);align-items:baseline}
.why svg{position:relative;top:.125rem}
pre b{font-weight:400;color:var(--soft);font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
pre{font:.75rem/1.75 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre-wrap;margin:.25rem 0;color:var(--text)}
.set.tech{font-size:.8125rem}
footer{border-top:1px solid var(--line);color:var(--soft);font-size:.8125rem}
footer .wrap{padding-top:1.25rem;padding-bottom:2.5rem;display:grid;gap:.375rem}
.empty{text-align:center;padding:3rem 1.5rem}
.empty svg{width:2.75rem;height:2.75rem;stroke-width:1.2}
.empty h3{display:block}
.empty p{color:var(--soft);max-width:34rem;margin:.375rem auto 0}
.notes{background:var(--card);border:1px solid var(--line);border-radius:.75rem;box-shadow:var(--shadow);padding:.375rem 1.125rem}
#questions+#notices,#stops+#notices{margin-top:.5rem}#questions+#notices>.head,#stops+#notices>.head{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.notes .why{padding:.625rem 0}.notes .why+.why{border-top:1px solid var(--line)}
.bars{padding:.875rem 1.125rem}.bars div{display:grid;grid-template-columns:minmax(6rem,14rem) minmax(0,1fr);gap:.25rem 1rem;align-items:center;padding:.25rem 0}
.bars dd{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:center;font-size:.875rem;color:var(--soft)}.bars meter{width:12rem;height:1rem}
.rows{background:var(--card);border:1px solid var(--line);border-radius:.75rem;box-shadow:var(--shadow);overflow:auto}
.rows table{border-collapse:collapse;font-size:.8125rem;width:100%}.rows th,.rows td{text-align:left;vertical-align:top;padding:.375rem .75rem;border-top:1px solid var(--line);font-weight:400;overflow-wrap:normal}
.rows td{min-width:6.5rem}.rows thead th::first-letter{text-transform:uppercase}.rows thead th{border-top:0;color:var(--soft);font-weight:600;white-space:nowrap}.rows tbody th{font-weight:550;white-space:nowrap}
.lead+.set{border-top:0;padding-top:0}
.diff .l2{padding-left:4.25rem}.diff .l2>span,.diff .l2::after{left:3.125rem}.diff .mono{font-size:.8125rem}
.diff>details.more{grid-column:1/-1}.diff>details.more[open]{display:contents}
.list{list-style:disc;padding-left:1.125rem}.q .list{font-size:.875rem;color:var(--soft);margin-top:.25rem;display:grid;gap:.25rem}
.pick .diff{grid-column:1/-1}.more>summary{padding:.75rem 1.125rem}.after{font-weight:400;color:var(--soft);font-size:.8125rem}
@media (max-width:40rem){.kv div+div dt{margin-top:.5rem}body{font-size:1rem}.wrap{padding-left:1rem;padding-right:1rem}h1{font-size:1.375rem}.top .wrap{padding-top:.75rem;padding-bottom:.5rem}.frame{padding-top:.5rem}.reply{padding-top:.5rem;padding-bottom:.5rem;row-gap:.25rem}
.asks .q,.reply,.card>summary{padding-left:.875rem;padding-right:.875rem}.asks .q{grid-template-columns:1.375rem minmax(0,1fr);column-gap:.5rem;padding-top:.375rem;padding-bottom:.375rem}.num{width:1.375rem;height:1.375rem}.q h3{font-size:.9375rem}.ch{gap:.25rem 1rem;margin-top:.25rem}.body{padding:0 .875rem}.foot{padding-left:.875rem;padding-right:.875rem}
.card>summary{grid-template-columns:.75rem 1rem minmax(0,1fr)}.card>summary>span{grid-column:3}.card>summary .tag{display:inline-block;margin-top:.25rem}
.card .what{display:block}.card .what::before{content:none}.src{margin-left:0;width:100%}
.diff p,.diff del,.diff ins{padding-left:1.625rem;padding-right:.625rem}.diff .l{padding-left:2.625rem}.diff .l>span,.diff .l::after{left:1.625rem}.diff .l2{padding-left:3.5rem}.diff .l2>span,.diff .l2::after{left:2.5rem}.diff del::before,.diff ins::before{left:.55rem}
.meta{gap:.375rem .75rem}.chips{gap:.375rem}.chips a{padding:.2rem .45rem;gap:.3rem;font-size:.75rem}.sec{margin-top:1.25rem}.head{margin-bottom:.5rem}.head p{font-size:.8125rem}ol.ch{grid-column:1/-1}}
@media print{:root{color-scheme:light}body{background:#fff;font-size:10pt}.side,.skip{display:none}.btn{padding:0;background:none;color:var(--link)}.frame{display:block}.card,.asks{box-shadow:none;break-inside:auto}.card[open]>summary{position:static}.q,.pick>*,.diff del,.diff ins{break-inside:avoid}
details::details-content{content-visibility:visible;display:block;height:auto}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}`;

/** The icons, drawn on a 16 by 16 grid. A page defines each icon once. */
export const icons: Fragment = html`<symbol id="i-pr" viewBox="0 0 16 16"><circle cx="4" cy="3.5" r="1.75"/><circle cx="4" cy="12.5" r="1.75"/><circle cx="12" cy="12.5" r="1.75"/><path d="M4 5.25v5.5M12 10.75V6a2 2 0 0 0-2-2H8m1.75-1.75L8 4l1.75 1.75"/></symbol>
<symbol id="i-branch" viewBox="0 0 16 16"><circle cx="4" cy="3.5" r="1.75"/><circle cx="4" cy="12.5" r="1.75"/><circle cx="12" cy="5" r="1.75"/><path d="M4 5.25v5.5M12 6.75C12 9.5 4 8 4 10.75"/></symbol>
<symbol id="i-commit" viewBox="0 0 16 16"><circle cx="8" cy="8" r="2.75"/><path d="M1.5 8h3.75M10.75 8h3.75"/></symbol>
<symbol id="i-clock" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6"/><path d="M8 4.75V8l2.25 1.5"/></symbol>
<symbol id="i-who" viewBox="0 0 16 16"><circle cx="8" cy="5.25" r="2.5"/><path d="M3 13.5c.5-2.75 2.5-4 5-4s4.5 1.25 5 4"/></symbol>
<symbol id="i-edit" viewBox="0 0 16 16"><path d="M10.75 2.75l2.5 2.5-7.5 7.5-3.25.75.75-3.25zM9 4.5L11.5 7"/></symbol>
<symbol id="i-plus" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6"/><path d="M8 5.25v5.5M5.25 8h5.5"/></symbol>
<symbol id="i-undo" viewBox="0 0 16 16"><path d="M5.5 3L2.5 6l3 3M2.5 6H10a3.5 3.5 0 0 1 0 7H6"/></symbol>
<symbol id="i-pause" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6"/><path d="M6.5 6v4M9.5 6v4"/></symbol>
<symbol id="i-same" viewBox="0 0 16 16"><path d="M3.5 6h9M3.5 10h9"/></symbol>
<symbol id="i-warn" viewBox="0 0 16 16"><path d="M8 2.5l6 11H2zM8 6.75v3M8 11.6v.1"/></symbol>
<symbol id="i-ask" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6"/><path d="M6.25 6.25c.25-1.1 1-1.5 1.8-1.5 1 0 1.7.65 1.7 1.5 0 1.25-1.75 1.35-1.75 2.75M8 11.2v.1"/></symbol>
<symbol id="i-many" viewBox="0 0 16 16"><rect x="2.5" y="5.5" width="8" height="8" rx="1.5"/><path d="M5.5 2.5h6a2 2 0 0 1 2 2v6"/></symbol>
<symbol id="i-ok" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6"/><path d="M5.25 8.25l2 2 3.5-4"/></symbol>
<symbol id="i-no" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6"/><path d="M5.9 5.9l4.2 4.2M10.1 5.9l-4.2 4.2"/></symbol>
<symbol id="i-lock" viewBox="0 0 16 16"><rect x="3.5" y="7" width="9" height="6.5" rx="1.5"/><path d="M5.5 7V5a2.5 2.5 0 0 1 5 0v2"/></symbol>
<symbol id="i-gear" viewBox="0 0 16 16"><path d="M2.5 4.5h7M12.5 4.5h1M2.5 8h2M7.5 8h6M2.5 11.5h6M11.5 11.5h2"/><circle cx="11" cy="4.5" r="1.4"/><circle cx="6" cy="8" r="1.4"/><circle cx="10" cy="11.5" r="1.4"/></symbol>`;
