import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{b as ge,c as ft}from"./chunk-BLN5USFP.mjs";import{d as gt}from"./chunk-4AFY4ZFF.mjs";import{a as ht,j as yt,m as bt}from"./chunk-VGAJRUCW.mjs";import{b as Z}from"./chunk-46DTNMEN.mjs";import{a as _}from"./chunk-QUTPO3LS.mjs";import{A as pt,B as he,a as et,n as st,o as it,p as at,r as D,s as ct,t as mt,x as lt}from"./chunk-6RNFKDIK.mjs";import{b as tt,j as ot}from"./chunk-YXHHTFPY.mjs";import{c as rt}from"./chunk-Z23V3PPU.mjs";import{a as ut}from"./chunk-SMBKWHKN.mjs";import{g as Ze}from"./chunk-UZSJVPPB.mjs";import{a as nt,b as Q}from"./chunk-ODHINOKJ.mjs";import{a as Qe}from"./chunk-O4MXFINZ.mjs";import{c as fe,e as Ye}from"./chunk-YUO377PM.mjs";import{a as L,b as v,c as F,d as w,e as I,f as d,g as me,h as je,i as x,j as le,k as U,l as G,o as N,q as Ge,r as E,s as pe,t as Xe,x as Y}from"./chunk-276NJ77N.mjs";import{a as A,c as ue,e as C,f as We,g as qe,h as ze,i as He,k as Ke,l as j,o as Ve,p as de,q as Je}from"./chunk-7RHYSARA.mjs";import{b as X}from"./chunk-YSEMZNLZ.mjs";import{b as dt}from"./chunk-BWNNEEET.mjs";import{a as Be}from"./chunk-YSNAJEVU.mjs";import{a as V,b as Re,c as Le,d as Pe}from"./chunk-KKMRSCRO.mjs";import{b as J,f as Ce}from"./chunk-WKLCUPSZ.mjs";import{a as M}from"./chunk-7I5PESPO.mjs";import{a as P,h as De,i as $e}from"./chunk-QH6ZMLEJ.mjs";import{h as ce,n as Ne}from"./chunk-D3HDDJ3Y.mjs";import{c as ae}from"./chunk-TMNVXSTD.mjs";import{b as O}from"./chunk-EUPTN6U2.mjs";import{a as k}from"./chunk-V2WQV7UR.mjs";import{createHash as un}from"node:crypto";var $=262144,dn=24;function ye(r,e,t,n){let o=new Map(t?.files.map(m=>[m.file,m])),s=t?.files.at(-1),i=ge(r,e),a=new Map([[s?.file,t?.blocks??[]]]);for(let m of fe(r,e)){let{number:l}=m;if(l>n.file)break;let u=i.filter(g=>g.file===l).map(({offset:g})=>g),p=o.get(l),h=p!==void 0&&Math.min(...u)<p.bytes,f=p&&!h?{entry:p,blocks:a.get(l)??[]}:void 0,y=fn(r,e,m,{old:f,bytes:pn(m,n)});o.set(l,y.entry),a.set(l,y.blocks)}let c=[...o.values()].sort((m,l)=>m.file-l.file);return{files:c,blocks:a.get(c.at(-1)?.file)??[]}}function pn({number:r},{file:e,offset:t,previous:n}){return r===e?t:r===e-1?n:void 0}function fn(r,e,t,{old:n,bytes:o}){if(n&&(!t.plain||(o??vt(r,e,t))<=n.entry.bytes))return n;let s=n?n.blocks.length*$:0,i=St(r,e,t,s);if(!i)return n??{entry:{file:t.number,bytes:0,hash:"",events:[]},blocks:[]};let a=i.subarray(0,o===void 0?i.length:Math.max(0,o-s)),c=n?.blocks.at(-1)??"";if(n&&W(B(a.subarray(0,n.entry.bytes-s),c))!==n.entry.hash)return n;let m=B(a,c),l=[n?.entry.events[0]??wt(a,"first"),wt(a,"last")];return{entry:{file:t.number,bytes:s+a.length,hash:W(m)||c,events:l.filter(u=>u!==void 0)},blocks:[...n?.blocks??[],...m.slice(0,-1)]}}function B(r,e){let t=[];for(let n=0;n<r.length;n+=$){let o=un("sha256").update(t.at(-1)??e);t.push(o.update(r.subarray(n,n+$)).digest("hex").slice(0,dn))}return t}var W=r=>r.at(-1)??"";function wt(r,e){let t=e==="first"?r.indexOf(ee):r.lastIndexOf(ee);if(t!==-1)return r.toString("latin1",t+ee.length,t+ee.length+hn)}var ee=Buffer.from(`
{"id":"`),hn=16;function Br(r,e,t,n){let o=new Map(fe(r,e).map(i=>[i.number,i])),s=ge(r,e);return t.files.flatMap((i,a)=>{let c=o.get(i.file);if(!c)return[{...i,state:"missing"}];if(c.plain&&vt(r,e,c)<i.bytes&&!c.compressed)return[{...i,state:"shorter"}];if(i.hash===""||s.some(f=>f.file===i.file&&f.offset<i.bytes))return[];let m=a===t.files.length-1;if(n&&(!m||!c.plain||gn(r,e,{entry:i,blocks:t.blocks})))return[];let l=St(r,e,c,0);if(!l)return[{...i,state:"damaged"}];let u=l.subarray(0,i.bytes);if(u.length<i.bytes)return[{...i,state:"shorter"}];if(W(B(u,""))===i.hash)return[];let[p,h]=[i.events[0],i.events.at(-1)].map(f=>u.includes(`{"id":"${f}"`));return h?[{...i,state:"damaged"}]:[{...i,state:p?"shorter":"foreign"}]})}function gn(r,e,{entry:t,blocks:n}){let o=`${e}/${ce(t.file)}`,s=n.length*$,i=r.readAt(o,s,t.bytes-s);if(W(B(i,n.at(-1)??""))!==t.hash)return!1;let[a]=n;return a===void 0||W(B(r.readAt(o,0,$),""))===a}var vt=(r,e,{number:t})=>r.size(`${e}/${ce(t)}`)??0;function St(r,e,t,n){try{return Ye(r,e,t,n)}catch{return}}var yn=({name:r,rows:e,expansions:t,sums:n})=>[[`${r}.txt`,n?.text],[`${r}.idx`,n?.index],[e,n?.rows],...t===void 0?[]:[[t,n?.expansions]]],bn=(r,e,t)=>yn(t).flatMap(([n,o])=>o===void 0||M(r.read(`${e}/${n}`)??Buffer.alloc(0))===o?[]:[n]);function kt(r,e,t){let n=bn(r,e,t).find(o=>o!==t.expansions);if(n!==void 0)throw new k("STORE_INVALID",`${e}/${n} is not as it was written`,{hint:"Run `memctl rebuild`: it rewrites the snapshot from the log, nothing is lost."})}var xt=(r,e)=>({text:M(r),index:M(e)});var wn=100,be=220,vn=1440*60*1e3;function Mt(r,e,t){let n=r.flatMap(i=>{let{fact:a,status:c}=i;if(a===void 0||a.state==="retired"||c!=="active"||X(i))return[];let m=Sn(i,a,t);return rt(m.line)?[m]:[]}),o=(i,a)=>a.worth-i.worth||(i.id<a.id?-1:1),s=n.sort(o).filter((i,a,c)=>!c.slice(0,a).some(({line:m,role:l})=>m===i.line&&l===i.role));return{generation:e,facts:s.slice(0,wn)}}function Sn(r,e,t){let{now:n,numbers:o,sessionTimes:s,openSessions:i}=t,a=e.sessions.at(-1),c=st(e),m=at(c),l=Mn(r,e,n,o),u=s.filter(p=>p>=r.created).length;return{id:r.id,topic:e.topic,...r.privacy!=="public"&&{role:r.role},state:e.state==="standing"?"standing":"proposed",line:Q(m,be),...m!==c&&{failureLine:Q(it(c),be)},hasRemedy:e.remedies.length>0,...e.topic==="rule"&&{short:kn(e),extensions:xn(r.files)},sessions:r.sessionCount,lastMet:e.lastMet,...a!==void 0&&i.has(a)&&{metBy:{session:a,agentId:e.lastAgentId}},rate:Math.round(1e3*Math.min(1,l/Math.max(1,u)))/1e3,worth:Math.round(1e3*l)/1e3,triggers:e.triggers,...r.team&&{team:r.team}}}function kn({claim:r,remedies:[e]}){let t=/^(\S+(?: \S+)?) reports /.exec(r)?.[1];return e&&t!==void 0?Q(`${t}: ${e.text}`,be):void 0}var xn=r=>[...new Set(r.flatMap(e=>/\.\w+$/.exec(e)?.[0]??[]))];function Mn(r,e,t,{halfLifeDays:n}){let o=Math.max(0,t-Date.parse(e.lastMet))/vn;return(e.topic==="routine"?.1:r.sessionCount)/(1+e.refutations)*.5**(o/n)}function _t(r){let e=JSON.stringify(r.projection.cursor);if(r.provisional?.cursor===e)return r.provisional.memories;let t=lt(r.projection);return r.provisional={cursor:e,memories:t},t}function*te(r,e){for(let t of r.values())yield e.get(t.id)??t;for(let t of e.values())r.has(t.id)||(yield t)}var _n=/\b(?:yesterday|today|tonight|tomorrow|ago|recently|soon|since|last (?:night|week|weekend|month|year|summer|winter|spring|fall|autumn)|next (?:week|weekend|month|year|summer)|(?:this|these|few|couple of|two|three|four|five|six|several) (?:days?|weeks?|weekends?|months?|years?|mornings?)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|in may|may \d|\d may|(?:19|20)\d\d)\b|[年月日週]|きのう|おととい|あした|さっき|先ほど|最近|\d時/i,An=/\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|once|twice|several|couple|hundred|thousand)\b|[一二三四五六七八九十百千万]/i,En=/[a-z,;'’] (?!I\b|I['’])[A-Z][\w'’&-]|["“][A-Z]|「|『/,Tn=/\b(?:because|since|so that|in order to|reasons?|inspired|motivated|made me|helps? me|wanted to|that's why|due to)\b|ので|から|ため|理由|おかげ|せいで/i,On=/\b(?:in|at|to|from|near|around|visited) (?:the )?[A-Z][a-z]|[都道府県市区町村駅国]|に(?:行|来|着)/;function At(r){let e=0;return _n.test(r)&&(e|=1),An.test(r)&&(e|=2),En.test(r)&&(e|=4),Tn.test(r)&&(e|=8),On.test(r)&&(e|=16),/[?？]/.test(r)&&(e|=64),/[?？]["”'’」）)\s]*$/.test(r)&&(e|=32),e}var Fn=[[/^\W*when\b|\b(?:what|which) (?:date|day|month|year|time|week|season)|how long|since when|いつ|何[年月日時曜週]|どの(?:くらい|期間)/i,1],[/\bhow (?:many|much|often|old|far|tall)|number of|how long|いくつ|何[人個回歳本枚度台]|どれくらい|いくら/i,2],[/\b(?:who|whose|whom|name of|named|called|titled?)\b|\b(?:what|which) (?:book|movie|film|song|band|artist|author|game|team|company|brand|city|country|state|place|school|show|series|library|tool|package)|誰|だれ|名前|何という/i,4],[/^\W*why\b|\b(?:reason|motivat|inspired?)|なぜ|どうして|なんで|理由/i,8],[/^\W*where\b|\b(?:what|which) (?:city|country|state|place|town)|どこ|どちら/i,16]];function Zr(r){let e=0;for(let[t,n]of Fn)t.test(r)&&(e|=n);return e}function Et(r){let e=new ve,t=new we,n=new Uint8Array(1024),o=0,s=0;for(let{terms:a,length:c}of r){if(s===L)throw Se();s===n.length&&(n=q(n,new Uint8Array(2*s)));let m=je(c);n[s]=m,o+=x(m);let l=t.count;for(let[u,p]of a)p>=1&&t.add(e,u,s|Math.min(F,p)<<w,l);s++}let i=e.inHashOrder();return U({norms:n.subarray(0,s),lengthTotal:o,terms:e.columns(i),postings:In(e,t,i)})}function Se(){return new k("INPUT_INVALID",`An index segment holds at most ${L} documents`,{hint:"Write the documents as several segments."})}function In(r,e,t){let n=new Uint32Array(r.count),o=0;for(let i=0;i<t.length;i++){let a=d(t,i);n[a]=o,o+=d(r.frequency,a)}let s=new Uint32Array(e.count);return e.forEachChunk((i,a,c)=>{for(let m=0;m<c;m++)s[ne(n,d(i,m))]=d(a,m)}),s}var Tt=18,T=2**Tt,we=class{count=0;#e=[];#t={ids:new Uint32Array(0),values:new Uint32Array(0)};add(e,t,n,o){let[s,i]=O(t),a=e.idOf(s,i),c=d(e.lastPosting,a)-1;if(c>=o){this.#n(c,n>>>w);return}let m=this.count&T-1;m===0&&(this.#t={ids:new Uint32Array(T),values:new Uint32Array(T)},this.#e.push(this.#t)),this.#t.ids[m]=a,this.#t.values[m]=n,e.lastPosting[a]=++this.count,ne(e.frequency,a)}#n(e,t){let n=this.#e[e>>>Tt]?.values??this.#t.values,o=d(n,e&T-1),s=Math.min(F,(o>>>w)+t);n[e&T-1]=o&v|s<<w}forEachChunk(e){for(let[t,{ids:n,values:o}]of this.#e.entries())e(n,o,Math.min(T,this.count-t*T))}},ve=class{count=0;high=new Uint32Array(1024);low=new Uint32Array(1024);frequency=new Uint32Array(1024);lastPosting=new Uint32Array(1024);#e=new Uint32Array(2048);idOf(e,t){let n=this.#e.length-1,o=t&n;for(let s=d(this.#e,o);s!==0;s=d(this.#e,o)){if(this.low[s-1]===t&&this.high[s-1]===e)return s-1;o=o+1&n}return this.count===this.high.length?(this.#n(),this.idOf(e,t)):(this.high[this.count]=e,this.low[this.count]=t,this.#e[o]=++this.count,this.count-1)}inHashOrder(){let e=new Uint32Array(this.count+1);for(let n=0;n<this.count;n++)ne(e,me(d(this.high,n),this.count)+1);for(let n=1;n<e.length;n++)e[n]=d(e,n)+d(e,n-1);let t=new Uint32Array(this.count);for(let n=0;n<this.count;n++)t[ne(e,me(d(this.high,n),this.count))]=n;for(let n=1;n<t.length;n++){let o=d(t,n),s=n;for(;s>0&&this.#t(o,d(t,s-1));s--)t[s]=d(t,s-1);t[s]=o}return t}columns(e){let t=n=>{let o=new Uint32Array(e.length);for(let s=0;s<e.length;s++)o[s]=d(n,d(e,s));return o};return{count:this.count,high:t(this.high),low:t(this.low),frequency:t(this.frequency)}}#t(e,t){let n=d(this.high,e)-d(this.high,t);return n<0||n===0&&d(this.low,e)<d(this.low,t)}#n(){let e=2*this.high.length;this.high=q(this.high,new Uint32Array(e)),this.low=q(this.low,new Uint32Array(e)),this.frequency=q(this.frequency,new Uint32Array(e)),this.lastPosting=q(this.lastPosting,new Uint32Array(e)),this.#e=new Uint32Array(2*e);let t=this.#e.length-1;for(let n=0;n<this.count;n++){let o=d(this.low,n)&t;for(;this.#e[o]!==0;)o=o+1&t;this.#e[o]=n+1}}};function q(r,e){return e.set(r),e}function ne(r,e){let t=d(r,e);return r[e]=t+1,t}function Ft(r){let{norms:e,lengthTotal:t,cursors:n}=Un(r),o=n.reduce((u,p)=>u+p.table.length/I,0),s=new Uint32Array(o),i=new Uint32Array(o),a=new Uint32Array(o),c=new Uint32Array(n.reduce((u,p)=>u+p.postings.length,0)),m=0,l=0;for(let u=Ot(n);u;u=Ot(n)){let{high:p,low:h}=u,f=l;for(let y of n)y.high===p&&y.low===h&&(l=y.copyPostings(c,l));l!==f&&(Nn(c.subarray(f,l)),s[m]=p,i[m]=h,a[m++]=l-f)}return U({norms:e,lengthTotal:t,terms:{count:m,high:s,low:i,frequency:a},postings:c.subarray(0,l)})}var It=2**32-1;function Un(r){let e=new Uint8Array(r.reduce((s,{segment:i})=>s+i.documents,0)),t=0,n=0,o=r.map(({segment:s,newNumber:i})=>{let a=new Uint32Array(s.documents).fill(It),c=s.norms();for(let m=0;m<s.documents;m++){let l=i(m);if(l===void 0)continue;let u=c[m]??0;t+=x(u),e[l]=u,a[m]=l,n++}return new ke(s,a)});if(n>L)throw Se();return{norms:e.subarray(0,n),lengthTotal:t,cursors:o}}function Nn(r){let e=-1;for(let t=0;t<r.length;t++){let n=d(r,t)&v;if(n<e){for(let o=0;o<r.length;o++)r[o]=d(r,o)<<8|d(r,o)>>>w;r.sort();for(let o=0;o<r.length;o++)r[o]=d(r,o)>>>8|d(r,o)<<w;return}e=n}}function Ot(r){let e;for(let t of r)t.isAtEnd||(!e||t.high<e.high||t.high===e.high&&t.low<e.low)&&(e=t);return e}var ke=class{table;postings;#e;#t=-I;high=-1;low=-1;constructor(e,t){let{table:n,postings:o}=e.readAll();this.table=n,this.postings=o,this.#e=t,this.#n()}get isAtEnd(){return this.#t>=this.table.length}copyPostings(e,t){let n=d(this.table,this.#t+3),o=n+d(this.table,this.#t+2),s=t;for(let i=n;i<o;i++){let a=d(this.postings,i),c=d(this.#e,a&v);c!==It&&(e[s++]=a&~v|c)}return this.#n(),s}#n(){do this.#t+=I;while(!this.isAtEnd&&this.table[this.#t+2]===0);this.high=this.isAtEnd?-1:d(this.table,this.#t),this.low=this.isAtEnd?-1:d(this.table,this.#t+1)}};var re="a";function oe(r,e,t){let{name:n,generation:o,members:s,old:i}=t,a=i&&Rn(r,e,i),c=Buffer.alloc(s.length*A),m=E(c),l=[],u=0;s.forEach(({memory:f,rank:y,copyFromRow:g},b)=>{let S=g===void 0?void 0:a?.(g),R=S?.line??Buffer.from(`${JSON.stringify(f)}
`),K=S?.answerTypes??At(f.content);ue(m,b,f,{at:u,bytes:R.length-1,answerTypes:K,rank:y}),l.push(R),u+=R.length});let p=Buffer.concat(l),h=Ln(r,e,t);return r.replace(`${e}/${n}.txt`,p),r.replace(`${e}/${n}.idx`,h),xe(r,e,{name:n,generation:o,rows:c,sums:xt(p,h)})}function xe(r,e,{name:t,generation:n,rows:o,sums:s}){let i=`${t}.${n}.row`;r.replace(`${e}/${i}`,o);let a={name:t,rows:i,memories:o.length/A,...s&&{sums:{text:s.text,index:s.index,rows:M(o)}}};return t.endsWith(re)?{...a,archive:!0}:a}function Ut(r,e){let t=Buffer.from(r),n=E(t);for(let{memory:o,row:s,rank:i}of e)ue(n,s,o,{...C(n,s),rank:i});return t}function Rn(r,e,t){let n=r.read(`${e}/${t.name}.txt`),o=r.read(`${e}/${t.rows}`);if(!n||!o)throw Nt(`${e}/${t.name}`);let s=E(o);return i=>{let{at:a,bytes:c}=C(s,i);return{line:n.subarray(a,a+c+1),answerTypes:We(s,i)}}}function Ln(r,e,{members:t,old:n,buildTerms:o}){let s=new Map,i=[],a=[];t.forEach(({memory:l,copyFromRow:u},p)=>{u!==void 0?s.set(u,p):(i.push(p),a.push(o(l)))});let c=Et(a);if(!n)return c;let m=N(r,`${e}/${n.name}.idx`);if(!m)throw Nt(`${e}/${n.name}.idx`);try{return Ft([{segment:m,newNumber:l=>s.get(l)},{segment:Pn(c),newNumber:l=>i[l]}])}finally{m.close()}}var Nt=r=>new k("STORE_INVALID",`${r} is missing`,{hint:"Run `memctl rebuild`, which writes the snapshot again from the log; nothing is lost."});function Pn(r){let e={size:r.length,readAt:(t,n)=>r.subarray(t,t+n),close:()=>{}};return Ge(e,"a segment in memory")}import ir from"node:assert";var z=512,Cn=.25,jn=40,Ee=new Uint32Array(0),Me={docs:Ee,saturations:new Float64Array(0)},se=class{#e;#t;#n;#r;#a=new Map;#o=new Map;#s=new Map;constructor(e){this.#e=e;let{table:t,postings:n}=e.readAll();this.#r=n;for(let s=0;s<t.length;s+=I){let i=d(t,s+2),a=d(t,s+3);i>0&&this.#a.set(H([d(t,s),d(t,s+1)]),[a,a+i])}let o=e.lengthTotal/Math.max(1,e.documents);this.#t=Float64Array.from(e.norms(),s=>Pe(x(s),o,V)),this.#n=Le(1,e.documents,V)}rarity(e){return Re(e,this.#e.documents)*(V.k1+1)/this.#n}isCommon(e){return e>Math.max(jn,Cn*this.#e.documents)}saturation(e,t){return t/(t+(this.#t[e]??0))}find(e){let t=this.#o.get(e);if(t)return t;let n=Me;for(let o of e){let s=this.#i(o);s.docs.length>0&&(n=n.docs.length>0?$n(n,s):s)}return this.#o.set(e,n),n}findBest(e){let t=this.find(e);if(t.docs.length<=z)return t;let n=this.#s.get(e);if(n)return n;let o=_e(t).sort((s,i)=>i[1]-s[1]||i[0]-s[0]).slice(0,z);return this.#s.set(e,Ae(o)),Ae(o)}#i(e){let t;for(let o of e){let[s,i]=this.#a.get(H(o))??[0,0],a=this.#r.subarray(s,i);if(t=t?Dn(t,a):a,t.length===0)return Me}if(!t)return Me;let n=t.map(o=>o&v);return{docs:n,saturations:Float64Array.from(t,(o,s)=>this.saturation(d(n,s),o>>>w))}}};function Dn(r,e){let t=new Uint32Array(Math.min(r.length,e.length)),n=0;for(let o=0,s=0;o<r.length&&s<e.length;){let[i,a]=[d(r,o),d(e,s)],c=(i&v)-(a&v);c<=0&&o++,c>=0&&s++,c===0&&(t[n++]=Math.min(i,a))}return t.subarray(0,n)}function $n(r,e){let t=new Map(_e(r));for(let[n,o]of _e(e))t.set(n,Math.max(o,t.get(n)??0));return Ae([...t].sort(([n],[o])=>n-o))}var _e=({docs:r,saturations:e})=>Array.from(r,(t,n)=>[t,e[n]]),Ae=r=>({docs:Uint32Array.from(r,([e])=>e),saturations:Float64Array.from(r,([,e])=>e)}),H=([r,e])=>r*2**20+(e>>>12);function Rt(r,e){let t=new se(r),n=new Te(r.documents),o=new Map;for(let s of e){let i=Bn(s,t,n);if(i.length!==0)for(let a of s.keys){let c=o.get(H(a));o.set(H(a),{key:a,postings:c?qn(c.postings,i):i})}}return o.size===0?void 0:Wn(r.documents,[...o.values()])}function Bn({own:r,neighbours:e,documents:t},n,o){let s=e.filter(({matches:m})=>n.find(m).docs.length>0);if(s.length===0&&!t?.size)return Ee;let i=n.find(r).docs,a=i.length>0?n.rarity(i.length):Number.POSITIVE_INFINITY;o.begin(i);for(let{matches:m,weight:l}of s){let u=n.find(m).docs.length;n.isCommon(u)||o.putAll(n.findBest(m),l*Math.min(a,n.rarity(u)))}let c=t?n.rarity(t.size):0;for(let[m,l]of t??[])o.put(m,l*Math.min(a,c)*n.saturation(m,1));return o.end(i)}var Te=class{#e;#t;#n;#r=0;constructor(e){this.#e=new Float64Array(e),this.#t=new Uint8Array(e),this.#n=new Uint32Array(e)}begin(e){for(let t=0;t<e.length;t++)this.#t[d(e,t)]=1}putAll({docs:e,saturations:t},n){for(let o=0;o<e.length;o++)this.put(d(e,o),n*t[o])}put(e,t){let n=this.#e[e];n===void 0||t<=n||this.#t[e]===1||(n===0&&(this.#n[this.#r++]=e),this.#e[e]=t)}end(e){let t=this.#n.subarray(0,this.#r).sort(),n=new Uint32Array(t.length),o=0;for(let s=0;s<t.length;s++){let i=d(t,s),a=Math.min(F,Math.round(F*this.#e[i]));a>0&&(n[o++]=a<<w|i),this.#e[i]=0}this.#r=0;for(let s=0;s<e.length;s++)this.#t[d(e,s)]=0;return Lt(n.subarray(0,o))}};function Wn(r,e){let t=e.filter(({postings:s})=>s.length>0).sort((s,i)=>s.key[0]-i.key[0]||s.key[1]-i.key[1]),n=new Uint32Array(t.reduce((s,i)=>s+i.postings.length,0)),o=0;for(let s of t)n.set(s.postings,o),o+=s.postings.length;return U({norms:new Uint8Array(r).fill(le),lengthTotal:r*x(le),terms:{count:t.length,high:Uint32Array.from(t,({key:s})=>s[0]),low:Uint32Array.from(t,({key:s})=>s[1]),frequency:Uint32Array.from(t,s=>s.postings.length)},postings:n})}function qn(r,e){let t=new Map;for(let n of[r,e])for(let o of n){let s=o&v;t.set(s,Math.max(o,t.get(s)??0))}return Lt(Pt(Uint32Array.from(t.values())))}function Lt(r){return r.length>z?Pt(r.slice().sort().subarray(-z)):r}function Pt(r){let e=t=>{for(let n=0;n<r.length;n++){let o=d(r,n);r[n]=o<<t|o>>>32-t}};return e(32-w),r.sort(),e(w),r}var Ct=r=>r.map(e=>e.map(O));var jt=`
delete remove erase drop purge discard wipe unlink eliminate get_rid clear_out | cleanup prune | \u524A\u9664 \u6D88\u3059 \u6D88\u53BB \u9664\u53BB \u53D6\u308A\u9664\u304F \u7834\u68C4 \u62B9\u6D88
add insert append include | introduce put_in | \u8FFD\u52A0 \u52A0\u3048\u308B \u8DB3\u3059 \u633F\u5165 \u4ED8\u3051\u52A0\u3048\u308B
create make generate produce | build new | \u4F5C\u6210 \u4F5C\u308B \u751F\u6210 \u65B0\u898F\u4F5C\u6210
change modify edit alter adjust update amend | tweak revise | \u5909\u66F4 \u5909\u3048\u308B \u4FEE\u6B63 \u7DE8\u96C6 \u76F4\u3059 \u6539\u5909 \u66F8\u304D\u63DB\u3048\u308B \u3044\u3058\u308B
update upgrade bump refresh renew | newer latest | \u66F4\u65B0 \u30A2\u30C3\u30D7\u30C7\u30FC\u30C8 \u30A2\u30C3\u30D7\u30B0\u30EC\u30FC\u30C9 \u30D0\u30FC\u30B8\u30E7\u30F3\u30A2\u30C3\u30D7 \u4E0A\u3052\u308B \u65B0\u3057\u304F
downgrade roll_back rollback revert undo | restore back_out | \u30C0\u30A6\u30F3\u30B0\u30EC\u30FC\u30C9 \u30ED\u30FC\u30EB\u30D0\u30C3\u30AF \u623B\u3059 \u5143\u306B\u623B\u3059 \u5DEE\u3057\u623B\u3057 \u53D6\u308A\u6D88\u3059 \u5DFB\u304D\u623B\u3059
restore recover bring_back | retrieve undelete | \u5FA9\u5143 \u5FA9\u65E7 \u5FA9\u5E30 \u30EA\u30B9\u30C8\u30A2 \u56DE\u5FA9
cancel abort stop_it interrupt | end | \u30AD\u30E3\u30F3\u30BB\u30EB \u4E2D\u6B62 \u53D6\u308A\u6D88\u3059 \u4E2D\u65AD \u53D6\u308A\u3084\u3081
start launch boot run begin startup start_up spin_up bring_up | kick_off open | \u8D77\u52D5 \u958B\u59CB \u59CB\u3081\u308B \u7ACB\u3061\u4E0A\u3052\u308B \u30B9\u30BF\u30FC\u30C8 \u59CB\u52D5
stop halt terminate kill shut_down shutdown quit | end exit tear_down | \u505C\u6B62 \u6B62\u3081\u308B \u7D42\u4E86 \u843D\u3068\u3059 \u4E2D\u6B62 \u30B9\u30C8\u30C3\u30D7 \u7D42\u308F\u308B
restart reboot relaunch | bounce reload reset | \u518D\u8D77\u52D5 \u30EA\u30B9\u30BF\u30FC\u30C8 \u518D\u59CB\u52D5 \u7ACB\u3061\u4E0A\u3052\u76F4\u3059
execute run invoke perform | call trigger | \u5B9F\u884C \u8D70\u3089\u305B\u308B \u52D5\u304B\u3059 \u56DE\u3059 \u547C\u3073\u51FA\u3059 \u8D77\u52D5
repeat retry again rerun redo try_again | attempt | \u518D\u8A66\u884C \u30EA\u30C8\u30E9\u30A4 \u3084\u308A\u76F4\u3059 \u7E70\u308A\u8FD4\u3059 \u518D\u5B9F\u884C \u3082\u3046\u4E00\u5EA6
wait pause sleep delay hold_off | block | \u5F85\u3064 \u5F85\u6A5F \u5F85\u3061 \u4E00\u6642\u505C\u6B62 \u30DD\u30FC\u30BA
skip omit ignore bypass leave_out | exclude without | \u30B9\u30AD\u30C3\u30D7 \u98DB\u3070\u3059 \u7701\u7565 \u7121\u8996 \u9664\u5916 \u7701\u304F \u3068\u3070\u3059
exclude except ignore | omit filter_out leave_out | \u9664\u5916 \u5BFE\u8C61\u5916 \u9664\u304F \u4F8B\u5916
fix repair correct resolve solve | patch | \u4FEE\u6B63 \u76F4\u3059 \u4FEE\u7406 \u89E3\u6C7A \u4FEE\u5FA9 \u5BFE\u51E6 \u76F4\u308B
check verify validate confirm inspect examine | ensure make_sure audit | \u78BA\u8A8D \u691C\u8A3C \u30C1\u30A7\u30C3\u30AF \u691C\u67FB \u70B9\u691C \u78BA\u304B\u3081\u308B \u8ABF\u3079\u308B
investigate debug diagnose trace troubleshoot look_into find_out | figure_out analyze | \u8ABF\u67FB \u8ABF\u3079\u308B \u30C7\u30D0\u30C3\u30B0 \u539F\u56E0\u8ABF\u67FB \u89E3\u6790 \u8FFD\u8DE1 \u5207\u308A\u5206\u3051
search find look_up lookup query seek locate | discover | \u691C\u7D22 \u63A2\u3059 \u898B\u3064\u3051\u308B \u8ABF\u3079\u308B \u635C\u3059 \u30B5\u30FC\u30C1
replace substitute swap exchange switch_out | instead | \u7F6E\u63DB \u7F6E\u304D\u63DB\u3048\u308B \u5DEE\u3057\u66FF\u3048\u308B \u5165\u308C\u66FF\u3048\u308B \u4EA4\u63DB \u4EE3\u308F\u308A \u53D6\u308A\u66FF\u3048\u308B
rename call_it retitle | name | \u6539\u540D \u30EA\u30CD\u30FC\u30E0 \u540D\u524D\u5909\u66F4 \u540D\u79F0\u5909\u66F4
move relocate transfer migrate | shift | \u79FB\u52D5 \u79FB\u3059 \u79FB\u884C \u79FB\u8EE2 \u52D5\u304B\u3059 \u5F15\u3063\u8D8A\u3057
migrate migration port convert move_over | upgrade | \u79FB\u884C \u30DE\u30A4\u30B0\u30EC\u30FC\u30B7\u30E7\u30F3 \u79FB\u690D \u4E57\u308A\u63DB\u3048
copy duplicate clone replicate | mirror | \u30B3\u30D4\u30FC \u8907\u88FD \u5199\u3059 \u8907\u5199 \u30AF\u30ED\u30FC\u30F3
merge combine join integrate unify consolidate | squash | \u30DE\u30FC\u30B8 \u7D71\u5408 \u7D50\u5408 \u5408\u6D41 \u4F75\u5408 \u307E\u3068\u3081\u308B \u53D6\u308A\u8FBC\u3080
split divide separate break_up partition | shard | \u5206\u5272 \u5206\u3051\u308B \u5206\u96E2 \u533A\u5207\u308B \u5207\u308A\u5206\u3051\u308B
extract pull_out factor_out | separate | \u62BD\u51FA \u5207\u308A\u51FA\u3059 \u629C\u304D\u51FA\u3059 \u53D6\u308A\u51FA\u3059
import load read_in ingest pull_in | consume | \u30A4\u30F3\u30DD\u30FC\u30C8 \u53D6\u308A\u8FBC\u3080 \u8AAD\u307F\u8FBC\u3080 \u53D6\u8FBC \u53D6\u308A\u8FBC\u307F
export dump output save_as | emit | \u30A8\u30AF\u30B9\u30DD\u30FC\u30C8 \u51FA\u529B \u66F8\u304D\u51FA\u3059 \u30C0\u30F3\u30D7 \u66F8\u304D\u51FA\u3057
download fetch pull get retrieve obtain | grab | \u30C0\u30A6\u30F3\u30ED\u30FC\u30C9 \u53D6\u5F97 \u843D\u3068\u3059 \u5F15\u304F \u53D6\u3063\u3066\u304F\u308B \u53D6\u308A\u5BC4\u305B
upload send push submit post | deliver | \u30A2\u30C3\u30D7\u30ED\u30FC\u30C9 \u9001\u4FE1 \u9001\u308B \u6295\u7A3F \u4E0A\u3052\u308B \u63D0\u51FA
send deliver dispatch transmit | emit | \u9001\u4FE1 \u9001\u308B \u914D\u4FE1 \u9001\u4ED8 \u767A\u9001
receive accept get | obtain | \u53D7\u4FE1 \u53D7\u3051\u53D6\u308B \u53D7\u3051\u4ED8\u3051\u308B \u53D7\u9818 \u53D7\u3051\u5165\u308C
read load parse scan | fetch | \u8AAD\u3080 \u8AAD\u307F\u8FBC\u3080 \u8AAD\u307F\u53D6\u308B \u53C2\u7167 \u8AAD\u307F\u51FA\u3059
write save store persist record | put | \u66F8\u304F \u4FDD\u5B58 \u66F8\u304D\u8FBC\u3080 \u8A18\u9332 \u683C\u7D0D \u6C38\u7D9A\u5316 \u6B8B\u3059
save store keep persist retain | remember archive | \u4FDD\u5B58 \u4FDD\u7BA1 \u6B8B\u3059 \u683C\u7D0D \u4FDD\u6301 \u3068\u3063\u3066\u304A\u304F
show display render present print | output view | \u8868\u793A \u898B\u305B\u308B \u63CF\u753B \u51FA\u3059 \u8868\u3059 \u6620\u3059
hide conceal suppress mask | mute invisible | \u96A0\u3059 \u975E\u8868\u793A \u4F0F\u305B\u308B \u30DE\u30B9\u30AF \u898B\u3048\u306A\u304F
print output log echo | stdout | \u51FA\u529B \u8868\u793A \u5370\u5237 \u30D7\u30EA\u30F3\u30C8
open launch | unlock | \u958B\u304F \u30AA\u30FC\u30D7\u30F3 \u958B\u3051\u308B
close shut | finish | \u9589\u3058\u308B \u30AF\u30ED\u30FC\u30BA \u9589\u3081\u308B
enable activate turn_on switch_on | allow on | \u6709\u52B9 \u6709\u52B9\u5316 \u30AA\u30F3 \u4F7F\u3048\u308B\u3088\u3046\u306B \u8A31\u53EF
disable deactivate turn_off switch_off | off suppress | \u7121\u52B9 \u7121\u52B9\u5316 \u30AA\u30D5 \u5207\u308B \u4F7F\u3048\u306A\u304F \u505C\u6B62
allow permit grant authorize let | accept whitelist allowlist | \u8A31\u53EF \u8A8D\u3081\u308B \u8A31\u3059 \u8A31\u5BB9 \u627F\u8A8D
forbid prohibit deny block disallow ban reject refuse | never must_not prevent | \u7981\u6B62 \u62D2\u5426 \u5374\u4E0B \u4E0D\u53EF \u30D6\u30ED\u30C3\u30AF \u8A31\u3055\u306A\u3044 \u7981\u3058\u308B \u5F3E\u304F
prevent avoid guard protect | stop | \u9632\u3050 \u907F\u3051\u308B \u9632\u6B62 \u56DE\u907F \u4FDD\u8B77 \u5B88\u308B
avoid shun refrain bypass workaround | never | \u907F\u3051\u308B \u56DE\u907F \u63A7\u3048\u308B \u4F7F\u308F\u306A\u3044
require need must demand | necessary mandatory | \u5FC5\u8981 \u5FC5\u9808 \u8981\u308B \u8981\u6C42 \u5FC5\u305A
use utilize employ adopt apply | using usage | \u4F7F\u3046 \u5229\u7528 \u4F7F\u7528 \u63A1\u7528 \u9069\u7528 \u7528\u3044\u308B
choose select pick opt decide | prefer | \u9078\u3076 \u9078\u629E \u6C7A\u3081\u308B \u9078\u5B9A \u63A1\u629E
prefer favor like rather | favourite better | \u597D\u3080 \u512A\u5148 \u597D\u304D \u671B\u307E\u3057\u3044 \u63A8\u5968
recommend suggest advise | propose | \u63A8\u5968 \u52E7\u3081\u308B \u63D0\u6848 \u304A\u3059\u3059\u3081 \u304A\u52E7\u3081
decide determine agree | decision conclude | \u6C7A\u3081\u308B \u6C7A\u5B9A \u5224\u65AD \u5408\u610F \u6C7A\u307E\u308B
assign allocate delegate | attribute give | \u5272\u308A\u5F53\u3066 \u5272\u308A\u5F53\u3066\u308B \u62C5\u5F53 \u59D4\u4EFB \u5272\u308A\u632F\u308B
connect link attach join bind | hook_up | \u63A5\u7D9A \u3064\u306A\u3050 \u7E4B\u3050 \u9023\u643A \u7D50\u3076 \u7D10\u4ED8\u3051 \u7D50\u3073\u4ED8\u3051
disconnect detach unplug unlink | drop | \u5207\u65AD \u5207\u308B \u5207\u308A\u96E2\u3059 \u5916\u3059
install set_up setup | add provision | \u30A4\u30F3\u30B9\u30C8\u30FC\u30EB \u5C0E\u5165 \u5165\u308C\u308B \u30BB\u30C3\u30C8\u30A2\u30C3\u30D7 \u8A2D\u7F6E
uninstall remove | drop | \u30A2\u30F3\u30A4\u30F3\u30B9\u30C8\u30FC\u30EB \u5916\u3059 \u53D6\u308A\u9664\u304F
configure set_up setup customize | adjust tune | \u8A2D\u5B9A \u69CB\u6210 \u8ABF\u6574 \u30BB\u30C3\u30C8\u30A2\u30C3\u30D7 \u4ED5\u8FBC\u3080
register sign_up enroll subscribe | join | \u767B\u9332 \u7533\u3057\u8FBC\u3080 \u30B5\u30A4\u30F3\u30A2\u30C3\u30D7 \u4F1A\u54E1\u767B\u9332
unsubscribe deregister opt_out | leave | \u89E3\u9664 \u9000\u4F1A \u767B\u9332\u89E3\u9664 \u914D\u4FE1\u505C\u6B62
login sign_in signin log_in logon authenticate | session | \u30ED\u30B0\u30A4\u30F3 \u30B5\u30A4\u30F3\u30A4\u30F3 \u8A8D\u8A3C \u30ED\u30B0\u30AA\u30F3
logout sign_out log_out | leave | \u30ED\u30B0\u30A2\u30A6\u30C8 \u30B5\u30A4\u30F3\u30A2\u30A6\u30C8
compress zip gzip pack shrink | minify squeeze | \u5727\u7E2E \u7E2E\u3081\u308B \u8A70\u3081\u308B \u56FA\u3081\u308B
extract unzip decompress unpack | inflate | \u89E3\u51CD \u5C55\u958B \u4F38\u9577
encrypt cipher encode | scramble | \u6697\u53F7\u5316 \u6697\u53F7
decrypt decipher decode | plain | \u5FA9\u53F7 \u5FA9\u53F7\u5316 \u89E3\u8AAD
encode serialize marshal | stringify | \u30A8\u30F3\u30B3\u30FC\u30C9 \u7B26\u53F7\u5316 \u76F4\u5217\u5316 \u30B7\u30EA\u30A2\u30E9\u30A4\u30BA
decode deserialize unmarshal parse | read | \u30C7\u30B3\u30FC\u30C9 \u5FA9\u53F7 \u9006\u76F4\u5217\u5316 \u30C7\u30B7\u30EA\u30A2\u30E9\u30A4\u30BA
parse analyze tokenize | read interpret | \u89E3\u6790 \u30D1\u30FC\u30B9 \u69CB\u6587\u89E3\u6790 \u8AAD\u307F\u89E3\u304F
format style prettify reformat | indent lint | \u6574\u5F62 \u30D5\u30A9\u30FC\u30DE\u30C3\u30C8 \u66F8\u5F0F \u4F53\u88C1 \u6574\u3048\u308B \u6E05\u66F8
sort order arrange rank | sequence | \u4E26\u3073\u66FF\u3048 \u4E26\u3079\u308B \u30BD\u30FC\u30C8 \u6574\u5217 \u4E26\u3079\u66FF\u3048 \u9806\u756A
filter narrow select | exclude | \u7D5E\u308A\u8FBC\u3080 \u30D5\u30A3\u30EB\u30BF \u7D5E\u308B \u62BD\u51FA \u3075\u308B\u3044 \u30D5\u30A3\u30EB\u30BF\u30FC
group aggregate cluster bundle | batch | \u96C6\u7D04 \u307E\u3068\u3081\u308B \u30B0\u30EB\u30FC\u30D7 \u96C6\u8A08 \u675F\u306D\u308B
count tally number total | sum | \u6570\u3048\u308B \u4EF6\u6570 \u96C6\u8A08 \u500B\u6570 \u30AB\u30A6\u30F3\u30C8
calculate compute | sum evaluate | \u8A08\u7B97 \u7B97\u51FA \u6F14\u7B97 \u6C42\u3081\u308B
measure benchmark profile gauge | time | \u8A08\u6E2C \u6E2C\u5B9A \u6E2C\u308B \u30D9\u30F3\u30C1\u30DE\u30FC\u30AF \u8A08\u308B
compare diff contrast | difference versus | \u6BD4\u8F03 \u6BD4\u3079\u308B \u5DEE\u5206 \u5BFE\u6BD4 \u898B\u6BD4\u3079\u308B
limit restrict cap constrain throttle | bound maximum | \u5236\u9650 \u9650\u308B \u7D5E\u308B \u6291\u3048\u308B \u4E0A\u9650 \u9650\u5B9A
extend expand enlarge widen lengthen | grow increase | \u62E1\u5F35 \u5E83\u3052\u308B \u5EF6\u3070\u3059 \u5EF6\u9577 \u4F38\u3070\u3059 \u62E1\u5927
increase raise grow enlarge | more higher bump | \u5897\u3084\u3059 \u4E0A\u3052\u308B \u5897\u52A0 \u5897\u3048\u308B \u5F15\u304D\u4E0A\u3052 \u9AD8\u304F\u3059\u308B
decrease reduce lower shrink lessen cut_down | fewer less smaller | \u6E1B\u3089\u3059 \u4E0B\u3052\u308B \u6E1B\u5C11 \u524A\u6E1B \u7E2E\u5C0F \u6E1B\u308B \u5F15\u304D\u4E0B\u3052 \u5C0F\u3055\u304F\u3059\u308B
improve enhance optimize better | refine polish | \u6539\u5584 \u5411\u4E0A \u6700\u9069\u5316 \u826F\u304F\u3059\u308B \u6539\u826F
simplify streamline clean_up tidy | refactor | \u7C21\u7D20\u5316 \u5358\u7D14\u5316 \u6574\u7406 \u7C21\u6F54 \u7247\u4ED8\u3051
refactor restructure rework reorganize clean_up | rewrite | \u30EA\u30D5\u30A1\u30AF\u30BF\u30EA\u30F3\u30B0 \u6574\u7406 \u518D\u69CB\u6210 \u4F5C\u308A\u76F4\u3059 \u66F8\u304D\u76F4\u3059 \u7D44\u307F\u76F4\u3059
rewrite redo reimplement | overhaul | \u66F8\u304D\u76F4\u3059 \u66F8\u304D\u63DB\u3048 \u4F5C\u308A\u76F4\u3057 \u4F5C\u308A\u76F4\u3059
clean cleanup clean_up tidy sweep clear purge | wash | \u6383\u9664 \u7247\u4ED8\u3051\u308B \u6574\u7406 \u30AF\u30EA\u30FC\u30F3\u30A2\u30C3\u30D7 \u6D88\u53BB \u304D\u308C\u3044
share distribute publish | spread | \u5171\u6709 \u914D\u5E03 \u5206\u304B\u3061\u5408\u3046 \u30B7\u30A7\u30A2 \u516C\u958B
publish release ship issue put_out | announce | \u516C\u958B \u767A\u884C \u30EA\u30EA\u30FC\u30B9 \u51FA\u3059 \u51FA\u7248 \u767A\u8868
deploy release ship roll_out rollout push_out go_live | publish launch production | \u30C7\u30D7\u30ED\u30A4 \u30EA\u30EA\u30FC\u30B9 \u914D\u5099 \u516C\u958B \u51FA\u8377 \u5C55\u958B \u53CD\u6620 \u672C\u756A\u53CD\u6620
build compile make bundle | assemble transpile | \u30D3\u30EB\u30C9 \u30B3\u30F3\u30D1\u30A4\u30EB \u69CB\u7BC9 \u7D44\u307F\u7ACB\u3066 \u30D3\u30EB\u30C9\u3059\u308B
test try verify exercise | check spec | \u30C6\u30B9\u30C8 \u8A66\u9A13 \u691C\u8A3C \u8A66\u3059 \u8A66\u3057
mock stub fake dummy double | simulate | \u30E2\u30C3\u30AF \u30B9\u30BF\u30D6 \u507D\u7269 \u30C0\u30DF\u30FC \u4EE3\u5F79 \u898B\u305B\u304B\u3051
simulate emulate imitate | mimic | \u6A21\u64EC \u30B7\u30DF\u30E5\u30EC\u30FC\u30B7\u30E7\u30F3 \u30A8\u30DF\u30E5\u30EC\u30FC\u30C8 \u518D\u73FE
reproduce recreate replicate repro | repeat | \u518D\u73FE \u518D\u73FE\u624B\u9806
monitor watch observe track | alert | \u76E3\u8996 \u898B\u5F35\u308B \u30E2\u30CB\u30BF\u30EA\u30F3\u30B0 \u89B3\u6E2C \u8FFD\u8DE1 \u30E2\u30CB\u30BF\u30FC
notify alert inform tell warn | message announce | \u901A\u77E5 \u77E5\u3089\u305B\u308B \u9023\u7D61 \u8B66\u544A \u4F1D\u3048\u308B \u304A\u77E5\u3089\u305B \u30A2\u30E9\u30FC\u30C8
report tell announce | summary file | \u5831\u544A \u30EC\u30DD\u30FC\u30C8 \u77E5\u3089\u305B\u308B \u5C4A\u3051\u51FA
ask request inquire | question | \u5C0B\u306D\u308B \u4F9D\u983C \u805E\u304F \u8CEA\u554F \u8981\u6C42 \u554F\u3044\u5408\u308F\u305B \u983C\u3080
answer reply respond | response | \u7B54\u3048\u308B \u8FD4\u4FE1 \u56DE\u7B54 \u5FDC\u7B54 \u8FD4\u4E8B
explain describe clarify document | tell | \u8AAC\u660E \u8FF0\u3079\u308B \u89E3\u8AAC \u8A18\u8FF0
document write_up describe | docs note | \u6587\u66F8\u5316 \u8A18\u8FF0 \u66F8\u304D\u6B8B\u3059 \u30C9\u30AD\u30E5\u30E1\u30F3\u30C8
review inspect approve look_over | feedback | \u30EC\u30D3\u30E5\u30FC \u67FB\u8AAD \u78BA\u8A8D \u898B\u76F4\u3057 \u898B\u76F4\u3059
approve accept sign_off | ok allow | \u627F\u8A8D \u8A8D\u53EF \u8A31\u53EF \u4E86\u627F \u627F\u8AFE
reject decline refuse deny turn_down | dismiss | \u5374\u4E0B \u62D2\u5426 \u65AD\u308B \u68C4\u5374 \u4E0D\u63A1\u7528
commit check_in record | save | \u30B3\u30DF\u30C3\u30C8 \u8A18\u9332 \u78BA\u5B9A
push upload publish | send | \u30D7\u30C3\u30B7\u30E5 \u9001\u308B \u62BC\u3059
pull fetch sync | get | \u30D7\u30EB \u53D6\u5F97 \u5F15\u304F \u53D6\u308A\u8FBC\u3080
sync synchronize align | match | \u540C\u671F \u5408\u308F\u305B\u308B \u30B7\u30F3\u30AF \u305D\u308D\u3048\u308B
schedule plan arrange | cron timetable | \u4E88\u5B9A \u30B9\u30B1\u30B8\u30E5\u30FC\u30EB \u4E88\u7D04 \u8A08\u753B \u5B9A\u671F
plan design intend | roadmap | \u8A08\u753B \u4E88\u5B9A \u8A2D\u8A08 \u4F01\u753B
automate script | automatic bot | \u81EA\u52D5\u5316 \u81EA\u52D5 \u30B9\u30AF\u30EA\u30D7\u30C8
generate codegen scaffold produce | auto | \u81EA\u52D5\u751F\u6210 \u751F\u6210 \u4F5C\u308A\u51FA\u3059 \u96DB\u5F62
render draw paint display | view | \u63CF\u753B \u30EC\u30F3\u30C0\u30EA\u30F3\u30B0 \u8868\u793A \u63CF\u304F
click press tap push hit | select | \u30AF\u30EA\u30C3\u30AF \u62BC\u3059 \u30BF\u30C3\u30D7 \u62BC\u4E0B
type enter input key_in fill_in | keyboard | \u5165\u529B \u6253\u3064 \u6253\u3061\u8FBC\u3080 \u8A18\u5165 \u30BF\u30A4\u30D7
scroll swipe pan | move | \u30B9\u30AF\u30ED\u30FC\u30EB \u3081\u304F\u308B \u9001\u308B
drag drop move | pull | \u30C9\u30E9\u30C3\u30B0 \u5F15\u3063\u5F35\u308B
lock freeze pin hold | fix exclusive | \u30ED\u30C3\u30AF \u56FA\u5B9A \u51CD\u7D50 \u9375 \u6392\u4ED6
unlock release free | open | \u89E3\u9664 \u958B\u653E \u30ED\u30C3\u30AF\u89E3\u9664 \u89E3\u653E
pin fix freeze hold lock | exact version | \u56FA\u5B9A \u30D4\u30F3\u7559\u3081 \u636E\u3048\u7F6E\u304D \u56FA\u5B9A\u3059\u308B
wrap enclose surround | envelope | \u5305\u3080 \u56F2\u3080 \u30E9\u30C3\u30D7 \u8986\u3046
nest embed inline | inside | \u5165\u308C\u5B50 \u57CB\u3081\u8FBC\u3080 \u30CD\u30B9\u30C8 \u57CB\u3081\u8FBC\u307F
inject insert | dependency | \u6CE8\u5165 \u5DEE\u3057\u8FBC\u3080 \u30A4\u30F3\u30B8\u30A7\u30AF\u30B7\u30E7\u30F3
override overwrite replace | supersede | \u4E0A\u66F8\u304D \u30AA\u30FC\u30D0\u30FC\u30E9\u30A4\u30C9 \u7F6E\u304D\u63DB\u3048
inherit derive extend | subclass | \u7D99\u627F \u6D3E\u751F \u5F15\u304D\u7D99\u3050
implement code develop build write | realize | \u5B9F\u88C5 \u958B\u767A \u4F5C\u308B \u7D44\u307F\u8FBC\u3080
design architect model | draft | \u8A2D\u8A08 \u30C7\u30B6\u30A4\u30F3 \u69CB\u60F3
support handle cope deal_with | compatible | \u5BFE\u5FDC \u30B5\u30DD\u30FC\u30C8 \u6271\u3046 \u51E6\u7406 \u5BFE\u51E6
handle process treat deal_with | manage | \u51E6\u7406 \u6271\u3046 \u53D6\u308A\u6271\u3044 \u30CF\u30F3\u30C9\u30EA\u30F3\u30B0
manage administer control | handle run | \u7BA1\u7406 \u904B\u7528 \u5236\u5FA1 \u904B\u55B6
maintain keep_up service | support | \u4FDD\u5B88 \u7DAD\u6301 \u30E1\u30F3\u30C6\u30CA\u30F3\u30B9 \u624B\u5165\u308C
operate run | maintain | \u904B\u7528 \u64CD\u4F5C \u52D5\u304B\u3059
escape quote | encode | \u30A8\u30B9\u30B1\u30FC\u30D7 \u5F15\u7528\u7B26 \u9003\u304C\u3059
trim strip cut truncate | shorten | \u5207\u308A\u8A70\u3081\u308B \u5207\u308B \u524A\u308B \u30C8\u30EA\u30E0 \u77ED\u304F
truncate cut_off shorten | abbreviate | \u5207\u308A\u8A70\u3081 \u5207\u308A\u6368\u3066 \u77ED\u7E2E \u9014\u4E2D\u3067\u5207\u308C\u308B
round rounding round_up round_down | truncate ceil floor | \u4E38\u3081 \u56DB\u6368\u4E94\u5165 \u7AEF\u6570 \u5207\u308A\u4E0A\u3052 \u5207\u308A\u6368\u3066 \u4E38\u3081\u308B
convert transform translate turn_into cast | change | \u5909\u63DB \u5909\u3048\u308B \u63DB\u7B97 \u7F6E\u304D\u63DB\u3048 \u5909\u5F62
translate localize | language i18n l10n | \u7FFB\u8A33 \u8A33\u3059 \u30ED\u30FC\u30AB\u30E9\u30A4\u30BA \u591A\u8A00\u8A9E
quote cite refer | mention | \u5F15\u7528 \u8A00\u53CA \u53C2\u7167
reference refer point_to link | mention | \u53C2\u7167 \u6307\u3059 \u8A00\u53CA
return give_back yield | result | \u8FD4\u3059 \u623B\u3059 \u8FD4\u5374 \u623B\u308A\u5024
throw raise | exception | \u6295\u3052\u308B \u9001\u51FA \u30B9\u30ED\u30FC \u767A\u751F
catch rescue trap handle | except | \u6355\u307E\u3048\u308B \u6355\u6349 \u30AD\u30E3\u30C3\u30C1 \u53D7\u3051\u6B62\u3081\u308B
emit fire trigger dispatch raise | event | \u767A\u706B \u767A\u751F \u9001\u51FA \u5F15\u304D\u91D1 \u30C8\u30EA\u30AC\u30FC
listen subscribe await | port handler | \u5F85\u3061\u53D7\u3051 \u8CFC\u8AAD \u5F85\u3064 \u30EA\u30C3\u30B9\u30F3 \u76E3\u8996
cache memoize store | buffer | \u30AD\u30E3\u30C3\u30B7\u30E5 \u4E00\u6642\u4FDD\u5B58 \u6E9C\u3081\u308B
flush drain empty | clear | \u30D5\u30E9\u30C3\u30B7\u30E5 \u5410\u304D\u51FA\u3059 \u7A7A\u306B\u3059\u308B \u6D41\u3059
seed populate fill prefill | initial fixture | \u521D\u671F\u30C7\u30FC\u30BF \u6295\u5165 \u4ED5\u8FBC\u3080 \u57CB\u3081\u308B \u30B7\u30FC\u30C9
reset reinitialize clear | default zero | \u30EA\u30BB\u30C3\u30C8 \u521D\u671F\u5316 \u623B\u3059 \u5143\u306B\u623B\u3059
initialize init bootstrap set_up | initial | \u521D\u671F\u5316 \u6E96\u5099 \u7ACB\u3061\u4E0A\u3052 \u521D\u671F\u8A2D\u5B9A
finish complete end conclude wrap_up | done | \u7D42\u308F\u308B \u5B8C\u4E86 \u7D42\u3048\u308B \u5B8C\u6210 \u7D42\u4E86 \u4ED5\u4E0A\u3052\u308B
continue resume carry_on proceed | go_on | \u7D9A\u3051\u308B \u518D\u958B \u7D99\u7D9A \u7D9A\u884C \u7D9A\u304D
pass succeed go_through | green ok | \u901A\u308B \u6210\u529F \u5408\u683C \u30D1\u30B9 \u901A\u904E
upgrade modernize | newest | \u5237\u65B0 \u66F4\u65B0 \u65B0\u3057\u304F \u30A2\u30C3\u30D7\u30B0\u30EC\u30FC\u30C9
archive back_up store | cold | \u4FDD\u7BA1 \u30A2\u30FC\u30AB\u30A4\u30D6 \u9000\u907F \u66F8\u5EAB
backup back_up snapshot | copy safety | \u30D0\u30C3\u30AF\u30A2\u30C3\u30D7 \u9000\u907F \u63A7\u3048 \u4E88\u5099
expire lapse run_out time_out | end obsolete | \u671F\u9650\u5207\u308C \u5931\u52B9 \u5207\u308C\u308B \u6E80\u4E86
invalidate revoke void cancel | expire | \u7121\u52B9\u5316 \u5931\u52B9 \u53D6\u308A\u6D88\u3057 \u7834\u68C4
rotate cycle renew | replace | \u30ED\u30FC\u30C6\u30FC\u30B7\u30E7\u30F3 \u4EA4\u63DB \u66F4\u65B0 \u5165\u308C\u66FF\u3048 \u56DE\u8EE2
distribute spread balance | share | \u5206\u6563 \u914D\u308B \u5272\u308A\u632F\u308B \u914D\u5E03
collect gather accumulate | aggregate | \u53CE\u96C6 \u96C6\u3081\u308B \u6E9C\u3081\u308B \u56DE\u53CE
learn study | train | \u5B66\u3076 \u5B66\u7FD2 \u52C9\u5F37 \u899A\u3048\u308B
remember memorize recall keep | note | \u899A\u3048\u308B \u8A18\u61B6 \u601D\u3044\u51FA\u3059 \u899A\u3048\u3066\u304A\u304F
forget drop | erase | \u5FD8\u308C\u308B \u5FD8\u5374 \u5931\u5FF5
`;var Dt=`
fail failure break not_work fails | unsuccessful red down | \u5931\u6557 \u843D\u3061\u308B \u5931\u6557\u3059\u308B \u3053\u3051\u308B \u52D5\u304B\u306A\u3044 \u901A\u3089\u306A\u3044 \u3057\u304F\u3058\u308B
error fault mistake exception | problem bug wrong | \u30A8\u30E9\u30FC \u8AA4\u308A \u9593\u9055\u3044 \u7570\u5E38 \u4E0D\u5177\u5408 \u4F8B\u5916
bug defect issue glitch flaw fault | broken problem error | \u30D0\u30B0 \u4E0D\u5177\u5408 \u6B20\u9665 \u554F\u984C \u969C\u5BB3
problem issue trouble difficulty | matter pain | \u554F\u984C \u8AB2\u984C \u56F0\u308B \u30C8\u30E9\u30D6\u30EB \u652F\u969C \u56F0\u3063\u305F
crash panic segfault blow_up die abort | core_dump terminate | \u30AF\u30E9\u30C3\u30B7\u30E5 \u843D\u3061\u308B \u7570\u5E38\u7D42\u4E86 \u5F37\u5236\u7D42\u4E86 \u6B7B\u306C
freeze hang stuck deadlock unresponsive lock_up | block stall | \u56FA\u307E\u308B \u30D5\u30EA\u30FC\u30BA \u6B62\u307E\u308B \u30CF\u30F3\u30B0 \u5FDC\u7B54\u3057\u306A\u3044 \u505C\u6B62 \u30C7\u30C3\u30C9\u30ED\u30C3\u30AF
timeout time_out timed_out too_long | slow expire deadline | \u30BF\u30A4\u30E0\u30A2\u30A6\u30C8 \u6642\u9593\u5207\u308C \u9045\u3044 \u5236\u9650\u6642\u9593
flaky unstable intermittent sporadic unreliable random | sometimes nondeterministic | \u4E0D\u5B89\u5B9A \u305F\u307E\u306B \u30D5\u30EC\u30FC\u30AD\u30FC \u6642\u3005 \u30E9\u30F3\u30C0\u30E0 \u5076\u767A
slow sluggish latency lag | delay performance takes_long | \u9045\u3044 \u91CD\u3044 \u4F4E\u901F \u9045\u5EF6 \u3082\u305F\u3064\u304F \u6642\u9593\u304C\u304B\u304B\u308B \u920D\u3044
fast quick speedy rapid | performance speed | \u901F\u3044 \u9AD8\u901F \u65E9\u3044 \u7D20\u65E9\u3044 \u8FC5\u901F \u8EFD\u3044
performance speed throughput efficiency | fast slow | \u6027\u80FD \u901F\u5EA6 \u30D1\u30D5\u30A9\u30FC\u30DE\u30F3\u30B9 \u52B9\u7387 \u30B9\u30EB\u30FC\u30D7\u30C3\u30C8
leak exhaustion run_out oom | memory grow | \u6F0F\u308C \u30EA\u30FC\u30AF \u67AF\u6E07 \u30E1\u30E2\u30EA\u4E0D\u8DB3 \u6D41\u51FA
outage downtime incident unavailable | down failure | \u969C\u5BB3 \u505C\u6B62 \u30C0\u30A6\u30F3 \u4E8B\u6545 \u30A4\u30F3\u30B7\u30C7\u30F3\u30C8 \u6B62\u307E\u308B
corrupt broken damaged garbled | invalid mojibake | \u58CA\u308C\u308B \u7834\u640D \u6587\u5B57\u5316\u3051 \u58CA\u308C\u305F \u5316\u3051\u308B
broken defective not_working damaged | fail | \u58CA\u308C\u305F \u58CA\u308C\u308B \u52D5\u304B\u306A\u3044 \u6545\u969C
missing absent lacking not_found lost | none gone without | \u898B\u3064\u304B\u3089\u306A\u3044 \u6B20\u843D \u4E0D\u8DB3 \u6B20\u3051\u308B \u5B58\u5728\u3057\u306A\u3044 \u629C\u3051 \u306A\u3044 \u8DB3\u308A\u306A\u3044
lost vanish disappear gone | missing | \u6D88\u3048\u308B \u5931\u3046 \u7D1B\u5931 \u306A\u304F\u306A\u308B \u6D88\u5931
duplicate double twice repeated | redundant copy | \u91CD\u8907 \u4E8C\u91CD \u30C0\u30D6\u308B \u91CD\u306A\u308B \u4E8C\u56DE
conflict clash collision | contradiction overlap | \u7AF6\u5408 \u885D\u7A81 \u30B3\u30F3\u30D5\u30EA\u30AF\u30C8 \u77DB\u76FE \u3076\u3064\u304B\u308B
race concurrency simultaneous parallel | thread lock | \u7AF6\u5408\u72B6\u614B \u4E26\u884C \u540C\u6642 \u30EC\u30FC\u30B9 \u4E26\u5217
parallel concurrent simultaneous | multi worker | \u4E26\u5217 \u4E26\u884C \u540C\u6642 \u5E73\u884C
sequential serial one_by_one in_order | single | \u9010\u6B21 \u76F4\u5217 \u9806\u756A \u9806\u6B21 \u4E00\u3064\u305A\u3064
incompatible mismatch differ | conflict | \u975E\u4E92\u63DB \u4E0D\u4E00\u81F4 \u5408\u308F\u306A\u3044 \u4E92\u63DB\u6027 \u98DF\u3044\u9055\u3044
mismatch inconsistent differ discrepancy | unequal | \u4E0D\u4E00\u81F4 \u98DF\u3044\u9055\u3044 \u305A\u308C \u5DEE\u7570 \u305A\u308C\u308B \u5408\u308F\u306A\u3044
inconsistent contradictory | differ | \u77DB\u76FE \u4E0D\u6574\u5408 \u3070\u3089\u3070\u3089 \u4E00\u8CAB\u3057\u306A\u3044
consistent uniform same | coherent | \u4E00\u8CAB \u7D71\u4E00 \u6574\u5408 \u63C3\u3048\u308B
invalid wrong incorrect bad illegal improper | malformed error | \u4E0D\u6B63 \u7121\u52B9 \u8AA4\u308A \u9593\u9055\u3044 \u6B63\u3057\u304F\u306A\u3044 \u4E0D\u9069\u5207
valid correct right proper legal | ok | \u6B63\u3057\u3044 \u6709\u52B9 \u9069\u5207 \u59A5\u5F53 \u6B63\u5F53
wrong incorrect mistaken false | bad error | \u9593\u9055\u3044 \u8AA4\u308A \u9055\u3046 \u4E0D\u6B63 \u8AA4\u3063\u305F
unexpected surprising strange odd weird | unusual | \u4E88\u671F\u3057\u306A\u3044 \u60F3\u5B9A\u5916 \u610F\u5916 \u5909 \u304A\u304B\u3057\u3044 \u5947\u5999
unknown unclear undefined | mystery | \u4E0D\u660E \u672A\u77E5 \u672A\u5B9A\u7FA9 \u308F\u304B\u3089\u306A\u3044
empty blank null nil none | missing zero | \u7A7A \u7A7A\u767D \u7A7A\u6B04 \u7121\u3057 \u30CC\u30EB \u4F55\u3082\u306A\u3044
full overflow exceed too_many | limit exhausted | \u6E80\u676F \u6EA2\u308C\u308B \u8D85\u904E \u3044\u3063\u3071\u3044 \u4E00\u676F \u30AA\u30FC\u30D0\u30FC\u30D5\u30ED\u30FC
exceed over surpass beyond | limit too_large | \u8D85\u3048\u308B \u8D85\u904E \u4E0A\u56DE\u308B \u30AA\u30FC\u30D0\u30FC
large big huge great | heavy size | \u5927\u304D\u3044 \u5DE8\u5927 \u5927\u578B \u5927\u91CF \u5927\u898F\u6A21
small little tiny minor | short | \u5C0F\u3055\u3044 \u5C0F\u578B \u5C11\u306A\u3044 \u4E9B\u7D30 \u5C0F\u898F\u6A21
heavy expensive costly | slow large | \u91CD\u3044 \u9AD8\u4FA1 \u8CA0\u8377 \u30B3\u30B9\u30C8
never not_ever must_not do_not don't | forbid | \u6C7A\u3057\u3066 \u7D76\u5BFE\u306B \u7981\u6B62 \u3057\u306A\u3044 \u53B3\u7981
safe secure harmless | protected | \u5B89\u5168 \u5B89\u5FC3 \u7121\u5BB3 \u30BB\u30AD\u30E5\u30A2
dangerous risky unsafe hazardous harmful | careful | \u5371\u967A \u5371\u306A\u3044 \u30EA\u30B9\u30AF \u6709\u5BB3
careful caution attention beware watch_out | warning | \u6CE8\u610F \u6C17\u3092\u4ED8\u3051\u308B \u614E\u91CD \u7528\u5FC3
important critical essential crucial vital key | major | \u91CD\u8981 \u5927\u4E8B \u5927\u5207 \u809D\u5FC3 \u5FC5\u9808
urgent immediate asap priority | hurry | \u7DCA\u6025 \u81F3\u6025 \u6025\u304E \u3059\u3050 \u6025\u3050 \u512A\u5148
priority precedence importance | order | \u512A\u5148 \u512A\u5148\u5EA6 \u512A\u5148\u9806\u4F4D
optional voluntary | may | \u4EFB\u610F \u7701\u7565\u53EF\u80FD \u30AA\u30D7\u30B7\u30E7\u30F3
mandatory required compulsory obligatory | must | \u5FC5\u9808 \u5F37\u5236 \u7FA9\u52D9 \u5FC5\u8981
temporary interim provisional transient | short | \u4E00\u6642\u7684 \u4EEE \u66AB\u5B9A \u5F53\u9762 \u4E00\u6642
permanent persistent lasting | forever | \u6052\u4E45 \u6C38\u7D9A \u6C38\u4E45 \u305A\u3063\u3068
deprecated obsolete outdated legacy old | retired unused | \u975E\u63A8\u5968 \u5EC3\u6B62 \u53E4\u3044 \u65E7\u5F0F \u6642\u4EE3\u9045\u308C
legacy old former previous | outdated | \u65E7 \u53E4\u3044 \u30EC\u30AC\u30B7\u30FC \u4EE5\u524D \u5F93\u6765
new fresh latest recent modern | current | \u65B0\u3057\u3044 \u6700\u65B0 \u65B0\u898F \u65B0 \u65B0\u578B
stale outdated expired old | cache | \u53E4\u3044 \u671F\u9650\u5207\u308C \u9673\u8150\u5316 \u53E4\u304F\u306A\u308B
current present existing now | today | \u73FE\u5728 \u4ECA \u73FE\u884C \u65E2\u5B58 \u3044\u307E
previous former earlier prior last | old | \u524D \u4EE5\u524D \u524D\u56DE \u904E\u53BB \u5148\u306E
default standard initial usual | fallback preset | \u65E2\u5B9A \u30C7\u30D5\u30A9\u30EB\u30C8 \u6A19\u6E96 \u521D\u671F\u5024 \u898F\u5B9A
custom own special bespoke | personal | \u72EC\u81EA \u81EA\u4F5C \u7279\u6CE8 \u30AB\u30B9\u30BF\u30E0 \u7279\u5225
manual by_hand handmade | person | \u624B\u52D5 \u624B\u4F5C\u696D \u4EBA\u624B \u624B\u3067
automatic auto self | bot unattended | \u81EA\u52D5 \u30AA\u30FC\u30C8 \u3072\u3068\u308A\u3067\u306B
readable legible clear | understand | \u8AAD\u307F\u3084\u3059\u3044 \u53EF\u8AAD\u6027 \u308F\u304B\u308A\u3084\u3059\u3044 \u898B\u3084\u3059\u3044
quiet silent mute | noisy | \u9759\u304B \u7121\u97F3 \u6C88\u9ED9 \u9ED9\u308B
noisy verbose chatty loud | spam | \u3046\u308B\u3055\u3044 \u5197\u9577 \u9A12\u304C\u3057\u3044 \u30CE\u30A4\u30BA
warning caution alert | notice | \u8B66\u544A \u6CE8\u610F \u30EF\u30FC\u30CB\u30F3\u30B0 \u8B66\u5831
cause reason root_cause because why | origin source | \u539F\u56E0 \u7406\u7531 \u8981\u56E0 \u6839\u672C\u539F\u56E0 \u306A\u305C \u308F\u3051
symptom sign indication | effect | \u75C7\u72B6 \u5146\u5019 \u73FE\u308C
effect impact influence consequence | result | \u5F71\u97FF \u52B9\u679C \u7D50\u679C \u4F5C\u7528
result outcome output | consequence | \u7D50\u679C \u6210\u679C \u51FA\u529B
solution fix remedy answer cure resolution | workaround | \u89E3\u6C7A\u7B56 \u5BFE\u7B56 \u89E3\u6C7A \u5BFE\u51E6\u6CD5 \u89E3\u6C7A\u65B9\u6CD5
workaround hack bypass trick detour | temporary fix | \u56DE\u907F\u7B56 \u5FDC\u6025\u51E6\u7F6E \u305D\u306E\u5834\u3057\u306E\u304E \u8FC2\u56DE \u66AB\u5B9A\u5BFE\u5FDC \u629C\u3051\u9053
measure countermeasure action | step | \u5BFE\u7B56 \u63AA\u7F6E \u624B\u6BB5
risk danger hazard threat | chance | \u30EA\u30B9\u30AF \u5371\u967A \u6050\u308C \u8105\u5A01
limit maximum cap ceiling upper_bound quota | threshold most | \u4E0A\u9650 \u9650\u5EA6 \u6700\u5927 \u5236\u9650 \u9650\u754C \u30AF\u30A9\u30FC\u30BF
minimum least lower_bound floor | smallest | \u4E0B\u9650 \u6700\u5C0F \u6700\u4F4E
threshold limit cutoff | boundary | \u95BE\u5024 \u3057\u304D\u3044\u5024 \u5883\u754C \u57FA\u6E96\u5024
range interval span scope | between | \u7BC4\u56F2 \u533A\u9593 \u5E45
precision accuracy exact | rounding decimal | \u7CBE\u5EA6 \u6B63\u78BA \u53B3\u5BC6
quality standard grade | good | \u54C1\u8CEA \u8CEA \u6C34\u6E96
stability stable reliable robust | solid | \u5B89\u5B9A \u4FE1\u983C\u6027 \u5805\u7262 \u9811\u5065
security vulnerability hole exploit | attack safe | \u30BB\u30AD\u30E5\u30EA\u30C6\u30A3 \u8106\u5F31\u6027 \u5B89\u5168 \u5F31\u70B9 \u7A74
compatible compatibility works_with | support | \u4E92\u63DB \u4E92\u63DB\u6027 \u5BFE\u5FDC \u4E21\u7ACB
available usable accessible ready | up | \u5229\u7528\u53EF\u80FD \u4F7F\u3048\u308B \u53EF\u7528 \u7A7A\u304D
unavailable inaccessible unreachable | down | \u5229\u7528\u4E0D\u53EF \u4F7F\u3048\u306A\u3044 \u5C4A\u304B\u306A\u3044 \u4E0D\u901A
unused dead obsolete idle | unneeded | \u672A\u4F7F\u7528 \u4F7F\u308F\u308C\u3066\u3044\u306A\u3044 \u4E0D\u8981 \u904A\u4F11
unnecessary needless redundant superfluous | unneeded | \u4E0D\u8981 \u7121\u99C4 \u4F59\u8A08 \u8981\u3089\u306A\u3044
waste squander | useless | \u7121\u99C4 \u6D6A\u8CBB \u3082\u3063\u305F\u3044\u306A\u3044
`;var $t=`
project product work | repo | \u30D7\u30ED\u30B8\u30A7\u30AF\u30C8 \u6848\u4EF6 \u88FD\u54C1 \u4F01\u753B
task ticket issue job todo | work | \u30BF\u30B9\u30AF \u8AB2\u984C \u4F5C\u696D \u30C1\u30B1\u30C3\u30C8 \u4ED5\u4E8B
issue ticket problem | bug | \u8AB2\u984C \u554F\u984C \u30C1\u30B1\u30C3\u30C8 \u6848\u4EF6
story requirement need | feature | \u8981\u4EF6 \u8981\u6C42 \u30B9\u30C8\u30FC\u30EA\u30FC
requirement specification spec | need | \u8981\u4EF6 \u4ED5\u69D8 \u8981\u6C42\u4ED5\u69D8
specification spec definition | standard | \u4ED5\u69D8 \u4ED5\u69D8\u66F8 \u898F\u683C \u5B9A\u7FA9
pull_request pr merge_request review | branch | \u30D7\u30EB\u30EA\u30AF\u30A8\u30B9\u30C8 \u30D7\u30EB\u30EA\u30AF \u30DE\u30FC\u30B8\u4F9D\u983C
review feedback comment | approve | \u30EC\u30D3\u30E5\u30FC \u6307\u6458 \u610F\u898B
code_review pr_review reviewer | approve | \u30B3\u30FC\u30C9\u30EC\u30D3\u30E5\u30FC \u67FB\u8AAD
commit_message commit_log | changelog | \u30B3\u30DF\u30C3\u30C8\u30E1\u30C3\u30BB\u30FC\u30B8 \u5909\u66F4\u306E\u8AAC\u660E
message text wording | words | \u6587\u8A00 \u6587\u9762 \u30E1\u30C3\u30BB\u30FC\u30B8
changelog release_notes history | changes | \u5909\u66F4\u5C65\u6B74 \u66F4\u65B0\u5C65\u6B74 \u30EA\u30EA\u30FC\u30B9\u30CE\u30FC\u30C8
documentation docs manual readme guide handbook | document wiki | \u30C9\u30AD\u30E5\u30E1\u30F3\u30C8 \u6587\u66F8 \u8CC7\u6599 \u8AAC\u660E\u66F8 \u624B\u5F15\u304D \u30DE\u30CB\u30E5\u30A2\u30EB
guide tutorial howto instructions | manual | \u624B\u5F15\u304D \u6848\u5185 \u624B\u9806 \u89E3\u8AAC
procedure steps instructions runbook process | how | \u624B\u9806 \u624B\u7D9A\u304D \u3084\u308A\u65B9 \u6D41\u308C \u624B\u9806\u66F8
example sample demo | illustration | \u4F8B \u898B\u672C \u30B5\u30F3\u30D7\u30EB \u5B9F\u4F8B
note memo remark | comment | \u30E1\u30E2 \u899A\u3048\u66F8\u304D \u5099\u8003 \u6CE8\u8A18
diagram figure chart drawing | graph | \u56F3 \u56F3\u8868 \u30C0\u30A4\u30A2\u30B0\u30E9\u30E0 \u7D75
meeting call conference standup sync | discussion | \u4F1A\u8B70 \u6253\u3061\u5408\u308F\u305B \u30DF\u30FC\u30C6\u30A3\u30F3\u30B0 \u6253\u5408\u305B
discussion talk debate conversation | meeting | \u8B70\u8AD6 \u8A71\u3057\u5408\u3044 \u76F8\u8AC7 \u4F1A\u8A71
agreement consensus contract | decision | \u5408\u610F \u5951\u7D04 \u53D6\u308A\u6C7A\u3081 \u7D04\u675F
decision choice conclusion | decided | \u6C7A\u5B9A \u5224\u65AD \u7D50\u8AD6 \u9078\u629E
team group members crew | people | \u30C1\u30FC\u30E0 \u73ED \u4EF2\u9593 \u7D44
owner maintainer responsible in_charge | contact | \u62C5\u5F53 \u8CAC\u4EFB\u8005 \u6240\u6709\u8005 \u62C5\u5F53\u8005 \u7BA1\u7406\u8005 \u6301\u3061\u4E3B
responsible charge accountable | owner | \u8CAC\u4EFB \u62C5\u5F53
developer engineer programmer coder | dev | \u958B\u767A\u8005 \u6280\u8853\u8005 \u30A8\u30F3\u30B8\u30CB\u30A2 \u30D7\u30ED\u30B0\u30E9\u30DE
designer design | ui | \u30C7\u30B6\u30A4\u30CA\u30FC \u8A2D\u8A08\u8005
tester qa quality_assurance | test | \u30C6\u30B9\u30BF\u30FC \u54C1\u8CEA\u4FDD\u8A3C \u691C\u8A3C\u62C5\u5F53
customer client buyer consumer | user tenant | \u9867\u5BA2 \u304A\u5BA2\u69D8 \u5BA2 \u53D6\u5F15\u5148 \u5F97\u610F\u5148 \u304A\u5BA2
tenant organization organisation company workspace | customer | \u30C6\u30CA\u30F3\u30C8 \u7D44\u7E54 \u4F1A\u793E \u4F01\u696D \u56E3\u4F53
company firm business corporation | enterprise | \u4F1A\u793E \u4F01\u696D \u4E8B\u696D \u6CD5\u4EBA
partner vendor supplier third_party | external | \u53D6\u5F15\u5148 \u696D\u8005 \u4ED5\u5165\u5148 \u5916\u90E8
external third-party outside | foreign | \u5916\u90E8 \u793E\u5916 \u5916
internal inhouse in-house own | private | \u5185\u90E8 \u793E\u5185 \u81EA\u793E
support helpdesk help assistance | service | \u30B5\u30DD\u30FC\u30C8 \u652F\u63F4 \u7A93\u53E3 \u624B\u52A9\u3051
help assist aid | support | \u52A9\u3051\u308B \u624B\u4F1D\u3046 \u652F\u63F4 \u30D8\u30EB\u30D7
question inquiry doubt | ask | \u8CEA\u554F \u7591\u554F \u554F\u3044
unit_test unit_tests | spec test | \u5358\u4F53\u30C6\u30B9\u30C8 \u30E6\u30CB\u30C3\u30C8\u30C6\u30B9\u30C8
integration_test e2e end-to-end system_test | test | \u7D50\u5408\u30C6\u30B9\u30C8 \u7D71\u5408\u30C6\u30B9\u30C8
test_suite tests specs | test | \u30C6\u30B9\u30C8\u4E00\u5F0F \u8A66\u9A13
test_runner jest vitest pytest mocha rspec | test | \u30C6\u30B9\u30C8\u30E9\u30F3\u30CA\u30FC \u30C6\u30B9\u30C8\u30C4\u30FC\u30EB
coverage cover | test percentage | \u30AB\u30D0\u30EC\u30C3\u30B8 \u7DB2\u7F85\u7387 \u7DB2\u7F85
fixture test_data sample_data seed | mock | \u30C6\u30B9\u30C8\u30C7\u30FC\u30BF \u56FA\u5B9A\u30C7\u30FC\u30BF \u521D\u671F\u30C7\u30FC\u30BF
snapshot golden baseline | test | \u30B9\u30CA\u30C3\u30D7\u30B7\u30E7\u30C3\u30C8 \u57FA\u6E96 \u5199\u3057
assertion assert expectation expect | test | \u671F\u5F85 \u691C\u8A3C \u8868\u660E
regression setback degrade | bug | \u30C7\u30B0\u30EC \u5F8C\u9000 \u9000\u884C \u60AA\u5316
benchmark performance_test load_test | measure | \u8CA0\u8377\u8A66\u9A13 \u6027\u80FD\u8A66\u9A13 \u30D9\u30F3\u30C1\u30DE\u30FC\u30AF \u8CA0\u8377\u30C6\u30B9\u30C8
load traffic burden stress | heavy | \u8CA0\u8377 \u901A\u4FE1\u91CF \u6DF7\u96D1 \u30A2\u30AF\u30BB\u30B9\u6570
quality_check ci_check gate | pass | \u54C1\u8CEA\u691C\u67FB \u95A2\u9580
release shipment rollout | version deploy | \u30EA\u30EA\u30FC\u30B9 \u51FA\u8377 \u516C\u958B \u767A\u58F2
deadline due due_date time_limit | date | \u7DE0\u3081\u5207\u308A \u671F\u9650 \u7D0D\u671F \u7DE0\u5207 \u671F\u65E5
schedule timetable calendar plan | date | \u4E88\u5B9A \u65E5\u7A0B \u30B9\u30B1\u30B8\u30E5\u30FC\u30EB \u4E88\u5B9A\u8868
milestone goal target | plan | \u76EE\u6A19 \u7BC0\u76EE \u5230\u9054\u70B9
goal aim purpose objective target | intention | \u76EE\u7684 \u76EE\u6A19 \u72D9\u3044
purpose reason intent | why | \u76EE\u7684 \u610F\u56F3 \u7406\u7531
scope extent range | limit | \u7BC4\u56F2 \u5BFE\u8C61 \u9818\u57DF
estimate guess approximation forecast | about | \u898B\u7A4D\u3082\u308A \u6982\u7B97 \u63A8\u5B9A \u4E88\u6E2C \u898B\u7A4D
cost price expense fee charge | money | \u8CBB\u7528 \u4FA1\u683C \u6599\u91D1 \u5024\u6BB5 \u30B3\u30B9\u30C8 \u91D1\u984D
price amount fee | cost | \u4FA1\u683C \u5024\u6BB5 \u6599\u91D1 \u91D1\u984D
money currency cash funds | yen dollar | \u304A\u91D1 \u901A\u8CA8 \u91D1\u984D \u73FE\u91D1
currency yen dollar euro jpy usd | money | \u901A\u8CA8 \u5186 \u30C9\u30EB \u70BA\u66FF
tax vat duty consumption_tax | rate | \u7A0E \u6D88\u8CBB\u7A0E \u7A0E\u91D1 \u7A0E\u7387
rate ratio percentage share proportion | percent | \u5272\u5408 \u7387 \u6BD4\u7387 \u30EC\u30FC\u30C8
discount reduction coupon sale | price | \u5272\u5F15 \u5024\u5F15\u304D \u30AF\u30FC\u30DD\u30F3 \u5B89\u58F2\u308A
invoice bill billing statement | payment | \u8ACB\u6C42\u66F8 \u8ACB\u6C42 \u30A4\u30F3\u30DC\u30A4\u30B9 \u660E\u7D30
receipt proof slip | invoice | \u9818\u53CE\u66F8 \u53D7\u9818 \u30EC\u30B7\u30FC\u30C8 \u4F1D\u7968
refund reimbursement money_back | return payment | \u8FD4\u91D1 \u6255\u3044\u623B\u3057 \u8FD4\u54C1
order purchase buy | checkout cart | \u6CE8\u6587 \u8CFC\u5165 \u767A\u6CE8 \u8CB7\u3046 \u30AA\u30FC\u30C0\u30FC
cart basket | order | \u30AB\u30FC\u30C8 \u8CB7\u3044\u7269\u304B\u3054 \u7C60
shop store retail ecommerce | mall | \u5E97 \u5E97\u8217 \u5546\u5E97 \u901A\u8CA9
product item goods article merchandise | sku | \u5546\u54C1 \u54C1\u7269 \u88FD\u54C1 \u54C1\u76EE
stock inventory supply | warehouse | \u5728\u5EAB \u68DA\u5378 \u5099\u84C4
warehouse storehouse depot | stock | \u5009\u5EAB \u4FDD\u7BA1\u5834\u6240
shipping delivery shipment transport | parcel | \u914D\u9001 \u767A\u9001 \u51FA\u8377 \u914D\u9054 \u8F38\u9001
contract subscription plan | agreement | \u5951\u7D04 \u8CFC\u8AAD \u30D7\u30E9\u30F3 \u5B9A\u671F\u8CFC\u5165
reservation booking appointment | schedule | \u4E88\u7D04 \u7533\u8FBC \u53D6\u308A\u7F6E\u304D
account balance ledger bookkeeping | money | \u53E3\u5EA7 \u6B8B\u9AD8 \u5E33\u7C3F \u4F1A\u8A08
accounting finance bookkeeping | money | \u4F1A\u8A08 \u7D4C\u7406 \u8CA1\u52D9
sales revenue turnover income | money | \u58F2\u4E0A \u53CE\u76CA \u53CE\u5165 \u55B6\u696D
profit gain margin | money | \u5229\u76CA \u5132\u3051 \u5229\u6F64
report summary statement | document | \u30EC\u30DD\u30FC\u30C8 \u5831\u544A\u66F8 \u8981\u7D04 \u5E33\u7968
summary overview digest abstract | outline | \u8981\u7D04 \u6982\u8981 \u307E\u3068\u3081 \u6982\u7565
statistics analytics numbers | metrics | \u7D71\u8A08 \u5206\u6790 \u89E3\u6790
time hour clock moment | date | \u6642\u9593 \u6642\u523B \u6642
date day calendar | time | \u65E5\u4ED8 \u65E5 \u65E5\u6642 \u5E74\u6708\u65E5
timezone time_zone utc jst | time | \u30BF\u30A4\u30E0\u30BE\u30FC\u30F3 \u6642\u9593\u5E2F \u6642\u5DEE \u6A19\u6E96\u6642
month monthly | date | \u6708 \u6BCE\u6708 \u6708\u6B21
daily every_day everyday | day | \u6BCE\u65E5 \u65E5\u6B21 \u65E5\u3005
night nightly midnight overnight | evening | \u591C \u591C\u9593 \u6DF1\u591C \u591C\u4E2D
weekend saturday sunday holiday | friday | \u9031\u672B \u571F\u65E5 \u4F11\u65E5
holiday vacation day_off | leave | \u4F11\u6687 \u4F11\u65E5 \u795D\u65E5 \u4F11\u307F
weekday business_day workday | week | \u5E73\u65E5 \u55B6\u696D\u65E5
period duration term span | time | \u671F\u9593 \u9593 \u9577\u3055
retention keep_for storage_period | expire | \u4FDD\u6301\u671F\u9593 \u4FDD\u5B58\u671F\u9593 \u4FDD\u7BA1\u671F\u9593
interval frequency every | period | \u9593\u9694 \u983B\u5EA6 \u5468\u671F
first initial primary | beginning | \u6700\u521D \u521D\u3081 \u4E00\u756A \u7B2C\u4E00
total sum overall | all | \u5408\u8A08 \u7DCF\u8A08 \u5168\u4F53
alternative substitute option other | instead | \u4EE3\u66FF \u4EE3\u308F\u308A \u9078\u629E\u80A2 \u5225\u6848
instead rather in_place | replace | \u4EE3\u308F\u308A\u306B \u66FF\u308F\u308A
language tongue locale | english japanese | \u8A00\u8A9E \u8A00\u8449 \u30ED\u30B1\u30FC\u30EB \u8A9E
word term vocabulary | name | \u5358\u8A9E \u8A9E \u7528\u8A9E \u8A00\u8449
title heading headline subject | name | \u984C\u540D \u898B\u51FA\u3057 \u30BF\u30A4\u30C8\u30EB \u4EF6\u540D
name label title | call | \u540D\u524D \u540D\u79F0 \u6C0F\u540D
address residence location | place | \u4F4F\u6240 \u6240\u5728\u5730 \u5B9B\u5148
photo picture photograph image | camera | \u5199\u771F \u753B\u50CF
privacy personal_data pii gdpr | secret | \u500B\u4EBA\u60C5\u5831 \u30D7\u30E9\u30A4\u30D0\u30B7\u30FC \u79D8\u533F
legal law license licence terms | contract | \u6CD5\u5F8B \u6CD5\u7684 \u30E9\u30A4\u30BB\u30F3\u30B9 \u898F\u7D04 \u6CD5
license licence copyright | mit open_source | \u30E9\u30A4\u30BB\u30F3\u30B9 \u8457\u4F5C\u6A29 \u4F7F\u7528\u8A31\u8AFE
open_source oss free_software | public | \u30AA\u30FC\u30D7\u30F3\u30BD\u30FC\u30B9 \u516C\u958B
public open published | visible | \u516C\u958B \u516C\u5171 \u4E00\u822C
private closed hidden secret | personal | \u975E\u516C\u958B \u79C1\u7684 \u79D8\u5BC6 \u500B\u4EBA
idea thought concept | proposal | \u6848 \u8003\u3048 \u30A2\u30A4\u30C7\u30A2 \u767A\u60F3
proposal suggestion plan | idea | \u63D0\u6848 \u4F01\u753B \u6848
reason why cause because grounds | motive | \u7406\u7531 \u8A33 \u306A\u305C \u308F\u3051 \u6839\u62E0
method way approach means how technique | procedure | \u65B9\u6CD5 \u3084\u308A\u65B9 \u624B\u6BB5 \u624B\u6CD5 \u4ED5\u65B9
tool instrument utility | software | \u9053\u5177 \u30C4\u30FC\u30EB \u7528\u5177
kind type sort category | class | \u7A2E\u985E \u7A2E\u5225 \u5206\u985E \u985E
category class group classification | kind | \u5206\u985E \u30AB\u30C6\u30B4\u30EA \u533A\u5206 \u90E8\u985E
size dimension magnitude | large | \u5927\u304D\u3055 \u30B5\u30A4\u30BA \u5BF8\u6CD5 \u5BB9\u91CF
amount quantity volume number | count | \u91CF \u6570\u91CF \u5206\u91CF
order sequence turn arrangement | sort | \u9806\u756A \u9806\u5E8F \u9806 \u4E26\u3073
state status condition situation | mode | \u72B6\u614B \u72B6\u6CC1 \u30B9\u30C6\u30FC\u30BF\u30B9 \u69D8\u5B50
situation circumstances context case | state | \u72B6\u6CC1 \u5834\u5408 \u4E8B\u60C5 \u5834\u9762
context background setting | situation | \u6587\u8108 \u80CC\u666F \u524D\u63D0
assumption premise prerequisite precondition | condition | \u524D\u63D0 \u4EEE\u5B9A \u6761\u4EF6
mode state | setting | \u30E2\u30FC\u30C9 \u69D8\u5F0F \u72B6\u614B
success succeed win | pass | \u6210\u529F \u3046\u307E\u304F\u3044\u304F \u9054\u6210
progress advance status | done | \u9032\u6357 \u9032\u884C \u7D4C\u904E \u9032\u307F
done finished complete completed | ready | \u5B8C\u4E86 \u6E08\u307F \u7D42\u308F\u3063\u305F \u5B8C\u6210
ready prepared | available | \u6E96\u5099 \u7528\u610F \u6E96\u5099\u5B8C\u4E86
prepare preparation ready set_up | arrange | \u6E96\u5099 \u7528\u610F \u652F\u5EA6 \u4E0B\u6E96\u5099
draft rough outline unfinished | wip | \u4E0B\u66F8\u304D \u8349\u6848 \u539F\u6848 \u305F\u305F\u304D\u53F0
`;var Bt=`
config configuration settings setup preference option | conf options env | \u8A2D\u5B9A \u69CB\u6210 \u30B3\u30F3\u30D5\u30A3\u30B0 \u74B0\u5883\u8A2D\u5B9A \u8A2D\u5B9A\u5024
option flag switch parameter argument | setting | \u30AA\u30D7\u30B7\u30E7\u30F3 \u30D5\u30E9\u30B0 \u5F15\u6570 \u9078\u629E\u80A2 \u30B9\u30A4\u30C3\u30C1
parameter argument arg param | input | \u5F15\u6570 \u30D1\u30E9\u30E1\u30FC\u30BF \u30D1\u30E9\u30E1\u30FC\u30BF\u30FC
environment env stage | setting | \u74B0\u5883 \u74B0\u5883\u5909\u6570 \u52D5\u4F5C\u74B0\u5883
variable var field | value | \u5909\u6570 \u30D5\u30A3\u30FC\u30EB\u30C9 \u5024
constant literal fixed | const | \u5B9A\u6570 \u56FA\u5B9A\u5024
value amount | number | \u5024 \u6570\u5024 \u30D0\u30EA\u30E5\u30FC
function method procedure routine subroutine | call | \u95A2\u6570 \u30E1\u30BD\u30C3\u30C9 \u624B\u7D9A\u304D \u30EB\u30FC\u30C1\u30F3 \u30D5\u30A1\u30F3\u30AF\u30B7\u30E7\u30F3
class type struct | object | \u30AF\u30E9\u30B9 \u578B \u69CB\u9020\u4F53 \u7A2E\u985E
object instance entity | thing | \u30AA\u30D6\u30B8\u30A7\u30AF\u30C8 \u5B9F\u4F53 \u30A4\u30F3\u30B9\u30BF\u30F3\u30B9
interface contract api protocol | boundary | \u30A4\u30F3\u30BF\u30FC\u30D5\u30A7\u30FC\u30B9 \u5951\u7D04 \u53D6\u308A\u6C7A\u3081 \u5883\u754C
module package library component | unit part | \u30E2\u30B8\u30E5\u30FC\u30EB \u30D1\u30C3\u30B1\u30FC\u30B8 \u90E8\u54C1 \u30E9\u30A4\u30D6\u30E9\u30EA \u30B3\u30F3\u30DD\u30FC\u30CD\u30F3\u30C8 \u5358\u4F4D
library package dependency framework | lib | \u30E9\u30A4\u30D6\u30E9\u30EA \u30D1\u30C3\u30B1\u30FC\u30B8 \u4F9D\u5B58 \u4F9D\u5B58\u95A2\u4FC2
dependency dependencies requirement | library package | \u4F9D\u5B58 \u4F9D\u5B58\u95A2\u4FC2 \u4F9D\u5B58\u5148 \u4F9D\u5B58\u6027
component widget part element | module | \u90E8\u54C1 \u30B3\u30F3\u30DD\u30FC\u30CD\u30F3\u30C8 \u8981\u7D20 \u30A6\u30A3\u30B8\u30A7\u30C3\u30C8
plugin extension addon add-on | module | \u30D7\u30E9\u30B0\u30A4\u30F3 \u62E1\u5F35 \u62E1\u5F35\u6A5F\u80FD \u30A2\u30C9\u30AA\u30F3
code source program implementation | script | \u30B3\u30FC\u30C9 \u30BD\u30FC\u30B9 \u30D7\u30ED\u30B0\u30E9\u30E0 \u5B9F\u88C5 \u30BD\u30FC\u30B9\u30B3\u30FC\u30C9
script program batch | shell | \u30B9\u30AF\u30EA\u30D7\u30C8 \u30D7\u30ED\u30B0\u30E9\u30E0 \u30D0\u30C3\u30C1
file document | path | \u30D5\u30A1\u30A4\u30EB \u66F8\u985E \u6587\u66F8
folder directory dir | path location | \u30D5\u30A9\u30EB\u30C0 \u30C7\u30A3\u30EC\u30AF\u30C8\u30EA \u5834\u6240 \u30D5\u30A9\u30EB\u30C0\u30FC
path route location | place | \u30D1\u30B9 \u7D4C\u8DEF \u5834\u6240
location place position where | address | \u5834\u6240 \u4F4D\u7F6E \u6240\u5728 \u7F6E\u304D\u5834 \u3069\u3053
root top base | home | \u30EB\u30FC\u30C8 \u6839 \u6700\u4E0A\u4F4D \u6839\u5143
repository repo codebase | project source | \u30EA\u30DD\u30B8\u30C8\u30EA \u30EC\u30DD\u30B8\u30C8\u30EA \u30B3\u30FC\u30C9\u30D9\u30FC\u30B9 \u5009\u5EAB
branch fork line | trunk | \u30D6\u30E9\u30F3\u30C1 \u679D \u5206\u5C90 \u7CFB\u7D71
main master trunk | default | \u672C\u6D41 \u5E79 \u30E1\u30A4\u30F3 \u4E3B
tag label marker | version | \u30BF\u30B0 \u672D \u30E9\u30D9\u30EB \u76EE\u5370
server host machine backend | service node | \u30B5\u30FC\u30D0 \u30B5\u30FC\u30D0\u30FC \u30DB\u30B9\u30C8 \u6A5F\u68B0 \u30DE\u30B7\u30F3
client frontend caller | browser user | \u30AF\u30E9\u30A4\u30A2\u30F3\u30C8 \u30D5\u30ED\u30F3\u30C8 \u547C\u3073\u51FA\u3057\u5074 \u5229\u7528\u5074
frontend ui screen view | browser page | \u30D5\u30ED\u30F3\u30C8\u30A8\u30F3\u30C9 \u753B\u9762 \u8868\u5074 \u30D5\u30ED\u30F3\u30C8
backend server-side api | service | \u30D0\u30C3\u30AF\u30A8\u30F3\u30C9 \u88CF\u5074 \u30B5\u30FC\u30D0\u5074 \u30B5\u30FC\u30D0\u30FC\u5074
service daemon process | server | \u30B5\u30FC\u30D3\u30B9 \u5E38\u99D0 \u30C7\u30FC\u30E2\u30F3
process task program | pid | \u30D7\u30ED\u30BB\u30B9 \u51E6\u7406 \u5DE5\u7A0B
job task batch work | queue cron | \u30B8\u30E7\u30D6 \u4ED5\u4E8B \u30D0\u30C3\u30C1 \u4F5C\u696D \u30BF\u30B9\u30AF
worker background daemon consumer | job | \u30EF\u30FC\u30AB\u30FC \u88CF \u80CC\u5F8C \u30D0\u30C3\u30AF\u30B0\u30E9\u30A6\u30F3\u30C9 \u5E38\u99D0
queue backlog line | job message | \u30AD\u30E5\u30FC \u5F85\u3061\u884C\u5217 \u884C\u5217 \u5F85\u3061
message notification event | mail | \u30E1\u30C3\u30BB\u30FC\u30B8 \u901A\u77E5 \u4F1D\u8A00 \u96FB\u6587
event happening occurrence | trigger | \u30A4\u30D9\u30F3\u30C8 \u51FA\u6765\u4E8B \u4E8B\u8C61
schedule cron timer periodic regular nightly | job | \u5B9A\u671F \u30B9\u30B1\u30B8\u30E5\u30FC\u30EB \u5B9A\u6642 \u5B9A\u671F\u5B9F\u884C \u30BF\u30A4\u30DE\u30FC
thread concurrency parallel | worker | \u30B9\u30EC\u30C3\u30C9 \u4E26\u5217 \u4E26\u884C
memory ram heap | usage | \u30E1\u30E2\u30EA \u30E1\u30E2\u30EA\u30FC \u8A18\u61B6 \u8A18\u61B6\u57DF
disk storage volume drive | space | \u30C7\u30A3\u30B9\u30AF \u30B9\u30C8\u30EC\u30FC\u30B8 \u5BB9\u91CF \u8A18\u61B6\u88C5\u7F6E \u4FDD\u5B58\u5148
cpu processor core | load | \u30D7\u30ED\u30BB\u30C3\u30B5 \u8A08\u7B97\u6A5F \u6F14\u7B97
space capacity room | size | \u5BB9\u91CF \u7A7A\u304D \u4F59\u88D5 \u7A7A\u9593
database db datastore persistence | table postgres mysql sqlite | \u30C7\u30FC\u30BF\u30D9\u30FC\u30B9 \u6C38\u7D9A\u5316 \u4FDD\u7BA1 \u84C4\u7A4D
table relation | row column | \u30C6\u30FC\u30D6\u30EB \u8868
row record entry line | tuple | \u884C \u30EC\u30B3\u30FC\u30C9 \u9805\u76EE \u5217
column field attribute | property | \u5217 \u30AB\u30E9\u30E0 \u9805\u76EE \u6B04 \u5C5E\u6027
schema structure layout model | table definition | \u30B9\u30AD\u30FC\u30DE \u69CB\u9020 \u5B9A\u7FA9 \u5F62
index key lookup | search | \u7D22\u5F15 \u30A4\u30F3\u30C7\u30C3\u30AF\u30B9 \u898B\u51FA\u3057
key identifier id | primary | \u30AD\u30FC \u9375 \u8B58\u5225\u5B50 \u4E3B\u30AD\u30FC
identifier id name | key | \u8B58\u5225\u5B50 \u540D\u524D \u756A\u53F7
query sql select | search | \u30AF\u30A8\u30EA \u554F\u3044\u5408\u308F\u305B \u691C\u7D22 \u7167\u4F1A
transaction atomic commit | rollback | \u30C8\u30E9\u30F3\u30B6\u30AF\u30B7\u30E7\u30F3 \u53D6\u5F15 \u4E00\u62EC
migration schema_change alter | upgrade | \u30DE\u30A4\u30B0\u30EC\u30FC\u30B7\u30E7\u30F3 \u79FB\u884C \u30B9\u30AD\u30FC\u30DE\u5909\u66F4
data information records | content | \u30C7\u30FC\u30BF \u60C5\u5831 \u8CC7\u6599
information info details | data | \u60C5\u5831 \u8A73\u7D30 \u5185\u5BB9
content body text | data | \u5185\u5BB9 \u4E2D\u8EAB \u672C\u6587
text string characters | words | \u6587\u5B57\u5217 \u6587\u5B57 \u6587\u7AE0 \u30C6\u30AD\u30B9\u30C8
character letter char | glyph | \u6587\u5B57 \u5B57 \u30AD\u30E3\u30E9\u30AF\u30BF
number digit numeral figure | count integer | \u6570\u5B57 \u6570 \u756A\u53F7 \u6570\u5024
list array sequence collection | items | \u4E00\u89A7 \u30EA\u30B9\u30C8 \u914D\u5217 \u5217 \u4E26\u3073
map dictionary hash table | object | \u8F9E\u66F8 \u9023\u60F3\u914D\u5217 \u5BFE\u5FDC\u8868 \u30DE\u30C3\u30D7
set group collection | unique | \u96C6\u5408 \u7D44 \u7FA4
tree hierarchy nested | node | \u6728 \u968E\u5C64 \u30C4\u30EA\u30FC
graph network chart | node | \u30B0\u30E9\u30D5 \u56F3 \u7DB2
loop iteration repeat | while for | \u30EB\u30FC\u30D7 \u7E70\u308A\u8FD4\u3057 \u53CD\u5FA9
condition if criterion predicate | when | \u6761\u4EF6 \u5224\u5B9A \u5834\u5408
rule regulation policy convention | must | \u898F\u5247 \u30EB\u30FC\u30EB \u6C7A\u307E\u308A \u898F\u7D04 \u65B9\u91DD
convention style guideline standard custom | naming rule | \u898F\u7D04 \u6163\u4F8B \u4F5C\u6CD5 \u6D41\u5100 \u30EB\u30FC\u30EB \u6C7A\u307E\u308A \u7FD2\u6163
policy principle guideline | rule | \u65B9\u91DD \u30DD\u30EA\u30B7\u30FC \u539F\u5247
naming name title | identifier | \u547D\u540D \u540D\u524D \u540D\u79F0 \u540D\u4ED8\u3051
prefix beginning start | leading | \u63A5\u982D\u8F9E \u5148\u982D \u982D \u524D\u7F6E
suffix ending end extension | trailing | \u63A5\u5C3E\u8F9E \u672B\u5C3E \u5F8C\u308D \u62E1\u5F35\u5B50 \u8A9E\u5C3E
case uppercase lowercase capital | camel snake kebab | \u5927\u6587\u5B57 \u5C0F\u6587\u5B57 \u30AD\u30E3\u30E1\u30EB \u30B9\u30CD\u30FC\u30AF
indentation indent tab whitespace | space | \u5B57\u4E0B\u3052 \u30A4\u30F3\u30C7\u30F3\u30C8 \u7A7A\u767D \u6BB5\u4E0B\u3052
whitespace blank space | indent | \u7A7A\u767D \u30B9\u30DA\u30FC\u30B9 \u4F59\u767D
newline line_break eol | crlf lf | \u6539\u884C \u884C\u672B
line row | text | \u884C \u7DDA
comment remark annotation note | doc | \u30B3\u30E1\u30F3\u30C8 \u6CE8\u91C8 \u6CE8\u8A18 \u5099\u8003
encoding charset utf-8 unicode | character | \u6587\u5B57\u30B3\u30FC\u30C9 \u7B26\u53F7\u5316 \u30A8\u30F3\u30B3\u30FC\u30C7\u30A3\u30F3\u30B0
network net connection | internet | \u30CD\u30C3\u30C8\u30EF\u30FC\u30AF \u56DE\u7DDA \u901A\u4FE1 \u7DB2
connection link session | socket | \u63A5\u7D9A \u3064\u306A\u304C\u308A \u30B3\u30CD\u30AF\u30B7\u30E7\u30F3 \u9023\u7D50
socket port connection | network | \u30BD\u30B1\u30C3\u30C8 \u53E3
port number socket | listen | \u30DD\u30FC\u30C8 \u756A\u53F7 \u5F85\u3061\u53D7\u3051
address url uri link endpoint | location | \u30A2\u30C9\u30EC\u30B9 \u4F4F\u6240 \u5B9B\u5148 \u30EA\u30F3\u30AF
endpoint api route url | path | \u30A8\u30F3\u30C9\u30DD\u30A4\u30F3\u30C8 \u7D4C\u8DEF \u63A5\u7D9A\u5148 \u7A93\u53E3
host hostname domain | server | \u30DB\u30B9\u30C8 \u30C9\u30E1\u30A4\u30F3 \u540D\u524D
request call query | ask | \u30EA\u30AF\u30A8\u30B9\u30C8 \u8981\u6C42 \u4F9D\u983C \u547C\u3073\u51FA\u3057
response reply answer | result | \u5FDC\u7B54 \u8FD4\u7B54 \u30EC\u30B9\u30DD\u30F3\u30B9 \u8FD4\u308A
header heading title | top | \u30D8\u30C3\u30C0 \u898B\u51FA\u3057 \u984C\u540D \u30D8\u30C3\u30C0\u30FC
payload body data | content | \u672C\u4F53 \u4E2D\u8EAB \u30DA\u30A4\u30ED\u30FC\u30C9
proxy gateway relay | forward | \u30D7\u30ED\u30AD\u30B7 \u4E2D\u7D99 \u4EE3\u7406 \u30B2\u30FC\u30C8\u30A6\u30A7\u30A4
firewall acl security_group | block | \u30D5\u30A1\u30A4\u30A2\u30A6\u30A9\u30FC\u30EB \u9632\u706B\u58C1 \u906E\u65AD
certificate cert tls ssl https | secure | \u8A3C\u660E\u66F8 \u6697\u53F7 \u30B5\u30FC\u30C6\u30A3\u30D5\u30A3\u30B1\u30FC\u30C8
password passphrase secret pin | credential login | \u30D1\u30B9\u30EF\u30FC\u30C9 \u6697\u8A3C\u756A\u53F7 \u5408\u8A00\u8449
secret credential credentials token api_key key password | private vault | \u79D8\u5BC6 \u6A5F\u5BC6 \u8A8D\u8A3C\u60C5\u5831 \u9375 \u8CC7\u683C\u60C5\u5831 \u30C8\u30FC\u30AF\u30F3 \u30B7\u30FC\u30AF\u30EC\u30C3\u30C8
token key ticket | session credential | \u30C8\u30FC\u30AF\u30F3 \u9375 \u8A3C
permission privilege right access authorization role | allow acl | \u6A29\u9650 \u8A31\u53EF \u30A2\u30AF\u30BB\u30B9\u6A29 \u8A8D\u53EF
authentication auth login sso identity | session oauth jwt | \u8A8D\u8A3C \u30ED\u30B0\u30A4\u30F3 \u672C\u4EBA\u78BA\u8A8D
authorization permission access | role | \u8A8D\u53EF \u6A29\u9650 \u8A31\u53EF
access reach entry | permission | \u30A2\u30AF\u30BB\u30B9 \u5230\u9054 \u63A5\u8FD1 \u51FA\u5165\u308A
user account member person | customer login | \u30E6\u30FC\u30B6\u30FC \u5229\u7528\u8005 \u4F7F\u7528\u8005 \u4F1A\u54E1 \u30A2\u30AB\u30A6\u30F3\u30C8 \u30E6\u30FC\u30B6
admin administrator operator superuser root | owner | \u7BA1\u7406\u8005 \u904B\u55B6 \u62C5\u5F53\u8005 \u30A2\u30C9\u30DF\u30F3
session login conversation | cookie | \u30BB\u30C3\u30B7\u30E7\u30F3 \u63A5\u7D9A
cookie session | browser | \u30AF\u30C3\u30AD\u30FC
cache buffer store | memoize redis | \u30AD\u30E3\u30C3\u30B7\u30E5 \u4E00\u6642\u4FDD\u5B58 \u8CAF\u3081
log logging record journal trail | trace audit | \u30ED\u30B0 \u8A18\u9332 \u5C65\u6B74 \u30B8\u30E3\u30FC\u30CA\u30EB
history past log | changelog | \u5C65\u6B74 \u904E\u53BB \u6B74\u53F2 \u7D4C\u7DEF
audit trail history | log | \u76E3\u67FB \u8A3C\u8DE1 \u5C65\u6B74
metric metrics measurement statistics indicator | dashboard monitoring | \u6307\u6A19 \u8A08\u6E2C \u7D71\u8A08 \u30E1\u30C8\u30EA\u30AF\u30B9 \u6E2C\u5B9A\u5024
dashboard monitor panel | graph | \u30C0\u30C3\u30B7\u30E5\u30DC\u30FC\u30C9 \u76E3\u8996\u753B\u9762 \u76E4
alert alarm notification pager | warning | \u30A2\u30E9\u30FC\u30C8 \u8B66\u5831 \u901A\u77E5 \u8B66\u544A
container docker image pod | kubernetes | \u30B3\u30F3\u30C6\u30CA \u5BB9\u5668 \u30B3\u30F3\u30C6\u30CA\u30FC
image picture photo icon graphic | img | \u753B\u50CF \u7D75 \u5199\u771F \u30A4\u30E1\u30FC\u30B8 \u30A2\u30A4\u30B3\u30F3
cluster kubernetes k8s nodes | container | \u30AF\u30E9\u30B9\u30BF \u7FA4 \u96C6\u56E3
cloud aws gcp azure hosting | server | \u30AF\u30E9\u30A6\u30C9
production prod live | release deploy customers | \u672C\u756A \u672C\u756A\u74B0\u5883 \u7A3C\u50CD \u5B9F\u74B0\u5883
staging preprod test_environment sandbox | environment | \u691C\u8A3C\u74B0\u5883 \u30B9\u30C6\u30FC\u30B8\u30F3\u30B0 \u30C6\u30B9\u30C8\u74B0\u5883 \u8A66\u9A13\u74B0\u5883 \u7802\u5834
development dev local | environment | \u958B\u767A \u958B\u767A\u74B0\u5883 \u624B\u5143 \u30ED\u30FC\u30AB\u30EB
local localhost laptop own_machine | dev | \u30ED\u30FC\u30AB\u30EB \u624B\u5143 \u81EA\u5206\u306E\u74B0\u5883
remote distant origin | server | \u30EA\u30E2\u30FC\u30C8 \u9060\u9694 \u9060\u3044
pipeline ci workflow github_actions continuous_integration | build job | \u30D1\u30A4\u30D7\u30E9\u30A4\u30F3 \u6D41\u308C \u7D99\u7D9A\u7684\u30A4\u30F3\u30C6\u30B0\u30EC\u30FC\u30B7\u30E7\u30F3
workflow process flow procedure | steps | \u30EF\u30FC\u30AF\u30D5\u30ED\u30FC \u624B\u9806 \u6D41\u308C \u5DE5\u7A0B
build_tool bundler webpack vite esbuild | build | \u30D3\u30EB\u30C9\u30C4\u30FC\u30EB \u675F\u306D\u308B
compiler compile tsc gcc | build | \u30B3\u30F3\u30D1\u30A4\u30E9 \u30B3\u30F3\u30D1\u30A4\u30EB
linter lint static_analysis eslint biome | format | \u30EA\u30F3\u30BF\u30FC \u9759\u7684\u89E3\u6790 \u69CB\u6587\u691C\u67FB
formatter prettier gofmt black | format style | \u6574\u5F62 \u30D5\u30A9\u30FC\u30DE\u30C3\u30BF
package_manager npm pnpm yarn pip cargo | install | \u30D1\u30C3\u30B1\u30FC\u30B8\u7BA1\u7406 \u30D1\u30C3\u30B1\u30FC\u30B8\u30DE\u30CD\u30FC\u30B8\u30E3
lockfile lock_file package-lock yarn.lock | pin | \u30ED\u30C3\u30AF\u30D5\u30A1\u30A4\u30EB \u56FA\u5B9A
shell terminal console command_line cli bash | prompt | \u30B7\u30A7\u30EB \u7AEF\u672B \u30B3\u30F3\u30BD\u30FC\u30EB \u30BF\u30FC\u30DF\u30CA\u30EB \u30B3\u30DE\u30F3\u30C9\u30E9\u30A4\u30F3
command instruction | cli | \u30B3\u30DE\u30F3\u30C9 \u547D\u4EE4 \u6307\u793A
editor ide vscode vim | edit | \u30A8\u30C7\u30A3\u30BF \u7DE8\u96C6 \u30A8\u30C7\u30A3\u30BF\u30FC
browser chrome firefox safari | web | \u30D6\u30E9\u30A6\u30B6 \u30D6\u30E9\u30A6\u30B6\u30FC \u95B2\u89A7
web site page website homepage | html | \u30A6\u30A7\u30D6 \u30B5\u30A4\u30C8 \u30DA\u30FC\u30B8 \u30DB\u30FC\u30E0\u30DA\u30FC\u30B8
page screen view | web | \u753B\u9762 \u30DA\u30FC\u30B8 \u9801
screen display view ui | page monitor | \u753B\u9762 \u8868\u793A \u30B9\u30AF\u30EA\u30FC\u30F3
button click | ui control | \u30DC\u30BF\u30F3 \u62BC\u3059
form input field | submit | \u30D5\u30A9\u30FC\u30E0 \u5165\u529B\u6B04 \u5165\u529B \u7533\u8FBC
menu navigation sidebar | header | \u30E1\u30CB\u30E5\u30FC \u54C1\u66F8\u304D \u6848\u5185
dialog modal popup window | overlay | \u30C0\u30A4\u30A2\u30ED\u30B0 \u5C0F\u7A93 \u30DD\u30C3\u30D7\u30A2\u30C3\u30D7 \u7A93 \u30E2\u30FC\u30C0\u30EB
window pane | screen | \u7A93 \u30A6\u30A3\u30F3\u30C9\u30A6 \u753B\u9762
theme skin appearance dark_mode light_mode | color style | \u30C6\u30FC\u30DE \u898B\u305F\u76EE \u5916\u89B3 \u914D\u8272 \u30C0\u30FC\u30AF\u30E2\u30FC\u30C9
color colour palette | theme | \u8272 \u30AB\u30E9\u30FC \u914D\u8272
font typeface lettering | text | \u30D5\u30A9\u30F3\u30C8 \u66F8\u4F53 \u5B57\u4F53
layout arrangement placement | design grid | \u914D\u7F6E \u30EC\u30A4\u30A2\u30A6\u30C8 \u5272\u4ED8 \u4E26\u3073
style css stylesheet | look | \u30B9\u30BF\u30A4\u30EB \u898B\u305F\u76EE \u88C5\u98FE
animation motion transition | effect | \u30A2\u30CB\u30E1\u30FC\u30B7\u30E7\u30F3 \u52D5\u304D \u52D5\u753B
mobile phone smartphone ios android | app device | \u643A\u5E2F \u30B9\u30DE\u30DB \u30B9\u30DE\u30FC\u30C8\u30D5\u30A9\u30F3 \u30E2\u30D0\u30A4\u30EB
app application program | software | \u30A2\u30D7\u30EA \u30A2\u30D7\u30EA\u30B1\u30FC\u30B7\u30E7\u30F3 \u5FDC\u7528
device machine hardware | equipment | \u7AEF\u672B \u6A5F\u5668 \u88C5\u7F6E \u6A5F\u68B0
platform os operating_system | windows linux macos | \u57FA\u76E4 \u30D7\u30E9\u30C3\u30C8\u30D5\u30A9\u30FC\u30E0
version release revision | number tag | \u30D0\u30FC\u30B8\u30E7\u30F3 \u7248 \u30EA\u30D3\u30B8\u30E7\u30F3
template pattern boilerplate scaffold | skeleton | \u30C6\u30F3\u30D7\u30EC\u30FC\u30C8 \u96DB\u5F62 \u3072\u306A\u578B \u578B
pattern regex regexp regular_expression | match | \u6B63\u898F\u8868\u73FE \u30D1\u30BF\u30FC\u30F3 \u578B \u6A21\u69D8
format layout form | style json yaml | \u5F62\u5F0F \u66F8\u5F0F \u30D5\u30A9\u30FC\u30DE\u30C3\u30C8 \u69D8\u5F0F
json yaml toml xml | format data | \u5F62\u5F0F \u30C7\u30FC\u30BF\u5F62\u5F0F
csv spreadsheet excel tsv | table | \u8868\u8A08\u7B97 \u30A8\u30AF\u30BB\u30EB \u30AB\u30F3\u30DE\u533A\u5207\u308A
pdf document report | print | \u66F8\u985E \u5E33\u7968
attachment file enclosure | mail | \u6DFB\u4ED8 \u4ED8\u5C5E
email mail e-mail message | smtp inbox | \u30E1\u30FC\u30EB \u96FB\u5B50\u30E1\u30FC\u30EB \u90F5\u4FBF
chat slack message | talk | \u30C1\u30E3\u30C3\u30C8 \u4F1A\u8A71 \u5BFE\u8A71
webhook callback hook notification | http | \u30B3\u30FC\u30EB\u30D0\u30C3\u30AF \u901A\u77E5 \u30D5\u30C3\u30AF
callback handler listener hook | event | \u30B3\u30FC\u30EB\u30D0\u30C3\u30AF \u547C\u3073\u8FD4\u3057 \u51E6\u7406
hook trigger pre-commit | callback | \u30D5\u30C3\u30AF \u5F15\u3063\u639B\u3051 \u5951\u6A5F
feature_flag toggle feature_switch | enable rollout | \u6A5F\u80FD\u30D5\u30E9\u30B0 \u5207\u308A\u66FF\u3048 \u5207\u66FF
feature function capability | ability | \u6A5F\u80FD \u7279\u5FB4 \u80FD\u529B
abstraction layer | wrapper | \u62BD\u8C61\u5316 \u5C64 \u62BD\u8C61
layer tier level | stack | \u5C64 \u968E\u5C64 \u6BB5
architecture structure design | system | \u69CB\u9020 \u8A2D\u8A08 \u69CB\u6210 \u30A2\u30FC\u30AD\u30C6\u30AF\u30C1\u30E3 \u5168\u4F53\u50CF
structure organization layout | shape | \u69CB\u9020 \u69CB\u6210 \u7D44\u7E54
monorepo workspace packages | repo | \u30EF\u30FC\u30AF\u30B9\u30DA\u30FC\u30B9 \u5358\u4E00\u30EA\u30DD\u30B8\u30C8\u30EA
microservice service distributed | split | \u5206\u6563 \u5C0F\u3055\u306A\u30B5\u30FC\u30D3\u30B9
stream flow pipe | data | \u6D41\u308C \u30B9\u30C8\u30EA\u30FC\u30E0
buffer queue temporary | memory | \u7DE9\u885D \u30D0\u30C3\u30D5\u30A1 \u6E9C\u3081
batch bulk mass | job | \u4E00\u62EC \u307E\u3068\u3081\u3066 \u30D0\u30C3\u30C1
pagination paging page_size | next limit | \u30DA\u30FC\u30B8\u9001\u308A \u30DA\u30FC\u30B8\u30F3\u30B0 \u30DA\u30FC\u30B8\u5206\u5272 \u6539\u30DA\u30FC\u30B8
sorting order ascending descending | sort | \u4E26\u3073\u9806 \u6607\u9806 \u964D\u9806 \u9806\u5E8F
search_engine elasticsearch index | search | \u691C\u7D22 \u5168\u6587\u691C\u7D22
payment pay billing checkout charge | card stripe invoice | \u652F\u6255\u3044 \u6C7A\u6E08 \u8AB2\u91D1 \u652F\u6255 \u8ACB\u6C42 \u7CBE\u7B97
`;var zn=.5;function qt(){return Wt??=[jt,Dt,Bt,$t].flatMap(Hn),Wt}var Wt;function Hn(r){return r.trim().split(`
`).map(e=>{let[t="",n="",o=""]=e.split(" | ");return[...Oe(t,1),...Oe(o,1),...Oe(n,zn)]})}var Oe=(r,e)=>r.split(" ").map(t=>({word:t.replaceAll("_"," "),weight:e}));var Kn=/^([\u3005\u3400-\u9fff]+)([\u3041-\u3096]*)(.*)$/,Vn=/^[\u30a1-\u30fa\u30fc]{2,}$/,Jn=/[\u3005\u3041-\u30ff\u3400-\u9fff]/,Gn=/[\u3005\u3400-\u9fff]/,Xn={\u3046:"\u3046\u308F\u3044\u3048\u304A\u3063",\u304F:"\u304F\u304B\u304D\u3051\u3053\u3044",\u3050:"\u3050\u304C\u304E\u3052\u3054\u3044",\u3059:"\u3059\u3055\u3057\u305B\u305D",\u3064:"\u3064\u305F\u3061\u3066\u3068\u3063",\u306C:"\u306C\u306A\u306B\u306D\u306E\u3093",\u3076:"\u3076\u3070\u3073\u3079\u307C\u3093",\u3080:"\u3080\u307E\u307F\u3081\u3082\u3093",\u308B:"\u308B\u3089\u308A\u308C\u308D\u3063",\u3044:"\u3044\u304F\u304B\u3051\u3055"},Yn=/^(up|down|off|out|in|on|back|away|over|rid)$/;function zt(r){return Jn.test(r)?Zn(r):Qn(r)}function Qn(r){let e=r.split(" "),[t="",n=""]=e;if(e.length===1){let[s]=J(r);return s===void 0?{keys:[],matches:[]}:{keys:[s],matches:[[s]]}}let o=e.flatMap(J);return{keys:e.length===2&&Yn.test(n)?[`${Ce(t)} ${n}`]:[],matches:o.length>1?[o]:[]}}function Zn(r){let e=er(r),t=(e.length>0?e:[r]).map(tr);return{keys:e,matches:t.filter(n=>n.length>0)}}function er(r){if(Vn.test(r))return[r];let[,e="",t="",n=""]=Kn.exec(r)??[];if(e==="")return[];if(t==="")return n===""?[e]:[];let o=e.slice(-1);return t.length===1&&Gn.test(n.charAt(0))?[o+t+n.charAt(0)]:n!==""?[]:e.length>1?t.length<=2?[e]:[]:t.length>1?[o+t.charAt(0)]:[...Xn[t]??t].map(s=>o+s)}function tr(r){let e=J(r);return r.length===1?e:e.filter(t=>t.length===2)}function Kt(r,{entry:e,ids:t,generation:n,numbers:o}){let{files:s,layout:i}=r,{expansions:a,sums:c,...m}=e,l=c?{...m,sums:{text:c.text,index:c.index,rows:c.rows}}:m,u=o.weight>0?N(s,`${i.segments}/${e.name}.idx`):void 0;if(!u)return l;try{let p=o.embedder>0?gt(s,i):void 0,h=[...nr(o.lexicon),...sr(p,t,o.embedder)],f=Rt(u,h);if(!f)return l;let y=`${e.name}.${n}.exp`;return s.replace(`${i.segments}/${y}`,f),{...l,expansions:y,...c&&{sums:{...c,expansions:M(f)}}}}finally{u.close()}}function nr(r){return r<=0?[]:(Fe??=or(),r===1?Fe:Fe.map(({neighbours:e,...t})=>({...t,neighbours:e.map(({matches:n,weight:o})=>({matches:n,weight:r*o}))})))}var Fe,rr=.5;function or(){let r=new Map,e=new Map;for(let t of qt())for(let{word:n,weight:o}of t){if(!r.has(n)){let{keys:i,matches:a}=zt(n);r.set(n,{keys:i.map(O),matches:Ct(a)})}let s=e.get(n)??new Map;e.set(n,s);for(let i of t){let a=o*i.weight;i.word===n||a<rr||s.set(i.word,Math.max(a,s.get(i.word)??0))}}return[...e].flatMap(([t,n])=>{let{keys:o=[],matches:s=[]}=r.get(t)??{};if(o.length===0)return[];let i=[...n].map(([a,c])=>({matches:r.get(a)?.matches??[],weight:c}));return[{keys:o,own:s,neighbours:i.filter(({matches:a})=>a.length>0)}]})}function sr(r,e,t){if(!r)return[];let{words:n,memories:o,floors:s}=r,i=n.map(()=>new Map);return e.forEach((a,c)=>{for(let[m,l]of o[a]?.near??[])i[m]?.set(c,t*Ht(l,s.memory))}),n.map(({keys:a,matches:c,near:m},l)=>({keys:a,own:c,neighbours:m.map(([u,p])=>({matches:n[u]?.matches??[],weight:t*Ht(p,s.word)})),documents:i[l]}))}var Ht=(r,e)=>r<=e||e>=1?0:Math.sqrt(Math.min(1,(r-e)/(1-e)));function Gt(r,e,t,n){let o={active:[],archived:[]},s=0;for(let c of e.projection.memories.values()){let m=e.placements.get(c.id);s=Math.max(s,m?.rank??s);let u=m?.memory.status===c.status&&Ie(m.memory,c)?m.row:void 0;o[c.status].push({memory:c,rank:m?.rank??s,copyFromRow:u}),s++}let i=String(t).padStart(6,"0"),a=Vt(r,e,{name:i,generation:t,members:o.active},n);return[a&&ar(r,e,a,{name:i,generation:t,members:o.active}),Vt(r,e,{name:`${i}${re}`,generation:t,members:o.archived},n)].filter(c=>c!==void 0)}function ar(r,e,t,n){let o=e.manifest.segments.find(({name:a})=>a===t.name);if(o?.expansions){let a=t.sums&&{...t.sums,expansions:o.sums?.expansions};return{...t,expansions:o.expansions,sums:a}}let s=n.members.map(({memory:a})=>a.id),i=D(e.projection).expansion;return Kt(r,{entry:t,ids:s,generation:String(n.generation),numbers:i})}function Vt(r,e,t,n){let{name:o,generation:s,members:i}=t,{files:a,layout:c}=r;if(i.length===0)return;let m=o.endsWith(re),l=e.manifest.segments.find(f=>(f.archive??!1)===m),u=l&&e.rows.get(l.name);if(u&&l.memories===i.length&&i.every(({copyFromRow:f},y)=>f===y)){let f=i.map((b,S)=>({...b,row:S})).filter(({memory:b})=>e.placements.get(b.id)?.memory!==b);if(f.length===0)return l;let y=Ut(u,f),g=xe(a,c.segments,{name:l.name,generation:s,rows:y,sums:l.sums});return Jt(e,g,i,y),g}let p=oe(a,c.segments,{...t,old:l,buildTerms:n}),h=a.read(`${c.segments}/${p.rows}`);return ir(h,`${p.rows} was just written`),Jt(e,p,i,h),p}function Jt(r,e,t,n){r.rows.set(e.name,n),t.forEach(({memory:o,rank:s},i)=>{r.placements.set(o.id,{memory:o,segment:e.name,row:i,rank:s})})}function Ie(r,e,t=Je){if(r===e)return!0;let n=new Set([...Object.keys(r),...Object.keys(e)]);for(let o of n)if(!(t.has(o)||r[o]===e[o])&&JSON.stringify(r[o])!==JSON.stringify(e[o]))return!1;return!0}function Xt(r,e){let t=new Set(e.flatMap(({name:n,rows:o,expansions:s})=>[`${n}.txt`,`${n}.idx`,o,s]));for(let n of r.files.list(r.layout.segments))t.has(n)||r.files.remove(`${r.layout.segments}/${n}`)}var cr=new Set(["tier","consolidationLevel","importance","meetings","strength","impactScore","help","updated","lastUsed","lastDecayed","accessCount","candidateCount","strengthByPerspective"]),mr="-r";function Yt(r,{projection:e,manifest:t,placements:n},o){let s=[],i=[],a=n.size,c=t.segments.find(g=>!g.archive)?.name;for(let g of te(e.memories,o)){let b=n.get(g.id);b&&Ie(b.memory,g,cr)||(b?.segment===c&&b&&i.push(b.row),g.status==="active"&&s.push({memory:g,rank:b?.rank??a++}))}for(let{memory:g,segment:b,row:S}of n.values())b===c&&!e.memories.has(g.id)&&i.push(S);let m={cursor:e.cursor,replaced:i.sort((g,b)=>g-b)},{generation:l}=t,u=lr(t.generation,t.recent?.name);if(s.length===0)return{name:u,rows:"",memories:0,textBytes:0,...m};let{files:p,layout:h}=r,f={name:u,generation:l,members:s,old:void 0,buildTerms:Z};return{...oe(p,h.segments,f),textBytes:p.size(`${h.segments}/${u}.txt`)??0,...m}}function lr(r,e){let t=`${String(r).padStart(6,"0")}${mr}`;return`${t}${e?.startsWith(t)?Number(e.slice(t.length))+1:1}`}var Qt=bt(),ur=/\b(?:use|using|write|run|call|name)\b.+\b(?:instead of|rather than|not|over)\b|ではなく|じゃなく|而不是/iu,dr=/(?<!from )\bnow\b|\bjetzt\b(?<!ab jetzt)|\bmaintenant\b|今回|とりあえず|现在(?<!从现在)/iu,pr=["opinion","proposal","doubt","choice","vague","onceOnly","interim","asking","tag","report","past","able","consent"],fr=160,hr=40;function gr(r,e){let t=r.toLowerCase().indexOf(e.toLowerCase());return r.slice(Math.max(0,t-hr),Math.max(0,t))}function Zt({short:r,type:e,origin:t},n){if(t==="command")return!0;if(e==="correction"||e==="fact"||r.length>fr||r.endsWith("\u2026"))return!1;let o=ot(r);return dr.test(r)?!1:(Qt.test(r)||ur.test(r)||Qt.test(gr(n,r)))&&!pr.some(i=>o.has(i))}var en={preference:16,decision:16,entry:8,lesson:4,summary:6,consolidated:2},br=20;function nn(r,e,t){let n=[...r.sessions.values()].sort((o,s)=>o.lastAt<s.lastAt?1:-1);return{generation:t,standing:Sr(e),told:Object.fromEntries(n.slice(0,br).flatMap(wr)),unusedStarts:vr(r),open:n.filter(o=>o.pending.length>0).map(({id:o,lastAt:s,ended:i})=>({id:o,lastAt:s,ended:i}))}}var wr=({id:r,told:e,toldAgents:t={}})=>[[r,e],...Object.entries(t).map(([n,o])=>[dt({session:r,agentId:n}),o])];function vr({judged:r}){let e=r.filter(({moment:n,withheld:o})=>n==="start"&&!o),t=e.findLastIndex(({memories:n})=>n.some(({used:o})=>o>=et));return new Set(e.slice(t+1).map(({session:n,recall:o})=>n??o)).size}function Sr(r){let e=new Map;for(let t of r){if(t.status!=="active"||en[t.kind]===void 0||!kr(t)||X(t))continue;let n=t.privacy==="public"?t.kind:`${t.kind} ${t.role}`,o=e.get(n);o?o.push(t):e.set(n,[t])}return[...e.values()].flatMap(t=>{let n=t[0]?.kind??"entry",o=(i,a)=>i.updated<a.updated?1:i.updated>a.updated||i.id<a.id?-1:1,s=i=>n==="summary"?0:10*(i.statement?.strength??0)+i.importance;return t.sort((i,a)=>s(a)-s(i)||o(i,a)),t.slice(0,en[n]).map(_r)})}var kr=r=>r.kind==="summary"||$e(r)&&yt(r)&&xr(r),xr=r=>r.statement===void 0||r.statement.supersededBy===void 0&&(r.pinned!==void 0||Mr(r,r.statement)),tn=new WeakMap;function Mr(r,e){let t=tn.get(r);if(t!==void 0)return t;let n=Zt(e,r.content);return tn.set(r,n),n}var _r=({editedFiles:r,leftOpen:e,counts:t,lesson:n,...o})=>({...o,content:nt(o.content,2e3),...e&&{leftOpen:e.slice(0,3)},...n&&{lesson:{...n,error:"",failedAttempts:[],calls:[]}}});var Ar=16777215,Er=P.indexOf("lesson"),Tr=De.indexOf("active"),ie=class extends tt{#e;placements=new Map;#t=new Set;#n;#r=!1;constructor(e){super(),this.#e=e}close(){for(let{text:e,index:t}of this.#e)e.close(),t?.close()}get(e){let t=super.get(e);if(t||this.#r||this.#t.has(e))return t;for(let n of this.#a().get(Number.parseInt(e.slice(0,8),16))??[]){let o=this.#u(n);if(o.id===e)return o}}has(e){return this.get(e)!==void 0}set(e,t){return this.#r||this.#t.delete(e),super.set(e,t)}delete(e){let t=this.get(e);return this.#t.add(e),t!==void 0&&super.delete(e)}listRecent(e,t,n){let o=this.#c((i,a)=>j(i,a)===P.indexOf(e)),s=t+n.size+this.#t.size;return this.#i(o.sort((i,a)=>this.#l(a)-this.#l(i)).slice(0,s)),super.listRecent(e,t,n)}findByFilesOrErrors(e,t){let[n,o]=[[...e],[...t]];return this.#s([...n.map(s=>`f:${s}`),...o.map(s=>`e:${s}`)]),super.findByFilesOrErrors(n,o)}findLessonsForCommand(e){return this.#s([`c:${Ze(e)}`],Er),super.findLessonsForCommand(e)}listFacts(){return this.#o("fact"),super.listFacts()}listStatements(){return this.#o("preference","decision"),super.listStatements()}listCreated(e){let t=P.indexOf(e);return this.#c((n,o)=>j(n,o)===t).map(n=>Be(this.#l(n)))}#a(){if(this.#n)return this.#n;let e=new Map;for(let t of this.#c(()=>!0)){let n=this.#m(t,He),o=e.get(n);o?o.push(t):e.set(n,[t])}return this.#n=e,e}#o(...e){let t=e.map(n=>P.indexOf(n));this.#i(this.#c((n,o)=>Ke(n,o)===Tr&&t.includes(j(n,o))))}#s(e,t){let n=0;for(let{index:o,rows:s,entry:i}of this.#e){for(let a of o?.findTerms(e)??[])if(!(!o||!a))for(let c of o.postings(a)){let m=c&Ar;(t===void 0||j(s,m)===t)&&this.#i([n+m])}n+=i.memories}}#i(e){for(let t of e){let n=this.#m(t,de);this.placements.has(n)||this.#u(t)}}#u(e){let{entry:t,rows:n,text:o}=this.#d(e),s=this.#p(e),{at:i,bytes:a}=C(n,s),c=Ve(JSON.parse(o.readAt(i,a).toString("utf8")),n,s),m=this.placements.get(c.id);return m?m.memory:(this.placements.set(c.id,{memory:c,segment:t.name,row:s,rank:qe(n,s)}),this.#t.has(c.id)||super.get(c.id)||(this.#r=!0,super.set(c.id,c),this.#r=!1),c)}#c(e){let t=[],n=0;for(let{entry:o,rows:s}of this.#e){for(let i=0;i<o.memories;i++)e(s,i)&&t.push(n+i);n+=o.memories}return t}#d(e){let t=0;for(let n of this.#e)if(t+=n.entry.memories,e<t)return n;throw new RangeError(`There is no row ${e}`)}#p(e){let[t]=this.#e;return t&&e>=t.entry.memories?e-t.entry.memories:e}#m(e,t){return t(this.#d(e).rows,this.#p(e))}#l(e){return this.#m(e,ze)}};function rn({files:r,layout:e},{segments:t}){let n=[];for(let o of t){let s=r.open(`${e.segments}/${o.name}.txt`),i=pe(r,e.segments,o),a=o.archive?void 0:N(r,`${e.segments}/${o.name}.idx`);if(s&&(a||o.archive)&&i?.length===o.memories*A)n.push({entry:o,rows:E(i),text:s,index:a});else{new ie(n).close();for(let c of[s,a])c?.close();return}}return new ie(n)}var Or=["judged","early","momentUse","moves","baselines","trials","base","learned","frozen","history"];function Fr({files:r,layout:e},{generation:t}){let n=ae(r,e.work(t));if(!n)throw on(e.work(t));return n}var on=r=>new k("STORE_INVALID",`${r} is missing or not as the manifest says`,{hint:"Run `memctl rebuild`: it rewrites the snapshot from the log, nothing is lost."});function Ys(r){let e=Y(r.files,r.layout),t=he(),n={projection:t,manifest:e,placements:new Map,rows:new Map};if(e.generation===0)return n;let o=e.segments.flatMap(s=>{kt(r.files,r.layout.segments,s);let{rows:i,placed:a}=Xe(r.files,r.layout.segments,s,ut);if(i.length!==s.memories*A)throw on(`${r.layout.segments}/${s.rows}`);return n.rows.set(s.name,i),a});for(let s of o.sort((i,a)=>i.rank-a.rank))t.memories.set(s.memory.id,s.memory),n.placements.set(s.memory.id,s);return sn(t,r,e),e.version<G?{projection:t,manifest:{...e,segments:[]},placements:new Map,rows:new Map}:n}function Qs(r){let{files:e,layout:t}=r,n=Y(e,t);if(n.generation===0||n.version<G)return;let o=Ur(r);if(o?.generation!==n.generation||Ne(e,t.events,n.cursor))return;let{events:s,end:i,hasLateEvents:a}=Qe(e,t.events,n.cursor);if(a||s.some(({kind:l})=>Ir.has(l)))return;let c=rn(r,n);if(!c)return;for(let{id:l}of o.standing)c.get(l);c.listFacts();let m={...he(),memories:c};sn(m,r,n);for(let l of s)pt(m,l);return m.cursor=i,{projection:m,manifest:n,placements:c.placements,rows:new Map,table:c}}var Ir=new Set(["session.improved","session.organized","policy.changed","policy.chosen","memory.slept","memory.released"]);function Ur({files:r,layout:e}){try{return ae(r,e.hot)}catch{return}}function sn(r,e,t){let n=Fr(e,t);for(let s of n.sessions)r.sessions.set(s.id,s);let o=Or.flatMap(s=>s in n?[[s,n[s]]]:[]);Object.assign(r,Object.fromEntries(o)),r.team=mt(n.team),r.cursor=t.cursor}function Zs(r,e,t){let{projection:n}=e,o=e.manifest.generation+1,s=Gt(r,e,o,Z),{files:i,layout:a}=r,{judged:c,momentUse:m,early:l,moves:u,baselines:p,trials:h,base:f,learned:y,frozen:g,history:b}=n,S=[...n.sessions.values()],R={judged:c,momentUse:m,early:l,moves:u,baselines:p,trials:h,base:f,learned:y,frozen:g,history:b},{cursor:K}=n,{aside:an}=e.manifest,Ue=ye(i,a.events,e.manifest.log,K),cn={sessions:S,...R,team:ct(n.team),log:Ue};_(i,a.work(o),cn);let mn={name:f.name,base:f,learned:y,frozen:g,compiled:D(n)};_(i,a.policy,mn),_(i,a.worked,ht(n.memories.values(),o));let ln=new Date(t).toISOString();e.manifest={version:G,generation:o,cursor:K,segments:s,log:Ue,aside:an,written:ln},Nr(r,e,t),Pr(r,o)}function Nr(r,e,t){let{files:n,layout:o}=r,{manifest:s,projection:i}=e,a=_t(e),c=Yt(r,e,a);Rr(r,e,a,t);let l=c.memories===0&&c.replaced.length===0&&JSON.stringify(c.cursor)===JSON.stringify(s.cursor);e.manifest={...s,...Lr(i),recent:l?void 0:c,log:ye(n,o.events,s.log,c.cursor)},_(n,o.manifest,e.manifest),ft(n,o.events),Xt(r,c.memories>0?[...s.segments,c]:s.segments)}function Rr(r,{projection:e,manifest:{generation:t}},n,o){let{files:s,layout:i}=r,a=[...te(e.memories,n)];_(s,i.hot,nn(e,a,t));let c=D(e).facts,m=e.memories.listCreated("summary"),l=a.filter(({fact:h})=>h!==void 0),u=new Set([...e.sessions.values()].flatMap(({id:h,ended:f})=>f?[]:[h])),p={now:o,numbers:c,sessionTimes:m,openSessions:u};_(s,i.facts,Mt(l,t,p))}function Lr(r){let e=[...r.sessions.values()],t=e.flatMap(({id:o,ended:s,pending:i})=>s||i.length===0?[]:[o]),n=e.flatMap(({id:o,compacted:s})=>s?[[o,s]]:[]);return{open:t,compacted:n.length>0?Object.fromEntries(n):void 0}}function Pr({files:r,layout:e},t){for(let n of r.list(e.folder)){let o=Number(/^work\.(\d+)\.json$/.exec(n)?.[1]??t);(o<t-1||o>t)&&r.remove(`${e.folder}/${n}`)}}export{Br as a,bn as b,Mn as c,_t as d,At as e,Zr as f,Et as g,Pn as h,Fr as i,Ys as j,Qs as k,Zs as l,Nr as m};
