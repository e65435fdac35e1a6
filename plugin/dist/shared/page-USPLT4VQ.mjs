import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a as q}from"./chunk-4DN2DZ4X.mjs";import{A,B as D,C as Z,E as ee,a as m,b as z,c as W,d as U,e as K,f as B,g as Y,h as V,i as w,j as $,k as S,l as u,m as c,n as T,o as j,p as v,q as g,r as y,s as E,t as p,u as J,v as h,w as X,x as G,y as I,z as Q}from"./chunk-CR5F3CVZ.mjs";import"./chunk-ZK6IREFM.mjs";import"./chunk-UW3RD3FU.mjs";import"./chunk-RZDDEIV7.mjs";import"./chunk-QFXFKKKL.mjs";import"./chunk-ELTYFYHV.mjs";import"./chunk-CYNRBTD3.mjs";import"./chunk-2EYYHBX5.mjs";import"./chunk-54C2SXCJ.mjs";import{a as P}from"./chunk-TGFJMTY7.mjs";import"./chunk-OXVGO5W7.mjs";import"./chunk-3CZHK2PR.mjs";import"./chunk-EBV76NTO.mjs";import"./chunk-OSN2QUEM.mjs";import"./chunk-SMCHOXBH.mjs";import"./chunk-24ZFKBW4.mjs";import"./chunk-KRDUHVCM.mjs";import"./chunk-VF22DRJR.mjs";import"./chunk-VNRD3ZBG.mjs";import"./chunk-QB2QS7PP.mjs";import"./chunk-P7GFKBOZ.mjs";import"./chunk-GRZCO5DU.mjs";import"./chunk-DMCA7GQ4.mjs";import{a as N}from"./chunk-YGJNALTE.mjs";import"./chunk-7IHTVASD.mjs";import"./chunk-VHB5NL5Z.mjs";import"./chunk-IS7FIYU5.mjs";import"./chunk-4EV3AEXO.mjs";import"./chunk-HF7HTSJ5.mjs";import"./chunk-VKWWXM37.mjs";import"./chunk-3N73WPLM.mjs";import"./chunk-K4UDRVKM.mjs";import"./chunk-SCQRYYYV.mjs";import"./chunk-HGDWOSAD.mjs";import"./chunk-BLN5USFP.mjs";import"./chunk-4AFY4ZFF.mjs";import"./chunk-VGAJRUCW.mjs";import"./chunk-46DTNMEN.mjs";import"./chunk-QUTPO3LS.mjs";import"./chunk-6RNFKDIK.mjs";import"./chunk-WH3MFWYC.mjs";import"./chunk-INFGHB36.mjs";import"./chunk-YXHHTFPY.mjs";import"./chunk-Q32JKARJ.mjs";import"./chunk-QJBUQVON.mjs";import"./chunk-HCBOJP74.mjs";import"./chunk-YJSQ3EYS.mjs";import"./chunk-Z23V3PPU.mjs";import"./chunk-SMZOB2CN.mjs";import"./chunk-WDBCC6FS.mjs";import"./chunk-LLNSPVAC.mjs";import{b as _}from"./chunk-O6QFQSAB.mjs";import"./chunk-SMBKWHKN.mjs";import"./chunk-JK5M2DKC.mjs";import"./chunk-PV6QJ2IH.mjs";import"./chunk-UZSJVPPB.mjs";import"./chunk-ODHINOKJ.mjs";import"./chunk-F4EKF6PD.mjs";import"./chunk-2BND7R7C.mjs";import"./chunk-L32TFO3N.mjs";import"./chunk-NY6E3KGH.mjs";import{f as C}from"./chunk-M62TLHUO.mjs";import"./chunk-O4MXFINZ.mjs";import"./chunk-YUO377PM.mjs";import"./chunk-276NJ77N.mjs";import"./chunk-7RHYSARA.mjs";import"./chunk-XZAV3CNQ.mjs";import"./chunk-YSEMZNLZ.mjs";import"./chunk-BWNNEEET.mjs";import"./chunk-YSNAJEVU.mjs";import"./chunk-KKMRSCRO.mjs";import"./chunk-IDFTUA53.mjs";import"./chunk-WKLCUPSZ.mjs";import"./chunk-URK4UMMC.mjs";import"./chunk-EQPM67RC.mjs";import"./chunk-7I5PESPO.mjs";import"./chunk-IG5OQL5J.mjs";import"./chunk-4Q5QQVQS.mjs";import"./chunk-RWXDVLT7.mjs";import"./chunk-2SSCAYF3.mjs";import"./chunk-QH6ZMLEJ.mjs";import"./chunk-N3ZBXFKY.mjs";import"./chunk-PT43RI2L.mjs";import"./chunk-LLH7XJHY.mjs";import"./chunk-YADLWWSX.mjs";import"./chunk-D3HDDJ3Y.mjs";import"./chunk-FCD5XXAE.mjs";import"./chunk-F2LHHJUB.mjs";import"./chunk-5WJF3PRQ.mjs";import"./chunk-TN6HWXVS.mjs";import"./chunk-GJJHY2XO.mjs";import"./chunk-G3NVUPWA.mjs";import"./chunk-LCO45APC.mjs";import"./chunk-USKBOL54.mjs";import"./chunk-TY265TXM.mjs";import"./chunk-TMNVXSTD.mjs";import"./chunk-EUPTN6U2.mjs";import"./chunk-BEKXZYG7.mjs";import"./chunk-XHCLFC2N.mjs";import"./chunk-G66FKXOI.mjs";import"./chunk-XJ5SNNFZ.mjs";import"./chunk-V2WQV7UR.mjs";import"./chunk-PGMDLFE3.mjs";import"./chunk-HERMKA43.mjs";import{createHash as Ze}from"node:crypto";var L=e=>`m-${e.replace(/[^A-Za-z0-9_-]/g,t=>`.${t.charCodeAt(0)}`)}`;function k({pages:e,contents:t}){let r=new Set(e.map(({memory:o})=>o.id));return(o,s=140)=>{let n=t.get(o);if(n===void 0)return m`<span class="gone">a memory that is not in this report</span>`;let a=h(n,s);return r.has(o)?m`<a href="#${L(o)}">${a}</a>`:a}}var ke={day:"on",week:"in the week from",month:"in"};function te({periods:e,unit:t,totals:r}){let o=e.reduce((l,i)=>i.sessions>(l?.sessions??0)?i:l,e[0]);if(!o)return u("Each session that the hooks record becomes part of a chart here.");let s=p(e.length,t),n=e.length>1?`; most ${ke[t]} ${E(o.start,t)} (${o.sessions})`:"",a=`${p(r.sessions,"session")} in ${s}${n}`;return w({id:"sessions-chart",finding:a,draw:D({unit:t,label:"sessions",columns:e.map(({start:l,sessions:i})=>({start:l,value:i}))}),alternative:`Columns: sessions per ${t}. ${a}.`,counted:"a session counts where its first event is. All times are UTC. Prompts and tool calls are in the table.",table:{caption:`Sessions per ${t}`,heads:[t,"sessions","prompts","tool calls","notes shown","tokens of notes"],rows:e.map(l=>[E(l.start,t),...[l.sessions,l.prompts,l.calls,l.notes,l.tokens].map(c)]),numeric:[1,2,3,4,5]}})}var R={start:"session start",prompt:"prompt",call:"tool call",failure:"failed call",agent:"subagent start",ask:"asked for"};function re(e){let{moments:t}=e;return t.length===0?u("As soon as a note is shown, this part says when, and what came of it."):m`${xe(t)}${Me(e)}`}function xe(e){let t=e.flatMap(({interval:i,...d})=>i?[{...d,interval:i}]:[]),r={caption:"Notes by moment",heads:["moment","times shown","times held back","notes","tokens","used, of those with a known result"],rows:e.map(i=>[R[i.moment],...[i.shown,i.withheld,i.notes,i.tokens].map(c),j(i.used,i.judged,i.interval)]),numeric:[1,2,3,4]},o=[...t].sort((i,d)=>d.used/d.judged-i.used/i.judged)[0];if(!o)return m`<p>No session with a note has ended yet, so no result is known.</p>${$(r)}`;let s=t.reduce((i,d)=>i+d.judged,0),n=t.reduce((i,d)=>i+d.used,0),a=`${T(n/s)} of the shown notes were used`+(n>0&&t.length>1?`, most at a ${R[o.moment]} (${T(o.used/o.judged)})`:""),l=Math.max(...t.map(({interval:i})=>i[1]));return w({id:"use-chart",finding:a,draw:A({label:"used, %",domain:[0,J(l)],rows:t.map(({moment:i,interval:[d,f],...b})=>({name:R[i],value:100*b.used/b.judged,low:100*d,high:100*f}))}),alternative:t.map(({moment:i,used:d,judged:f,interval:b})=>`${R[i]}: ${j(d,f,b)}`).join(". "),counted:`a note counts as used if something followed that it says, was not known before and is more frequent than chance: its command ran, its file was changed, its error stayed away, or an answer repeats it. The latest ${p(s,"note")} with a known result are counted. Lines: 95\xA0% intervals (Wilson); notes of one session are not quite independent, so the true ones are a little wider.`,table:r})}var oe={"failure rate":["Tasks with a failed call","difference, percentage points","points"],"known errors again":["Tasks with a known error","difference, percentage points","points"],"tool calls":["Tool calls per task","difference, calls","calls"],time:["Time per task","difference, % of the time without a note","%"]};function Me({experiment:e}){let{effects:t,shown:r,withheld:o,neededPerArm:s,holdoutShare:n}=e;if(!t){let i=Math.max(0,s-o),d=i>0?`${p(i,"more note")} held back`:`${s-r} more shown notes`;return m`<figure aria-labelledby="effect-title">
<figcaption id="effect-title">The effect of showing notes is not known yet: it needs ${d}</figcaption>
<p>${c(o)} of ${s} held back, ${c(r)} of ${s} shown. At the
present rate about one note in ${n>0?Math.round(1/n):"\u2013"} is held back by chance, so
this takes about ${p(Math.ceil(i/Math.max(n,.001)),"more note")}.</p></figure>`}let a=t.filter(({verdict:i})=>i!=="not known yet"),l=a.length===0?"Tasks with and without a note do not differ beyond chance":`Beyond chance by itself: ${a.map(Se).join(", ")} with notes`;return m`<figure aria-labelledby="effect-title">
<figcaption id="effect-title">${l}</figcaption>
<div class="effects">${t.map(Te)}</div>
<p class="counted"><strong>How this is counted:</strong> chance decides which notes are held back. Compared are the
tasks after ${p(r,"shown note")} and after ${p(o,"held-back one")}, up to the next prompt. Left
of zero is better. If the line, a 95&nbsp;% interval, touches zero, the difference may be chance.</p>
<details><summary>Numbers as a table<span class="sr">: effects</span></summary>${$({caption:"Effect of showing notes",heads:["per task","with note","without","difference","95 % interval"],rows:t.map(i=>[oe[i.name][0],...se(i)]),numeric:[1,2,3,4]})}</details></figure>`}var Se=({name:e,verdict:t})=>`${e} ${t==="helps"?"lower":"higher"}`,ne=({name:e})=>e==="tool calls"?1:100;function se(e){let{name:t,shown:r,withheld:o,effect:s,lower:n,upper:a}=e,l=d=>t==="time"?`${v(d)} s`:t==="tool calls"?v(d):T(d),i=ne(e);return[l(r),l(o),g(i*s),`${g(i*n)} to ${g(i*a)}`]}function Te(e){let[t,r,o]=oe[e.name],s=ne(e),{effect:n,lower:a,upper:l}=e,i={name:" ",value:s*n,low:s*a,high:s*l},[,,d,f]=se(e),b=`${t}: ${d} ${o}, 95 % interval ${f}`;return m`<div class="effect"><h4>${t}</h4>
<p>${d}\u00a0${o} <span>(${f})</span></p>
${V(A({label:r,rows:[i],isCompact:!0}),b)}</div>`}function ae(e){let t=k(e);return m`${e.pages.map(r=>He(r,t))}`}var ie=120,Re=({content:e,statement:t})=>{let r=e.trim();return r.length<=ie&&!r.includes(`
`)&&(t?.short??r)===r};function He(e,t){let{memory:r,successor:o,predecessors:s}=e,n=L(r.id);return m`<article class="memory" id="${n}" tabindex="-1" aria-labelledby="${n}-title">
<p class="back"><a href="#memories">← All memories</a></p>
<p class="brand">${r.kind}${r.status==="archived"&&" \xB7 archived"}${o!==void 0&&" \xB7 superseded"}
</p>
<h1 id="${n}-title">${h(r.statement?.short??r.content,ie)}</h1>
${Re(r)?"":G(r.content)}
${o!==void 0&&m`<p>Superseded by ${t(o)}</p>`}
${s.length>0&&m`<p>Supersedes ${Ee(s.map(a=>t(a)))}</p>`}
<dl class="fields">${Ce(e).map(Pe)}</dl>
<h2>Where it comes from</h2>
${ze(e)}
<h2>When it was shown, and what followed</h2>
${je(e)}
</article>
`}var Ee=e=>m`${e.map((t,r)=>m`${r>0&&", "}${t}`)}`,Pe=([e,t])=>m`<div${typeof t!="string"&&m` class="whole"`}><dt>${e}</dt><dd>${t}</dd></div>`,De={person:"the person",assistant:"the assistant",tool:"tools of the client",outside:"the output of commands or other outside content",team:"a teammate"};function Ce({memory:e}){let{help:t,lesson:r,fact:o,statement:s}=e,n=r?.fix?.steps.map(({what:l})=>l)??[];return[["Words from",De[_(e)]],N(e)!==""&&["Team",h(N(e),120)],["First",y(e.created)],["Updated",y(e.updated)],["Sessions",c(e.sessionCount)],["Tier",e.tier],["Importance",v(e.importance)],["Strength",v(e.strength)],["Shown",c(t.shown)],["Used",c(t.used)],["Contribution",g(t.contribution)],e.privacy!=="public"&&["Visible to",e.privacy==="private"?"its own agent":`agents of the role ${e.role}`],r?.command!==void 0&&["Command",H(r.command)],r!==void 0&&r.error!==""&&["Error",H(r.error)],n.length>0&&["Fixed by",m`${n.slice(0,4).map((l,i)=>m`${i>0&&", "}${H(l)}`)}`],o!==void 0&&["State",`${o.state}, ${p(o.failures,"failed call")}`],s?.reason!==void 0&&["Reason",h(s.reason,240)],e.files.length>0&&["Files",m`${e.files.slice(0,6).map((l,i)=>m`${i>0&&", "}${H(l)}`)}`],["Id",m`<code>${h(e.id,60)}</code>`]].filter(l=>l!==!1)}var H=e=>m`<code>${h(e,200)}</code>`,Ne={prompt:"prompt",answer:"answer","call.started":"call","call.succeeded":"call passed","call.failed":"call failed","agent.stopped":"subagent\u2019s report"};function ze({memory:e,sources:t}){if(t.length===0){let r=e.entrySource?"It was read from an entry file.":"Its events are not in the log, or it was stored by a tool.";return m`<p>${r}${e.session!==void 0&&m` Session ${H(e.session)}.`}</p>`}return S({caption:"Events it was derived from, the latest first",heads:["time (UTC)","event","text","session"],rows:[...t].reverse().map(({at:r,kind:o,text:s,session:n})=>[me(r),Ne[o]??o,h(s,160),H(n.slice(0,8))])})}function je({showings:e,showingsLeftOut:t,memory:r}){if(e.length===0){let o=r.help.shown,s=`It was shown ${p(o,"time")}, before the time of this report.`;return m`<p>${o===0?"It has not been shown yet.":s}</p>`}return m`${S({caption:"Times it was shown, the latest first",heads:["time (UTC)","moment","because of","what followed","contribution"],rows:e.map(o=>[me(o.at),R[o.moment],o.cue===""?"\u2013":h(o.cue,120),Ae(o),o.verdict?g(o.verdict.contribution):"\u2013"]),numeric:[4]})}${t>0&&m`<p class="rest">${p(t,"earlier time")} not listed.</p>`}`}var Ie={command:"its command ran",file:"its file was changed",errorGone:"its error stayed away",answer:"an answer repeats it",words:"its words were used"};function Ae({withheld:e,blocked:t,verdict:r}){if(e)return"held back by chance, for comparison";let o=t?"the call was blocked once; ":"";if(!r)return`${o}no result known`;let s=r.traces.map(n=>Ie[n]??n);return s.length===0?`${o}no trace of use`:`${o}${s.join(", ")}; used with ${T(r.used)} confidence`}var me=e=>`${y(e)}, ${e.slice(11,16)}`;var x=q,Le={command:"command",path:"path",tool:"missing tool or flag",rule:"rule of a linter",order:"order of steps",rejection:"rejected by the person",routine:"standing command"};function le(e){let{facts:t}=e,r=t.filter(({fact:a})=>a.state!=="retired"),o=t.length-r.length;if(t.length===0)return u("What keeps failing or is always done in this project is collected here after a few sessions.");let s=r.filter(({fact:a})=>a.state==="standing").length,n=k(e);return m`<p>${p(s,"standing fact")} (seen in two sessions or more),
${c(r.length-s)} proposed (seen in one), ${c(o)} retired (no longer true).
The worthiest come first: those expected to avoid the most failed calls.</p>
${S({caption:"Project facts",heads:["fact","about","state","sessions","failed calls","last met"],rows:r.slice(0,x).map(a=>Oe(a,n)),numeric:[3,4]})}
${de(p(r.length-x,"more fact"),"memctl facts",r.length>x)}`}var de=(e,t,r)=>r&&m`<p class="rest">${e}: <code>${t}</code>.</p>`,Oe=({memory:e,fact:t},r)=>[r(e.id,180),Le[t.topic],t.state,c(e.sessionCount),c(t.failures),y(t.lastMet)];function ce(e){let{standing:t,superseded:r}=e;if(t.length+r.length===0)return u("Preferences, rules and decisions that a person states in a prompt are listed here.");let o=k(e),s=qe(r),n=p(r.length,"statement was","statements were");return m`<p>${p(t.length,"standing statement")}; ${n} superseded by a later one.</p>
${S({caption:"Standing statements, the latest first",heads:["statement","type","holds for","said"],rows:t.slice(0,x).map(a=>_e(a,o,s))})}
${de(p(t.length-x,"more statement"),"memctl list --kind preference",t.length>x)}
${r.length>0&&We(r,o)}`}var Fe={person:"every project",project:"this project",branch:"a branch",file:"a file"};function _e(e,t,r){let{statement:o}=e,s=r.get(e.id)??[];return[m`${t(e.id,180)}${s.map(({content:n})=>m`<span class="before">instead of: <s>${h(n,90)}</s></span>`)}`,o?.type??e.kind,o?Fe[o.scope]:"",y(e.created)]}function qe(e){let t=new Map;for(let r of e){let o=C(r);o!==void 0&&t.set(o,[...t.get(o)??[],r])}return t}var We=(e,t)=>m`<details><summary>What was superseded, and by what</summary>${$({caption:"Superseded statements, the latest first",heads:["no longer","since then","first said"],rows:e.slice(0,x).map(r=>[t(r.id),t(C(r)),y(r.created)])})}</details>`;function fe(e){let{helpful:t,unhelpful:r}=e;if(t.length+r.length===0)return u("When sessions with notes have ended, the memories that help most and least are listed here.");let o=t.length===0?u("No shown memory has helped measurably yet."):pe(e,t,{id:"help-chart",rank:"most"}),s=r.length===0?u("No memory has cost more than it gave."):pe(e,r,{id:"cost-chart",rank:"least"});return m`${o}${s}`}function pe(e,t,{id:r,rank:o}){let s=k(e),[n]=t,a=`${c(t.length)} memories that help ${o}`,l=t.reduce((i,{help:d})=>i+d.contribution,0);return w({id:r,finding:t.length===1?`The memory that helps ${o}`:`The ${a} (${g(l)} in all)`,draw:Q({label:l<0?"cost: contribution below zero":"contribution",rows:t.map(({content:i,statement:d,help:f})=>({name:X(d?.short??i,140),value:f.contribution,label:g(f.contribution)}))}),alternative:`Bars: contribution of ${p(t.length,"memory","memories")}, the greatest ${g(n?.help.contribution??0)}. The table below names them.`,counted:l<0?"as above; the bars show how far a sum is below zero.":"each showing contributes between \u22121 and 1; the bars are sums. Contribution = use \xD7 (success, time, calls and errors of the task, compared with what is usual here) \u2212 a small cost if it was not used. Preferences, decisions and entries cost nothing when unused.",table:{caption:`Memories that help ${o}`,heads:["memory","kind","shown","used","contribution"],rows:t.map(i=>Ue(i,s)),numeric:[2,3,4]},isTableOpen:!0})}var Ue=({id:e,kind:t,help:r},o)=>[o(e),t,c(r.shown),c(r.used),g(r.contribution)],O={lesson:"Lessons: an error and what fixed it",fact:"Project facts",preference:"Preferences",decision:"Decisions",entry:"Entries that somebody wrote",summary:"Summaries of sessions",experience:"Experiences: one task or one failed call",consolidated:"Consolidated memories"};function he(e){let{pages:t,pagesLeftOut:r}=e;if(t.length===0)return u("Each memory gets a page of its own: where it comes from, when it was shown, what followed.");let o=k(e),s=Object.keys(O).filter(n=>t.some(({memory:a})=>a.kind===n));return m`<p>${p(t.length,"memory has","memories have")} a page: choose its text.${r>0&&m` ${c(r)} more are left out to keep this file small; <code>memctl report --pages N</code>
takes more, and <code>memctl list</code> has all.`}</p>
${s.map(n=>{let a=t.map(({memory:i})=>i).filter(i=>i.kind===n),l=m`<span class="count">${c(a.length)}</span>`;return m`<details class="kind"><summary>${O[n]} ${l}</summary>${$({caption:O[n],heads:["memory","updated","shown","used","contribution"],rows:a.map(({id:i,updated:d,help:f})=>[o(i),y(d),...[f.shown,f.used].map(c),f.shown===0?"\u2013":g(f.contribution)]),numeric:[2,3,4]})}</details>`})}`}var Ke=4,Be=30;function ge({policy:e}){let{name:t,version:r,frozen:o,exclusions:s,judged:n,evidenceMin:a}=e,l=p(s.length,"memory is","memories are"),i=m`<p>The policy is <b>${h(t,60)}</b>${r===0?", as it was configured":`, version ${r}`}${o&&"; learning is switched off"}. ${p(n,"recall")} with a known result ${n<a?`so far; learning begins at ${a}.`:"are kept as evidence."} ${s.length>0&&`${l} not shown at some moments: it was never of use there.`}</p>`,d=Ye(e);return d.length===0?m`${i}<p class="empty">No number of it has changed${e.history.length>0&&" to stay"}. ${e.history.length>0&&`${p(e.history.length,"change")} concerned exclusions or evidence alone.`} When learning moves a number, its course and the reason are shown here.</p>${ue(e)}`:m`${i}${Ve(e,d)}${ue(e)}`}function Ye({history:e,numbers:t}){let o=[...new Set(e.flatMap(({values:n})=>Object.keys(n)))].flatMap(n=>{let a=t.find(d=>d.path===n)?.defaultValue;if(a===void 0)return[];let l=Math.abs(a)||1,i=e.map(({at:d,values:f})=>({at:d,change:100*((f[n]??a)-a)/l}));return i.some(({change:d})=>d!==0)?[{path:n,points:i}]:[]}),s=({points:n})=>Math.max(...n.map(({change:a})=>Math.abs(a)));return o.sort((n,a)=>s(a)-s(n))}function Ve({numbers:e},t){let r=t.slice(0,Ke),o=`Learning has moved ${p(t.length,"number")} of the policy; most of all ${r[0]?.path}`,s=t.map(({path:n})=>{let a=e.find(d=>d.path===n),{defaultValue:l=0,activeValue:i=0}=a??{};return[n,v(l),v(i),g(i-l)]});return w({id:"policy-chart",finding:o,draw:Je(r),alternative:s.map(([n,a,l])=>`${n}: ${a} by default, now ${l}`).join(". "),counted:`each step is a version of the policy, in percent of the default value (of 1 where that is 0). The ${p(r.length,"number")} with the greatest change are drawn.`,table:{caption:"Numbers of the policy that have moved",heads:["number","default","now","difference"],rows:s,numeric:[1,2,3]}})}var Je=e=>t=>{let r=e.flatMap(({path:s,points:n})=>n.map(({at:a,change:l})=>({path:s,at:new Date(a),change:l}))).sort((s,n)=>s.at.getTime()-n.at.getTime()),o=e.map(({path:s})=>({path:s,name:s}));return{height:84+e.length*74,marginLeft:48,marginRight:16,marginTop:44,marginBottom:44,x:{type:"utc",ticks:t===Y?3:6,label:"time (UTC)",labelAnchor:"center",labelArrow:"none"},y:{label:"change, %",ticks:3,nice:!0,labelArrow:"none"},fy:{axis:null,domain:o.map(({path:s})=>s),padding:.32},marks:[K({stroke:"var(--grid)",strokeOpacity:1,ticks:3}),W([0],{stroke:"var(--axis)"}),B(r,{x:"at",y:"change",fy:"path",curve:"step-after",stroke:"var(--one)",strokeWidth:2}),U(o,{fy:"path",text:"name",frameAnchor:"top-left",dy:-14,fill:"var(--text)",fontSize:12})]}};function ue({history:e}){if(e.length===0)return m``;let t=e.slice(-Be).reverse(),r=e.length-t.length,o=r>0&&m`<p class="rest">${p(r,"earlier change")}: <code>memctl policy history</code>.</p>`;return m`<details><summary>${p(e.length,"change")}, with reasons</summary>${$({caption:"Changes of the policy, the latest first",heads:["version","day","by","reason","numbers that differ"],rows:t.map(s=>Xe(s)),numeric:[4]})}${o}</details>`}var Xe=({version:e,at:t,by:r,reason:o,values:s})=>[e,y(t),r==="improve"?"learning":"a person",h(o,200),c(Object.keys(s).length)];function ye({periods:e,unit:t,tokens:r,totals:o}){if(o.notes===0)return u("No note was shown yet, so none has cost tokens.");let s=`Half of the sessions with notes got at most ${c(r.median)} tokens of them`,n=e.map(({start:a,tokens:l})=>({start:a,value:l}));return w({id:"tokens-chart",finding:s,draw:D({unit:t,label:"tokens of notes",columns:n}),alternative:`Columns: tokens of shown notes per ${t}. ${s}; in all ${c(r.total)}.`,counted:`the estimated length of every text that was added to a conversation, subagents included. Nine of ten sessions stayed below ${c(r.p90)} tokens; the longest had ${c(r.max)}.`,table:{caption:`Tokens per ${t}`,heads:[t,"notes","tokens"],rows:e.map(a=>[E(a.start,t),...[a.notes,a.tokens].map(c)]),numeric:[1,2]}})}var Ge={hot:"hot: the last days",warm:"warm: the last weeks",cold:"cold: older"};function we({status:e,vectorBytes:t}){let{memories:r,bytes:o,events:s}=e,n=Object.entries(r.byKind).filter(([,b])=>b>0),a=$({caption:"Size on disk",heads:["part","size"],rows:[[s.lines===null?"event log":`event log, ${p(s.lines,"event")}`,P(o.log)],["memories and their index",P(o.memories)],["vectors",P(t)]],numeric:[1]});if(r.total===0)return m`${u("Memories appear when the first session has ended.")}${a}`;let l=Object.entries(r.byTier).map(([b,M])=>({name:Ge[b],value:M,label:c(M)})),i=r.total-r.archived,d=`${c(i)} active, ${c(r.archived)} archived`,f=`${p(r.total,"memory","memories")}: ${d}`;return m`${w({id:"tiers-chart",finding:f,draw:I({label:"memories",rows:l}),alternative:l.map(({name:b,label:M})=>`${b}: ${M}`).join(". "),counted:"a memory moves from hot to warm to cold with age; an archived one stays searchable but is not shown by itself. Private memories are not counted.",table:{caption:"Memories by kind",heads:["kind","memories"],rows:n.map(([b,M])=>[b,c(M)]),numeric:[1]}})}${a}`}var be={recalled:"any hook that found a note","session.started":"SessionStart",prompt:"UserPromptSubmit","call.started":"PreToolUse","call.succeeded":"PostToolUse","call.failed":"PostToolUseFailure",answer:"Stop","agent.started":"SubagentStart","agent.stopped":"SubagentStop",compaction:"PreCompact, PostCompact","session.ended":"SessionEnd"};function $e({hooks:e,status:{faults:t}}){let r=t.latest?`${t.latest.where}: ${t.latest.what}`:"",o=t.latest?m`<p>${p(t.count,"fault")} of hooks in all. The latest: ${h(r,200)}.
<code>memctl doctor</code> says what to do.</p>`:m`<p>No hook has had a fault.</p>`;return e.length===0?m`${u("No hook of this log has recorded its time: earlier versions, imports and replays do not. `memctl bench hooks` measures them on this machine.")}${o}`:m`${Qe(e)}${o}`}function Qe(e){let t=e.reduce((n,{count:a})=>n+a,0),o=`Half of the hooks of each kind took at most ${e.reduce((n,a)=>a.medianMs>n?a.medianMs:n,0)} ms`,s=e.map(({kind:n,medianMs:a})=>({name:be[n]??n,value:a,label:`${a} ms`}));return w({id:"hooks-chart",finding:o,draw:I({label:"median, milliseconds",rows:s}),alternative:s.map(({name:n,label:a})=>`${n}: ${a}`).join(". "),counted:`the time from the start of the hook's process until it wrote its event, ${p(t,"time")}; one that found a note wrote twice. What the system needs to create and to end the process comes on top: a few milliseconds.`,table:{caption:"Times by hook",heads:["hook","times","median","95 % below","longest"],rows:e.map(({kind:n,count:a,medianMs:l,p95Ms:i,maxMs:d})=>[be[n]??n,c(a),...[l,i,d].map(f=>`${c(f)} ms`)]),numeric:[1,2,3,4]}})}var F=`
:root {
  color-scheme: light dark;
  --back: #f6f7f9; --card: #ffffff; --text: #1b2330; --dim: #556072; --line: #dde2ea; --grid: #e6eaf0; --axis: #7b8798;
  --one: #2456c4; --two: #5b7fd6; --soft: #d5e0f8; --bad: #b3382c; --good: #1b7a43; --open: #8a5a00; --link: #1d4fc0;
  --mark: #eef2fb;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #11151c; --card: #191f29; --text: #e6eaf1; --dim: #a3aec0; --line: #2d3645; --grid: #283140;
    --axis: #78859a; --one: #8ab4ff; --two: #5d86d6; --soft: #263a5f; --bad: #ff9c8f; --good: #6fd49a; --open: #f0be66;
    --link: #9cc0ff;
    --mark: #1f2938;
  }
}
* { box-sizing: border-box; }
html { font: 100%/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Hiragino Sans", "Yu Gothic UI",
  "Noto Sans CJK JP", Meiryo, sans-serif; scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--back); color: var(--text); overflow-wrap: anywhere; }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible, .scroll:focus-visible, main:focus-visible, article:focus-visible {
  outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
main:focus:not(:focus-visible), article:focus:not(:focus-visible) { outline: none; }
code { font: .9em ui-monospace, SFMono-Regular, Menlo, Consolas, "Noto Sans Mono", monospace; }
bdi { unicode-bidi: isolate; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -4rem; background: var(--card); padding: .5rem 1rem; z-index: 1; }
.skip:focus { top: 1rem; }
.page { max-width: 76rem; margin: 0 auto; padding: 2rem 1.5rem 4rem; display: grid; gap: 0 2.5rem;
  grid-template-columns: 13.5rem minmax(0, 1fr); grid-template-areas: "top top" "contents main" "footer footer"; }
.top { grid-area: top; margin-bottom: 2rem; }
.contents { grid-area: contents; }
main { grid-area: main; min-width: 0; }
footer { grid-area: footer; color: var(--dim); font-size: .875rem;
  border-top: 1px solid var(--line); margin-top: 2rem; }
.brand { margin: 0; color: var(--dim); font-size: .8125rem; font-weight: 600; letter-spacing: .04em; }
h1 { font-size: 1.875rem; line-height: 1.2; margin: .1rem 0 .2rem; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 .9rem; }
h3 { font-size: 1rem; margin: 1.75rem 0 .5rem; }
h4 { font-size: .875rem; margin: 0; }
.meta { margin: 0 0 1.25rem; color: var(--dim); }
.verdict { background: var(--card); border: 1px solid var(--line); border-left: 6px solid var(--open);
  border-radius: 10px; padding: 1.1rem 1.4rem; }
.verdict.good { border-left-color: var(--good); }
.verdict.bad { border-left-color: var(--bad); }
.verdict .question { margin: 0; color: var(--dim); font-size: .875rem; }
.verdict h2 { font-size: 1.5rem; margin: .1rem 0 .35rem; }
.verdict p:last-child { margin: 0; max-width: 70ch; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 1rem; margin: 1rem 0 0; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .9rem 1.1rem; }
.tile dt { color: var(--dim); font-size: .875rem; }
.tile dd { margin: 0; }
.tile b { display: block; font-size: 1.625rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
.tile span { display: block; color: var(--dim); font-size: .8125rem; }
.contents h2 { font-size: .8125rem; color: var(--dim); margin: .35rem 0 .5rem; }
.contents ol { list-style: none; margin: 0; padding: 0; position: sticky; top: 1.5rem; }
.contents li { margin: 0; }
.contents a { display: block; padding: .28rem .6rem; margin-left: -.6rem; border-radius: 6px; color: var(--text);
  text-decoration: none; font-size: .9375rem; line-height: 1.35; }
.contents a:hover { background: var(--mark); text-decoration: underline; }
.sections > section { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: 1.4rem 1.6rem; margin-bottom: 1.5rem; scroll-margin-top: 1rem; }
figure { margin: 0 0 1.75rem; }
figure:last-child { margin-bottom: 0; }
figcaption { font-weight: 600; margin-bottom: .6rem; text-wrap: balance; }
.chart { color: var(--dim); max-width: 56rem; }
.chart svg { display: block; fill: currentColor; width: 100%; height: auto;
  font: 12px system-ui, "Hiragino Sans", "Noto Sans CJK JP", sans-serif; }
.chart text, .chart tspan { white-space: pre; }
.chart.narrow { display: none; }
.effects { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 1rem 2rem; }
.effect p { margin: 0; font-variant-numeric: tabular-nums; }
.effect p span { color: var(--dim); font-size: .875rem; }
.counted { color: var(--dim); font-size: .875rem; max-width: 75ch; margin: .5rem 0 .6rem; }
.counted strong { font-weight: 600; }
.empty { color: var(--dim); background: var(--mark); border-radius: 8px; padding: .8rem 1rem; margin: 0 0 1rem; }
.rest { color: var(--dim); font-size: .875rem; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0 0 .5rem; padding: 0;
  font-size: .875rem; }
.legend li { display: flex; align-items: center; gap: .45rem; }
.swatch { width: .9rem; height: .9rem; flex: none; background: var(--one); }
.swatch.rest { background: var(--soft); border: 1.5px solid var(--two); }
summary { cursor: pointer; color: var(--link); font-size: .9375rem; padding: .2rem 0; }
details[open] > summary { margin-bottom: .5rem; }
.kind > summary { font-size: 1rem; font-weight: 600; padding: .45rem 0; border-top: 1px solid var(--line); }
.count { color: var(--dim); font-weight: 400; }
.scroll { overflow-x: auto; margin: 0 0 1rem; border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: .6rem .8rem; color: var(--dim); }
th, td { text-align: left; vertical-align: top; padding: .45rem .8rem; border-top: 1px solid var(--line);
  overflow-wrap: break-word; }
thead th { color: var(--dim); font-weight: 600; vertical-align: bottom; }
tbody th { font-weight: 400; min-width: 9rem; }
td { min-width: 5.5rem; }
td.number { min-width: 3rem; }
.number { text-align: right; white-space: nowrap; }
tbody tr:hover { background: var(--mark); }
article.memory { display: none; background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: 1.4rem 1.6rem; scroll-margin-top: 1rem; }
article.memory:target { display: block; }
.page:has(article.memory:target) :is(.sections, .top, .contents) { display: none; }
.page:has(article.memory:target) { grid-template-columns: minmax(0, 56rem); grid-template-areas: "main" "footer";
  justify-content: center; }
article.memory h1 { font-size: 1.375rem; margin-bottom: .9rem; }
article.memory h2 { font-size: 1rem; margin: 1.75rem 0 .5rem; }
.back { margin: 0 0 1rem; }
.text { white-space: pre-wrap; background: var(--mark); border-radius: 8px; padding: .8rem 1rem; margin-bottom: 1rem; }
.fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: .7rem 1.2rem;
  margin: 1rem 0; }
.fields .whole { grid-column: 1 / -1; }
.fields dt { color: var(--dim); font-size: .8125rem; }
.fields dd { margin: 0; }
.before { display: block; color: var(--dim); font-size: .8125rem; }
.gone { color: var(--dim); font-style: italic; }
@media (max-width: 58rem) {
  .page { grid-template-columns: minmax(0, 1fr); grid-template-areas: "top" "contents" "main" "footer"; }
  .contents { margin-bottom: 1.5rem; }
  .contents ol { position: static; columns: 2; column-gap: 1.5rem; }
}
@media (max-width: 40rem) {
  .page { padding: 1rem .75rem 3rem; }
  .contents ol { columns: 1; }
  .contents a { padding: .4rem .6rem; }
  .sections > section, article.memory { padding: 1rem .9rem; }
  .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .6rem; }
  .tile { padding: .7rem .8rem; }
  .tile b { font-size: 1.25rem; }
  table.broad { min-width: 36rem; }
  .chart.wide { display: none; }
  .chart.narrow { display: block; max-width: 26rem; }
}
@media print {
  .contents, .skip, .back { display: none; }
  .page { display: block; padding: 0; max-width: none; }
  .sections > section, .verdict, .tile { border-color: #999; break-inside: avoid-page; }
  .scroll { overflow: visible; }
  body { background: #fff; }
}
@media (forced-colors: active) {
  .swatch { forced-color-adjust: none; }
}
`;var et=`<!doctype html>
<!-- memctl report -->`,ve=[{id:"sessions",title:"Sessions over time",render:te},{id:"notes",title:"What was shown, and what came of it",render:re},{id:"failures",title:"Failures met and avoided",render:Z},{id:"help",title:"Memories that help most and least",render:fe},{id:"facts",title:"Project facts",render:le},{id:"statements",title:"What people said, and what superseded it",render:ce},{id:"policy",title:"Policy over time",render:ge},{id:"tokens",title:"Tokens",render:ye},{id:"sizes",title:"Tiers and sizes",render:we},{id:"hooks",title:"Times of hooks",render:$e},{id:"memories",title:"All memories",render:he}];function cr(e,t){let o=`default-src 'none'; style-src 'sha256-${Ze("sha256").update(F).digest("base64")}'; base-uri 'none'; form-action 'none'`,{name:s}=e.status.project;return`${et}
${m`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${z(o)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>memctl report: ${s}</title>
<style>${z(F)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="page">
${ee(e)}
<nav class="contents" aria-label="Contents"><h2>Contents</h2><ol>${ve.map(({id:n,title:a})=>m`<li><a href="#${n}">${a}</a></li>`)}</ol></nav>
<main id="content" tabindex="-1">
<div class="sections">${ve.map(n=>tt(n,e))}</div>
${ae(e)}</main>
${rt(e,t)}
</div>
</body>
</html>`.html}
`}var tt=({id:e,title:t,render:r},o)=>m`<section id="${e}" aria-labelledby="${e}-title">
<h2 id="${e}-title">${t}</h2>
${r(o)}
</section>
`;function rt({includesPrivate:e,status:t},r){let o=e?"It includes private memories: do not share it.":"Private memories are left out.";return m`<footer><p>Made by <code>memctl report</code> from ${t.store}. This file is a copy: it loads nothing,
sends nothing, and does not change when the memory does. ${o}</p>${r!==void 0&&m`<p>Hub: ${h(r,400)}</p>`}</footer>`}export{et as REPORT_MARK,cr as renderReport};
