import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a as B}from"./chunk-CWTV7HVN.mjs";import{A as L,B as D,C as oe,E as ne,a as m,b as N,c as Y,d as V,e as J,f as X,g as G,h as Q,i as w,j as $,k as v,l as u,m as c,n as S,o as z,p as k,q as g,r as y,s as T,t as p,u as Z,v as h,w as ee,x as te,y as A,z as re}from"./chunk-DQMX5QKL.mjs";import"./chunk-YO372SUK.mjs";import"./chunk-UUDBRUBZ.mjs";import"./chunk-3YXLW7N3.mjs";import"./chunk-SWRPBCY4.mjs";import"./chunk-P2N6O2ME.mjs";import"./chunk-QURTEOLD.mjs";import"./chunk-MBVYYEVT.mjs";import{a as q,b as P,c as K,d as U}from"./chunk-KOAT4TZZ.mjs";import{a as E}from"./chunk-TGFJMTY7.mjs";import"./chunk-OYDIY5G2.mjs";import"./chunk-OXVGO5W7.mjs";import"./chunk-S3LTDMHD.mjs";import"./chunk-SC7O2NS7.mjs";import"./chunk-RASBQHPP.mjs";import"./chunk-BTDAX3FA.mjs";import"./chunk-WZA5KZAF.mjs";import"./chunk-2AFBTLGO.mjs";import"./chunk-CYTQAVZN.mjs";import"./chunk-D67ELMRW.mjs";import"./chunk-GTSTK6DK.mjs";import"./chunk-ZSZCBOAN.mjs";import"./chunk-MSHZVJDU.mjs";import{H as _}from"./chunk-FGM737T5.mjs";import"./chunk-KLOWXUTW.mjs";import"./chunk-WH3MFWYC.mjs";import{a as C}from"./chunk-E5BO4SS4.mjs";import"./chunk-LXTBR3NQ.mjs";import"./chunk-WDBCC6FS.mjs";import"./chunk-QVFHVXHP.mjs";import"./chunk-43TBT557.mjs";import"./chunk-EWF7MFDF.mjs";import"./chunk-YUB6GRFX.mjs";import"./chunk-43UANYIB.mjs";import"./chunk-7CUQ3IR4.mjs";import"./chunk-5S6LRKHN.mjs";import"./chunk-5BXDWL5A.mjs";import{c as W}from"./chunk-FP45B3PQ.mjs";import"./chunk-6MG7GYTF.mjs";import"./chunk-F4EKF6PD.mjs";import"./chunk-DKBXEZ5E.mjs";import"./chunk-DZP3SSC6.mjs";import"./chunk-MM4VSS6C.mjs";import"./chunk-5D577ZUM.mjs";import"./chunk-QQM2ZIS3.mjs";import"./chunk-L4IX2OPO.mjs";import"./chunk-VUIVYP2L.mjs";import"./chunk-BWNNEEET.mjs";import"./chunk-YQKS7LTT.mjs";import"./chunk-PX2AJ6OO.mjs";import"./chunk-5U5KAEUA.mjs";import"./chunk-BLN5USFP.mjs";import"./chunk-UHIVTHD6.mjs";import"./chunk-KQUYHFEP.mjs";import"./chunk-SA4ZWCYF.mjs";import"./chunk-EQPM67RC.mjs";import"./chunk-4BLH6HX6.mjs";import"./chunk-C7A6IWZK.mjs";import"./chunk-LXEMXW6F.mjs";import"./chunk-TLQOTVKN.mjs";import"./chunk-Y7JV3T7F.mjs";import"./chunk-NMCYNODL.mjs";import"./chunk-T3HG7RPT.mjs";import"./chunk-FCD5XXAE.mjs";import"./chunk-JK5WDEDI.mjs";import"./chunk-K4UDRVKM.mjs";import"./chunk-CGY3XY3C.mjs";import"./chunk-5WJF3PRQ.mjs";import"./chunk-PGMDLFE3.mjs";import"./chunk-3IRMGKIC.mjs";import"./chunk-56RQJ7OE.mjs";import"./chunk-X5KBKPIZ.mjs";import"./chunk-BBRORNI6.mjs";import"./chunk-J4CVJN7V.mjs";import"./chunk-S7QHHEXK.mjs";import"./chunk-XJ5SNNFZ.mjs";import"./chunk-RMWYJ7FU.mjs";import"./chunk-RP3QHJKS.mjs";import"./chunk-AYRAHRBJ.mjs";import"./chunk-HLACIQYF.mjs";import"./chunk-7WIZ446U.mjs";import"./chunk-ODHINOKJ.mjs";import"./chunk-XMHPXAIW.mjs";import"./chunk-6JGLCBTY.mjs";import"./chunk-CFUQ4ONZ.mjs";import"./chunk-XZAV3CNQ.mjs";import"./chunk-SPBGPNMB.mjs";import"./chunk-YSEMZNLZ.mjs";import"./chunk-CJSSZ7A2.mjs";import"./chunk-X4C43BI4.mjs";import"./chunk-TMNVXSTD.mjs";import"./chunk-V2WQV7UR.mjs";import"./chunk-UNEJMY66.mjs";import"./chunk-HERMKA43.mjs";import{createHash as at}from"node:crypto";var O=e=>`m-${e.replace(/[^A-Za-z0-9_-]/g,t=>`.${t.charCodeAt(0)}`)}`;function x({pages:e,contents:t}){let r=new Set(e.map(({memory:o})=>o.id));return(o,n=140)=>{let s=t.get(o);if(s===void 0)return m`<span class="gone">a memory that is not in this report</span>`;let i=h(s,n);return r.has(o)?m`<a href="#${O(o)}">${i}</a>`:i}}var Re={day:"on",week:"in the week from",month:"in"};function se({periods:e,unit:t,totals:r}){let o=e.reduce((l,a)=>a.sessions>(l?.sessions??0)?a:l,e[0]);if(!o)return u("Each session that the hooks record becomes part of a chart here.");let n=p(e.length,t),s=e.length>1?`; most ${Re[t]} ${T(o.start,t)} (${o.sessions})`:"",i=`${p(r.sessions,"session")} in ${n}${s}`;return w({id:"sessions-chart",finding:i,draw:D({unit:t,label:"sessions",columns:e.map(({start:l,sessions:a})=>({start:l,value:a}))}),alternative:`Columns: sessions per ${t}. ${i}.`,counted:"a session counts where its first event is. All times are UTC. Prompts and tool calls are in the table.",table:{caption:`Sessions per ${t}`,heads:[t,"sessions","prompts","tool calls","notes shown","tokens of notes"],rows:e.map(l=>[T(l.start,t),...[l.sessions,l.prompts,l.calls,l.notes,l.tokens].map(c)]),numeric:[1,2,3,4,5]}})}var R={start:"session start",prompt:"prompt",call:"tool call",failure:"failed call",agent:"subagent start",ask:"asked for"};function ae(e){let{moments:t}=e;return t.length===0?u("As soon as a note is shown, this part says when, and what came of it."):m`${He(t)}${Te(e)}`}function He(e){let t=e.flatMap(({interval:a,...d})=>a?[{...d,interval:a}]:[]),r={caption:"Notes by moment",heads:["moment","times shown","times held back","notes","tokens","used, of those with a known result"],rows:e.map(a=>[R[a.moment],...[a.shown,a.withheld,a.notes,a.tokens].map(c),z(a.used,a.judged,a.interval)]),numeric:[1,2,3,4]},o=[...t].sort((a,d)=>d.used/d.judged-a.used/a.judged)[0];if(!o)return m`<p>No session with a note has ended yet, so no result is known.</p>${$(r)}`;let n=t.reduce((a,d)=>a+d.judged,0),s=t.reduce((a,d)=>a+d.used,0),i=`${S(s/n)} of the shown notes were used`+(s>0&&t.length>1?`, most at a ${R[o.moment]} (${S(o.used/o.judged)})`:""),l=Math.max(...t.map(({interval:a})=>a[1]));return w({id:"use-chart",finding:i,draw:L({label:"used, %",domain:[0,Z(l)],rows:t.map(({moment:a,interval:[d,f],...b})=>({name:R[a],value:100*b.used/b.judged,low:100*d,high:100*f}))}),alternative:t.map(({moment:a,used:d,judged:f,interval:b})=>`${R[a]}: ${z(d,f,b)}`).join(". "),counted:`a note counts as used if something followed that it says, was not known before and is more frequent than chance: its command ran, its file was changed, its error stayed away, or an answer repeats it. The latest ${p(n,"note")} with a known result are counted. Lines: 95\xA0% intervals (Wilson); notes of one session are not quite independent, so the true ones are a little wider.`,table:r})}var ie={"failure rate":["Tasks with a failed call","difference, percentage points","points"],"known errors again":["Tasks with a known error","difference, percentage points","points"],"tool calls":["Tool calls per task","difference, calls","calls"],time:["Time per task","difference, % of the time without a note","%"]};function Te({experiment:e}){let{effects:t,shown:r,withheld:o,neededPerArm:n,holdoutShare:s}=e;if(!t){let a=Math.max(0,n-o),d=a>0?`${p(a,"more note")} held back`:`${n-r} more shown notes`;return m`<figure aria-labelledby="effect-title">
<figcaption id="effect-title">The effect of showing notes is not known yet: it needs ${d}</figcaption>
<p>${c(o)} of ${n} held back, ${c(r)} of ${n} shown. At the
present rate about one note in ${s>0?Math.round(1/s):"\u2013"} is held back by chance, so
this takes about ${p(Math.ceil(a/Math.max(s,.001)),"more note")}.</p></figure>`}let i=t.filter(({verdict:a})=>a!=="not known yet"),l=i.length===0?"Tasks with and without a note do not differ beyond chance":`Beyond chance: ${i.map(Ee).join(", ")} with notes`;return m`<figure aria-labelledby="effect-title">
<figcaption id="effect-title">${l}</figcaption>
<div class="effects">${t.map(Pe)}</div>
<p class="counted"><strong>How this is counted:</strong> chance decides which notes are held back. Compared are the
tasks after ${p(r,"shown note")} and after ${p(o,"held-back one")}, up to the next prompt. Left
of zero is better. If the line touches zero, the difference may be chance:
2,000 new draws of the held-back notes among the same recalls tell what chance gives.</p>
<details><summary>Numbers as a table<span class="sr">: effects</span></summary>${$({caption:"Effect of showing notes",heads:["per task","with note","without","difference","interval"],rows:t.map(a=>[ie[a.name][0],...le(a)]),numeric:[1,2,3,4]})}</details></figure>`}var Ee=({name:e,verdict:t})=>`${e} ${t==="helps"?"lower":"higher"}`,me=({name:e})=>e==="tool calls"?1:100;function le(e){let{name:t,shown:r,withheld:o,effect:n,lower:s,upper:i}=e,l=d=>t==="time"?`${k(d)} s`:t==="tool calls"?k(d):S(d),a=me(e);return[l(r),l(o),g(a*n),`${g(a*s)} to ${g(a*i)}`]}function Pe(e){let[t,r,o]=ie[e.name],n=me(e),{effect:s,lower:i,upper:l}=e,a={name:" ",value:n*s,low:n*i,high:n*l},[,,d,f]=le(e),b=`${t}: ${d} ${o}, interval ${f}`;return m`<div class="effect"><h4>${t}</h4>
<p>${d}\u00a0${o} <span>(${f})</span></p>
${Q(L({label:r,rows:[a],isCompact:!0}),b)}</div>`}function de(e){let t=x(e);return m`${e.pages.map(r=>Ce(r,t))}`}var ce=120,De=({content:e,knowledge:t})=>{let r=e.trim();return r.length<=ce&&!r.includes(`
`)&&(t?.line??r)===r};function Ce(e,t){let{memory:r,successor:o,predecessors:n}=e,s=O(r.id);return m`<article class="memory" id="${s}" tabindex="-1" aria-labelledby="${s}-title">
<p class="back"><a href="#memories">← All memories</a></p>
<p class="brand">${r.kind}${r.status==="archived"&&" \xB7 archived"}${o!==void 0&&" \xB7 superseded"}
</p>
<h1 id="${s}-title">${h(r.knowledge?.line??r.content,ce)}</h1>
${De(r)?"":te(r.content)}
${o!==void 0&&m`<p>Superseded by ${t(o)}</p>`}
${n.length>0&&m`<p>Supersedes ${Ne(n.map(i=>t(i)))}</p>`}
<dl class="fields">${Le(e).map(ze)}</dl>
<h2>Where it comes from</h2>
${je(e)}
<h2>When it was shown, and what followed</h2>
${Fe(e)}
</article>
`}var Ne=e=>m`${e.map((t,r)=>m`${r>0&&", "}${t}`)}`,ze=([e,t])=>m`<div${typeof t!="string"&&m` class="whole"`}><dt>${e}</dt><dd>${t}</dd></div>`,Ae={person:"the person",assistant:"the assistant",tool:"tools of the client",outside:"the output of commands or other outside content",team:"a teammate"};function Le({memory:e}){let{help:t}=e;return[["Words from",Ae[W(e)]],...Oe(e),C(e)!==""&&["Team",h(C(e),120)],["First",y(e.created)],["Updated",y(e.updated)],["Sessions",c(e.sessionCount)],["Tier",e.tier],["Importance",k(e.importance)],["Strength",k(e.strength)],["Shown",c(t.shown)],["Used",c(t.used)],["Contribution",g(t.contribution)],e.privacy!=="public"&&["Visible to",e.privacy==="private"?"its own agent":`agents of the role ${e.role}`],e.files.length>0&&["Files",m`${e.files.slice(0,6).map((o,n)=>m`${n>0&&", "}${I(o)}`)}`],["Id",m`<code>${h(e.id,60)}</code>`]].filter(o=>o!==!1)}function Oe({knowledge:e}){if(!e)return[];let{type:t,scope:r,state:o,reason:n,when:s}=e;return[["Type",t],["State",o],["Holds for",P[r]],s.length>0&&["When",h(K(s),300)],["Record",m`${U(e)}`],n!==void 0&&["Reason",h(n,240)]].filter(l=>l!==!1)}var I=e=>m`<code>${h(e,200)}</code>`,Ie={prompt:"prompt",answer:"answer","call.started":"call","call.succeeded":"call passed","call.failed":"call failed","agent.stopped":"subagent\u2019s report"};function je({memory:e,sources:t}){if(t.length===0){let r=e.entrySource?"It was read from an entry file.":"Its events are not in the log, or it was stored by a tool.";return m`<p>${r}${e.session!==void 0&&m` Session ${I(e.session)}.`}</p>`}return v({caption:"Events it was derived from, the latest first",heads:["time (UTC)","event","text","session"],rows:[...t].reverse().map(({at:r,kind:o,text:n,session:s})=>[pe(r),Ie[o]??o,h(n,160),I(s.slice(0,8))])})}function Fe({showings:e,showingsLeftOut:t,memory:r}){if(e.length===0){let o=r.help.shown,n=`It was shown ${p(o,"time")}, before the time of this report.`;return m`<p>${o===0?"It has not been shown yet.":n}</p>`}return m`${v({caption:"Times it was shown, the latest first",heads:["time (UTC)","moment","because of","what followed","contribution"],rows:e.map(o=>[pe(o.at),R[o.moment],o.cue===""?"\u2013":h(o.cue,120),_e(o),o.verdict?g(o.verdict.contribution):"\u2013"]),numeric:[4]})}${t>0&&m`<p class="rest">${p(t,"earlier time")} not listed.</p>`}`}var We={command:"its command ran",file:"its file was changed",errorGone:"its error stayed away",answer:"an answer repeats it",words:"its words were used"};function _e({withheld:e,blocked:t,verdict:r}){if(e)return"held back by chance, for comparison";let o=t?"the call was blocked once; ":"";if(!r)return`${o}no result known`;let n=r.traces.map(s=>We[s]??s);return n.length===0?`${o}no trace of use`:`${o}${n.join(", ")}; used with ${S(r.used)} confidence`}var pe=e=>`${y(e)}, ${e.slice(11,16)}`;var H=B;function he(e){let t=x(e);return m`${qe(e,t)}
<h3>What people said</h3>
${Ue(e,t)}
<h3>What was learned</h3>
${Je(e,t)}`}function qe({obedience:e},t){let r=e.rules.filter(({before:n,since:s})=>fe(n)||fe(s)),o=p(e.rules.length,"rule");if(r.length===0){let n=e.rules.length===0?"No rule of the person is known yet.":`${o} of the person.`;return u(`${n} How often a rule was kept and broken is counted here as soon as calls have met it.`)}return m`<p><strong>${o} of the person, ${_(e)}.</strong></p>
${v({caption:"Rules of the person: kept and broken",heads:["rule","calls before: kept","broken","sessions since: kept","broken"],rows:r.slice(0,H).map(n=>Ke(n,t)),numeric:[1,2,3,4]})}
<p class="rest"><strong>How this is counted:</strong> before memctl repeated a rule, by calls; since then by
sessions that were shown it. A rule is kept or broken at calls that its trigger matches, so a rule without a trigger
has no figures.</p>`}var fe=({kept:e,broken:t})=>e+t>0,Ke=({memory:e,before:t,since:r},o)=>[o(e.id,180),...[t.kept,t.broken,r.kept,r.broken].map(c)];function Ue({knowledge:{said:e,superseded:t}},r){if(e.length+t.length===0)return u("Preferences, rules and decisions that a person states in a prompt are listed here.");let o=Ye(t),n=p(t.length,"entry was","entries were");return m`<p>${p(e.length,"entry","entries")} of what people said; ${n} superseded by a later one.</p>
${e.length>0&&v({caption:"What people said and holds now, the latest first",heads:["entry","type","holds for","in the words of","said"],rows:e.slice(0,H).map(s=>Be(s,r,o))})}
${ue(e.length-H,"memctl list --kind preference")}
${t.length>0&&Ve(t,r)}`}function Be(e,t,r){let{knowledge:o}=e,n=r.get(e.id)??[];return[m`${t(e.id,180)}${n.map(s=>m`<span class="before">instead of: <s>${h(s.knowledge?.line??s.content,90)}</s></span>`)}`,o?.type??e.kind,o?P[o.scope]:"",o?q[o.author]:"",y(e.created)]}function Ye(e){let t=new Map;for(let r of e){let{supersededBy:o}=r;o!==void 0&&t.set(o,[...t.get(o)??[],r])}return t}var Ve=(e,t)=>m`<details><summary>What was superseded, and by what</summary>${$({caption:"Superseded entries, the latest first",heads:["no longer","since then","first said"],rows:e.slice(0,H).map(r=>[t(r.id),t(r.supersededBy),y(r.created)])})}</details>`;function Je({knowledge:{learned:e,retired:t}},r){if(e.length+t===0)return u("What fails in this project, and what works instead, is collected here after a few sessions.");let o=e.filter(({knowledge:n})=>n?.state==="standing").length;return m`<p>${p(o,"standing entry","standing entries")} (met or confirmed in another session),
${c(e.length-o)} proposed (not met again yet), ${c(t)} retired (no longer
true). Those that are expected to save most calls come first.</p>
${e.length>0&&v({caption:"Facts and lessons",heads:["entry","type","state","met in sessions","shown in","obeyed","broken","last met"],rows:e.slice(0,H).map(n=>Xe(n,r)),numeric:[3,4,5,6]})}
${ue(e.length-H,"memctl list --kind fact --kind lesson")}`}var ue=(e,t)=>e>0&&m`<p class="rest">${p(e,"more entry","more entries")}: <code>${t}</code>.</p>`;function Xe({id:e,knowledge:t},r){let{type:o="",state:n="",record:s}=t??{},{met:i=0,shown:l=0,obeyed:a=0,broken:d=0,lastMet:f=""}=s??{};return[r(e,180),o,n,...[i,l,a,d].map(c),y(f)]}function be(e){let{helpful:t,unhelpful:r}=e;if(t.length+r.length===0)return u("When sessions with notes have ended, the memories that help most and least are listed here.");let o=t.length===0?u("No shown memory has helped measurably yet."):ge(e,t,{id:"help-chart",rank:"most"}),n=r.length===0?u("No memory has cost more than it gave."):ge(e,r,{id:"cost-chart",rank:"least"});return m`${o}${n}`}function ge(e,t,{id:r,rank:o}){let n=x(e),[s]=t,i=`${c(t.length)} memories that help ${o}`,l=t.reduce((a,{help:d})=>a+d.contribution,0);return w({id:r,finding:t.length===1?`The memory that helps ${o}`:`The ${i} (${g(l)} in all)`,draw:re({label:l<0?"cost: contribution below zero":"contribution",rows:t.map(({content:a,knowledge:d,help:f})=>({name:ee(d?.line??a,140),value:f.contribution,label:g(f.contribution)}))}),alternative:`Bars: contribution of ${p(t.length,"memory","memories")}, the greatest ${g(s?.help.contribution??0)}. The table below names them.`,counted:l<0?"as above; the bars show how far a sum is below zero.":"each showing contributes between \u22121 and 1; the bars are sums. Contribution = use \xD7 (success, time, calls and errors of the task, compared with what is usual here) \u2212 a small cost if it was not used. Preferences, decisions and entries cost nothing when unused.",table:{caption:`Memories that help ${o}`,heads:["memory","kind","shown","used","contribution"],rows:t.map(a=>Ge(a,n)),numeric:[2,3,4]},isTableOpen:!0})}var Ge=({id:e,kind:t,help:r},o)=>[o(e),t,c(r.shown),c(r.used),g(r.contribution)],j={lesson:"Lessons: an error and what fixed it",fact:"Facts",preference:"Preferences",decision:"Decisions",entry:"Entries that somebody wrote",summary:"Summaries of sessions",experience:"Experiences: one task or one failed call",consolidated:"Consolidated memories"};function ye(e){let{pages:t,pagesLeftOut:r}=e;if(t.length===0)return u("Each memory gets a page of its own: where it comes from, when it was shown, what followed.");let o=x(e),n=Object.keys(j).filter(s=>t.some(({memory:i})=>i.kind===s));return m`<p>${p(t.length,"memory has","memories have")} a page: choose its text.${r>0&&m` ${c(r)} more are left out to keep this file small; <code>memctl report --pages N</code>
takes more, and <code>memctl list</code> has all.`}</p>
${n.map(s=>{let i=t.map(({memory:a})=>a).filter(a=>a.kind===s),l=m`<span class="count">${c(i.length)}</span>`;return m`<details class="kind"><summary>${j[s]} ${l}</summary>${$({caption:j[s],heads:["memory","updated","shown","used","contribution"],rows:i.map(({id:a,updated:d,help:f})=>[o(a),y(d),...[f.shown,f.used].map(c),f.shown===0?"\u2013":g(f.contribution)]),numeric:[2,3,4]})}</details>`})}`}var Qe=4,Ze=30;function $e({policy:e}){let{name:t,version:r,frozen:o,exclusions:n,judged:s}=e,i=p(n.length,"memory is","memories are"),l=p(s,"recall with a known result is","recalls with a known result are"),a=m`<p>The policy is <b>${h(t,60)}</b>${r===0?", as it was configured":`, version ${r}`}${o&&"; learning is switched off"}. ${l} kept as evidence. ${n.length>0&&`${i} not shown at some moments: it was never of use there.`}</p>`,d=et(e);return d.length===0?m`${a}<p class="empty">No number of it has changed${e.history.length>0&&" to stay"}. ${e.history.length>0&&`${p(e.history.length,"change")} concerned exclusions or evidence alone.`} When learning moves a number, its course and the reason are shown here.</p>${we(e)}`:m`${a}${tt(e,d)}${we(e)}`}function et({history:e,numbers:t}){let o=[...new Set(e.flatMap(({values:s})=>Object.keys(s)))].flatMap(s=>{let i=t.find(d=>d.path===s)?.defaultValue;if(i===void 0)return[];let l=Math.abs(i)||1,a=e.map(({at:d,values:f})=>({at:d,change:100*((f[s]??i)-i)/l}));return a.some(({change:d})=>d!==0)?[{path:s,points:a}]:[]}),n=({points:s})=>Math.max(...s.map(({change:i})=>Math.abs(i)));return o.sort((s,i)=>n(i)-n(s))}function tt({numbers:e},t){let r=t.slice(0,Qe),o=`Learning has moved ${p(t.length,"number")} of the policy; most of all ${r[0]?.path}`,n=t.map(({path:s})=>{let i=e.find(d=>d.path===s),{defaultValue:l=0,activeValue:a=0}=i??{};return[s,k(l),k(a),g(a-l)]});return w({id:"policy-chart",finding:o,draw:rt(r),alternative:n.map(([s,i,l])=>`${s}: ${i} by default, now ${l}`).join(". "),counted:`each step is a version of the policy, in percent of the default value (of 1 where that is 0). The ${p(r.length,"number")} with the greatest change are drawn.`,table:{caption:"Numbers of the policy that have moved",heads:["number","default","now","difference"],rows:n,numeric:[1,2,3]}})}var rt=e=>t=>{let r=e.flatMap(({path:n,points:s})=>s.map(({at:i,change:l})=>({path:n,at:new Date(i),change:l}))).sort((n,s)=>n.at.getTime()-s.at.getTime()),o=e.map(({path:n})=>({path:n,name:n}));return{height:84+e.length*74,marginLeft:48,marginRight:16,marginTop:44,marginBottom:44,x:{type:"utc",ticks:t===G?3:6,label:"time (UTC)",labelAnchor:"center",labelArrow:"none"},y:{label:"change, %",ticks:3,nice:!0,labelArrow:"none"},fy:{axis:null,domain:o.map(({path:n})=>n),padding:.32},marks:[J({stroke:"var(--grid)",strokeOpacity:1,ticks:3}),Y([0],{stroke:"var(--axis)"}),X(r,{x:"at",y:"change",fy:"path",curve:"step-after",stroke:"var(--one)",strokeWidth:2}),V(o,{fy:"path",text:"name",frameAnchor:"top-left",dy:-14,fill:"var(--text)",fontSize:12})]}};function we({history:e}){if(e.length===0)return m``;let t=e.slice(-Ze).reverse(),r=e.length-t.length,o=r>0&&m`<p class="rest">${p(r,"earlier change")}: <code>memctl policy history</code>.</p>`;return m`<details><summary>${p(e.length,"change")}, with reasons</summary>${$({caption:"Changes of the policy, the latest first",heads:["version","day","by","reason","numbers that differ"],rows:t.map(n=>ot(n)),numeric:[4]})}${o}</details>`}var ot=({version:e,at:t,by:r,reason:o,values:n})=>[e,y(t),r==="improve"?"learning":"a person",h(o,200),c(Object.keys(n).length)];function ve({periods:e,unit:t,tokens:r,totals:o}){if(o.notes===0)return u("No note was shown yet, so none has cost tokens.");let n=`Half of the sessions with notes got at most ${c(r.median)} tokens of them`,s=e.map(({start:i,tokens:l})=>({start:i,value:l}));return w({id:"tokens-chart",finding:n,draw:D({unit:t,label:"tokens of notes",columns:s}),alternative:`Columns: tokens of shown notes per ${t}. ${n}; in all ${c(r.total)}.`,counted:`the estimated length of every text that was added to a conversation, subagents included. Nine of ten sessions stayed below ${c(r.p90)} tokens; the longest had ${c(r.max)}.`,table:{caption:`Tokens per ${t}`,heads:[t,"notes","tokens"],rows:e.map(i=>[T(i.start,t),...[i.notes,i.tokens].map(c)]),numeric:[1,2]}})}var nt={hot:"hot: the last days",warm:"warm: the last weeks",cold:"cold: older"};function xe({status:e,vectorBytes:t}){let{memories:r,bytes:o,events:n}=e,s=Object.entries(r.byKind).filter(([,b])=>b>0),i=$({caption:"Size on disk",heads:["part","size"],rows:[[n.lines===null?"event log":`event log, ${p(n.lines,"event")}`,E(o.log)],["memories and their index",E(o.memories)],["vectors",E(t)]],numeric:[1]});if(r.total===0)return m`${u("Memories appear when the first session has ended.")}${i}`;let l=Object.entries(r.byTier).map(([b,M])=>({name:nt[b],value:M,label:c(M)})),a=r.total-r.archived,d=`${c(a)} active, ${c(r.archived)} archived`,f=`${p(r.total,"memory","memories")}: ${d}`;return m`${w({id:"tiers-chart",finding:f,draw:A({label:"memories",rows:l}),alternative:l.map(({name:b,label:M})=>`${b}: ${M}`).join(". "),counted:"a memory moves from hot to warm to cold with age; an archived one stays searchable but is not shown by itself. Private memories are not counted.",table:{caption:"Memories by kind",heads:["kind","memories"],rows:s.map(([b,M])=>[b,c(M)]),numeric:[1]}})}${i}`}var ke={recalled:"any hook that found a note","session.started":"SessionStart",prompt:"UserPromptSubmit","call.started":"PreToolUse","call.succeeded":"PostToolUse","call.failed":"PostToolUseFailure",answer:"Stop","agent.started":"SubagentStart","agent.stopped":"SubagentStop",compaction:"PreCompact, PostCompact","session.ended":"SessionEnd"};function Me({hooks:e,status:{faults:t}}){let r=t.latest?`${t.latest.where}: ${t.latest.what}`:"",o=t.latest?m`<p>${p(t.count,"fault")} of hooks in all. The latest: ${h(r,200)}.
<code>memctl doctor</code> says what to do.</p>`:m`<p>No hook has had a fault.</p>`;return e.length===0?m`${u("No hook of this log has recorded its time: earlier versions, imports and replays do not.")}${o}`:m`${st(e)}${o}`}function st(e){let t=e.reduce((s,{count:i})=>s+i,0),o=`Half of the hooks of each kind took at most ${e.reduce((s,i)=>i.medianMs>s?i.medianMs:s,0)} ms`,n=e.map(({kind:s,medianMs:i})=>({name:ke[s]??s,value:i,label:`${i} ms`}));return w({id:"hooks-chart",finding:o,draw:A({label:"median, milliseconds",rows:n}),alternative:n.map(({name:s,label:i})=>`${s}: ${i}`).join(". "),counted:`the time from the start of the hook's process until it wrote its event, ${p(t,"time")}; one that found a note wrote twice. What the system needs to create and to end the process comes on top: a few milliseconds.`,table:{caption:"Times by hook",heads:["hook","times","median","95 % below","longest"],rows:e.map(({kind:s,count:i,medianMs:l,p95Ms:a,maxMs:d})=>[ke[s]??s,c(i),...[l,a,d].map(f=>`${c(f)} ms`)]),numeric:[1,2,3,4]}})}var F=`
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
`;var it=`<!doctype html>
<!-- memctl report -->`,Se=[{id:"knowledge",title:"What this project knows",render:he},{id:"sessions",title:"Sessions over time",render:se},{id:"notes",title:"What was shown, and what came of it",render:ae},{id:"failures",title:"Failures met and avoided",render:oe},{id:"help",title:"Memories that help most and least",render:be},{id:"policy",title:"Policy over time",render:$e},{id:"tokens",title:"Tokens",render:ve},{id:"sizes",title:"Tiers and sizes",render:xe},{id:"hooks",title:"Times of hooks",render:Me},{id:"memories",title:"All memories",render:ye}];function $r(e,t){let o=`default-src 'none'; style-src 'sha256-${at("sha256").update(F).digest("base64")}'; base-uri 'none'; form-action 'none'`,{name:n}=e.status.project;return`${it}
${m`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${N(o)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>memctl report: ${n}</title>
<style>${N(F)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="page">
${ne(e)}
<nav class="contents" aria-label="Contents"><h2>Contents</h2><ol>${Se.map(({id:s,title:i})=>m`<li><a href="#${s}">${i}</a></li>`)}</ol></nav>
<main id="content" tabindex="-1">
<div class="sections">${Se.map(s=>mt(s,e))}</div>
${de(e)}</main>
${lt(e,t)}
</div>
</body>
</html>`.html}
`}var mt=({id:e,title:t,render:r},o)=>m`<section id="${e}" aria-labelledby="${e}-title">
<h2 id="${e}-title">${t}</h2>
${r(o)}
</section>
`;function lt({includesPrivate:e,status:t},r){let o=e?"It includes private memories: do not share it.":"Private memories are left out.";return m`<footer><p>Made by <code>memctl report</code> from ${t.store}. This file is a copy: it loads nothing,
sends nothing, and does not change when the memory does. ${o}</p>${r!==void 0&&m`<p>Hub: ${h(r,400)}</p>`}</footer>`}export{it as REPORT_MARK,$r as renderReport};
