import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a as F,b as U,c as w,d as $}from"./chunk-UDSNOIYV.mjs";import{a as q}from"./chunk-ZB47CBWU.mjs";import{c as I,g,j as D,k as y,l as S,m as N,n as V,o as j,t as A,w as L,z as R}from"./chunk-5S6LRKHN.mjs";import"./chunk-5BXDWL5A.mjs";import"./chunk-QQM2ZIS3.mjs";import{a as k}from"./chunk-5U5KAEUA.mjs";import"./chunk-EQPM67RC.mjs";import"./chunk-ODHINOKJ.mjs";import"./chunk-6JGLCBTY.mjs";import"./chunk-CFUQ4ONZ.mjs";import"./chunk-SPBGPNMB.mjs";import"./chunk-CJSSZ7A2.mjs";import{a as E}from"./chunk-V2WQV7UR.mjs";import"./chunk-HERMKA43.mjs";var P=Number.MAX_SAFE_INTEGER-4294967296,Me=10**15,Q="case when octet_length(m.state::text) <= 8388608 then m.state end as state",X=`
  select m.hub::text as hub, (select max(s.version) from memctl_migrations s) as version,
    has_table_privilege('hub_operations', 'insert') and current_setting('transaction_read_only') = 'off' as "canWrite"
  from hub_meta m`,B=`
  select coalesce(max(o.n), 0) as n from hub_operations o where o.project_id = $1 and o.replica = $2::uuid`,J=`
  greatest(case when p.last_position <= ${P} then p.last_position end, 0, (
    select max(o.position) from hub_operations o where o.project_id = $1 and o.position <= ${P}
  ))`,W=`
  select p.epoch::text as epoch, ${J} as "lastPosition" from hub_projects p where p.project_id = $1`,Y=`
  select p.epoch::text as epoch, ${J} as "lastPosition" from hub_projects p
  where p.project_id = $1 for update`,G=`
  update hub_projects p set epoch = $2::uuid where p.project_id = $1`,K=`
  insert into hub_projects (project_id) values ($1) on conflict (project_id) do nothing`,z=`
  update hub_projects p set last_position = $2::bigint, memory_count = least(p.memory_count, ${Me}) + $3::bigint
  where p.project_id = $1`,Z=`
  select p.memory_count as "memoryCount" from hub_projects p where p.project_id = $1`,ee=`
  select o.replica::text as replica, o.n, o.id::text as id
  from unnest($2::uuid[], $3::bigint[], $4::bigint[]) as r(replica, low, high)
  join hub_operations o on o.project_id = $1 and o.replica = r.replica and o.n between r.low and r.high`,te=`
  insert into hub_operations (project_id, position, id, replica, n, at, kind, memory, payload)
  select $1, o.position, o.id, o.replica, o.n, o.at, o.kind, o.memory, o.payload
  from unnest($2::bigint[], $3::uuid[], $4::uuid[], $5::bigint[], $6::text[], $7::text[], $8::uuid[], $9::json[])
    as o(position, id, replica, n, at, kind, memory, payload)`,oe=`
  update hub_operations o set payload = null
  where o.project_id = $1 and o.memory = any($2::uuid[]) and o.payload is not null`,re=`
  delete from hub_vectors v where v.project_id = $1 and v.memory = any($2::uuid[])`,T=`
  select m.memory::text as memory, ${Q}
  from hub_memories m where m.project_id = $1 and m.memory = any($2::uuid[])`,ne=`
  update hub_memories m set state = s.state, updated_at = now()
  from unnest($2::uuid[], $3::json[]) as s(memory, state)
  where m.project_id = $1 and m.memory = s.memory`,se=`
  insert into hub_memories as m (project_id, memory, state, kind, terms, updated_at)
  select $1, s.memory, s.state, s.kind, string_to_array(s.terms, ' '), now()
  from unnest($2::uuid[], $3::json[], $4::text[], $5::text[]) as s(memory, state, kind, terms)
  on conflict (project_id, memory) do update set state = excluded.state, kind = excluded.kind,
    text_version = m.text_version % 2000000000 + 1, terms = excluded.terms, vector_model = null, updated_at = now()`,ae=e=>`
  with page as (
    select o.*, coalesce(octet_length(o.payload::text), 0) as bytes from hub_operations o
    where o.project_id = $1 and o.position > $2::bigint and o.position <= ${P} and ${e}
    order by o.position limit $3::bigint
  ), measured as (
    select page.*, count(*) over () as found,
      sum(least(page.bytes, 8388608)) over (order by page.position) as total
    from page
  )
  select p.position, p.id::text as id, p.replica::text as replica, p.n, p.at, p.kind, p.memory::text as memory,
    case when p.bytes <= 8388608 then p.payload end as payload, p.found
  from measured p where p.total <= 16777216 order by p.position`,ie="(o.payload is not null or o.kind = 'forget')",me=ae(ie),de=ae(`${ie} and o.memory = any($4::uuid[])`),ce=`
  select m.memory::text as memory, ${Q}, m.text_version as "textVersion" from hub_memories m
  where m.project_id = $1 and m.kind is not null and m.vector_model is null
  order by m.memory limit $2::bigint`,ue=`
  update hub_memories m set vector_model = $4
  from unnest($2::uuid[], $3::integer[]) as s(memory, text_version)
  where m.project_id = $1 and m.memory = s.memory and m.text_version = s.text_version and m.kind is not null
  returning m.memory::text as memory`,pe=`
  insert into hub_vectors (project_id, memory, model, embedding)
  select $1, s.memory, $4, s.embedding::vector
  from unnest($2::uuid[], $3::text[]) as s(memory, embedding)
  on conflict (project_id, memory) do update set model = excluded.model, embedding = excluded.embedding`,le=`
  with own as materialized (
    select v.memory, v.embedding from hub_vectors v where v.project_id = $1 and v.model = $2
  )
  select own.memory::text as memory, 1 - (own.embedding <=> $3::vector) as score
  from own order by own.embedding <=> $3::vector limit $4::bigint`,ye=`
  select set_config('hnsw.ef_search', $1, true), set_config('enable_sort', 'off', true), (
    select set_config('hnsw.iterative_scan', 'relaxed_order', true) from pg_extension e
    where e.extname = 'vector' and string_to_array(e.extversion, '.')::int[] >= array[0, 8]
  )`,fe=`
  select v.memory::text as memory, 1 - (v.embedding <=> $3::vector) as score
  from hub_vectors v where v.project_id = $1 and v.model = $2
  order by v.embedding <=> $3::vector limit $4::bigint`,he=`
  with hits as materialized (
    select m.memory, t.term from hub_memories m
    cross join lateral unnest(m.terms) as t(term)
    where m.project_id = $1 and m.terms && $2::text[] and t.term = any($2::text[])
  ), weights as (
    select hits.term, ln(1 + $3::float8 / count(*)) as weight from hits group by hits.term
  )
  select hits.memory::text as memory, sum(weights.weight)::float8 as score
  from hits join weights on weights.term = hits.term
  group by hits.memory order by score desc, hits.memory limit $4::bigint`;function _(e,t){let o={clips:!1,cleanText:t};try{let r=ke(e,o);return Object.keys(r).length===0?void 0:r.forgotten===!0?{forgotten:!0}:r}catch(r){if(r instanceof g)return;throw r}}var M=e=>(t,o)=>{if(typeof t!="object"||t===null||Array.isArray(t))throw new g("");let r=Object.entries({...t}).map(([n,s])=>{if(!U(n))throw new g("");return[n,e(n)(s,o)]});return Object.fromEntries(r.sort(([n],[s])=>n<s?-1:n>s?1:0))},Ce=S({n:$,at:w,by:j,fields:N,after:y(w)}),He=e=>(t,o)=>{let r=Ce(t,o);if(!r.at.endsWith(e))throw new g("at");return r},ve=e=>{if(e!==null&&typeof e!="string"||!q(e))throw new g("");return e},ke=S({puts:y(M(He)),withdrawn:y(M(()=>$)),counts:y(M(()=>V)),superseded:y(S({at:w,by:ve})),deleted:y(w),forgotten:y(D([!0]))});var ge=({at:e,replica:t})=>e.length>19&&e.slice(20)===t?e.slice(0,19):e;function _e(e){let{id:t,replica:o,n:r,at:n,memory:s,kind:m,...i}=e;return JSON.stringify(i)}function x(e){let{id:t,replica:o,kind:r,memory:n,payload:s}=e,m=e.at.length===19?`${e.at}-${o}`:e.at;return{...typeof s=="object"&&!Array.isArray(s)?s:{},id:t,replica:o,n:Number(e.n),at:m,memory:n,kind:r}}var Ie=1e3;async function be(e,t,{operations:o,hasVectors:r}){let n=[...new Set(o.map(({memory:a})=>a))],s=await e.query(T,[t,n]),m=new Set(s.rows.map(({memory:a})=>a)),i=new Map(s.rows.map(({memory:a,state:p})=>[a,_(p,void 0)])),d=[...i].flatMap(([a,p])=>p===void 0||p.forgotten?[a]:[]);for(let a of d)i.delete(a);let c=new Map(i);await De(e,t,{memories:d,states:c});for(let a of o)we(c,a);let u=n.flatMap(a=>{let p=c.get(a)??(m.has(a)?{}:void 0);return p===void 0?[]:[Ne(a,i.get(a),p)]}),[b,f]=[!0,!1].map(a=>u.filter(({hasSameText:p})=>p===a));await Ve(e,t,b??[]),await je(e,t,f??[]);let l=(f??[]).map(({memory:a})=>a).filter(a=>m.has(a));return r&&l.length>0&&await e.query(re,[t,l]),{memoriesAdded:u.length-m.size,forgotten:n.filter(a=>c.get(a)?.forgotten===!0)}}function we(e,t){let o=F(t,void 0);if(!("operation"in o))return;let{memory:r}=o.operation;e.set(r,I(e.get(r),o.operation))}async function De(e,t,{memories:o,states:r}){let n=0;for(;o.length>0;){let{rows:s}=await e.query(de,[t,n,Ie,o]);for(let m of s)we(r,x(m));if(s.length===0)return;n=s.at(-1)?.position??n}}function Ne(e,t,o){let r=O(o),n=A(o)?.fields.kind??null;return{memory:e,state:o,kind:n,text:r,hasSameText:t!==void 0&&O(t)===r}}function O(e){let t=A(e)?.fields;return t&&[t.content,...t.lessons].join(`
`)}async function Ve(e,t,o){o.length>0&&await e.query(ne,[t,...Ee(o)])}async function je(e,t,o){if(o.length===0)return;let r=o.map(({kind:s})=>s),n=o.map(({text:s})=>s===void 0?null:Le(s));await e.query(se,[t,...Ee(o),r,n])}var Ee=e=>[e.map(({memory:t})=>t),e.map(({state:t})=>JSON.stringify(t))],Le=e=>[...new Set(k(e))].join(" ");var Se=200,C=async e=>(await e.query(qe)).rows[0]?.has===!0,qe="select to_regclass('hub_vectors') is not null as has";async function Re(e,t,{model:o,embed:r}){let n=0;for(;;){let s=await e.query(ce,[t,Se]);if(s.rows.length===0)return n;let m=s.rows.map(({state:u})=>O(_(u,void 0))),i=await r(m.map(u=>u??"")),[d,c]=await e.transaction(async u=>{let{rows:b}=await u.query(ue,[t,s.rows.map(({memory:a})=>a),s.rows.map(({textVersion:a})=>a),o]),f=new Set(b.map(({memory:a})=>a)),l=s.rows.flatMap(({memory:a},p)=>f.has(a)&&m[p]!==void 0?[{memory:a,vector:i[p]}]:[]);return await u.query(pe,[t,l.map(({memory:a})=>a),l.map(({vector:a})=>H(a??[])),o]),[f.size,l.length]});if(n+=c,s.rows.length<Se||d===0)return n}}var H=e=>`[${e.join(",")}]`;async function Te(e,{project:t,operations:o,hasVectors:r,newEpoch:n}){return e.transaction(async s=>{let{lastPosition:m,epoch:i}=await Fe(s,t),d=await Ue(s,t,o);if(d.length>0){await Qe(s,t,{operations:d,lastPosition:m});let{memoriesAdded:c,forgotten:u}=await be(s,t,{operations:d,hasVectors:r});u.length>0&&await s.query(oe,[t,u]),await s.query(z,[t,m+d.length,c])}return n!==void 0&&await s.query(G,[t,n]),{stored:d.length,skipped:o.length-d.length,epoch:n??i}})}async function Fe(e,t){let o=()=>e.query(Y,[t]),[r]=(await o()).rows;if(r!==void 0)return{...r,lastPosition:Number(r.lastPosition)};await e.query(K,[t]);let[n]=(await o()).rows;return{epoch:n?.epoch??R,lastPosition:Number(n?.lastPosition??0)}}async function Ue(e,t,o){let r=new Map;for(let{replica:i,n:d}of o){let c=r.get(i)??{low:d,high:d};r.set(i,{low:Math.min(c.low,d),high:Math.max(c.high,d)})}let n=await e.query(ee,[t,[...r.keys()],[...r.values()].map(({low:i})=>i),[...r.values()].map(({high:i})=>i)]),s=new Map(n.rows.map(({replica:i,n:d,id:c})=>[`${i} ${d}`,c])),m=[];for(let i of o){let d=`${i.replica} ${i.n}`,c=s.get(d);if(c===void 0)m.push(i);else if(c!==i.id)throw Xe(i);s.set(d,i.id)}return m}async function Qe(e,t,{operations:o,lastPosition:r}){await e.query(te,[t,o.map((n,s)=>r+1+s),o.map(({id:n})=>n),o.map(({replica:n})=>n),o.map(({n})=>n),o.map(ge),o.map(({kind:n})=>n),o.map(({memory:n})=>n),o.map(_e)])}var Xe=({replica:e,n:t})=>new E("HUB_CONFLICT",`the hub has another change ${t} of the machine ${e}`,{hint:"This copy of the project is older than the hub, or a copy of another machine. Run `memctl hub sync` again."});var Be=5e3,Je=400,We=3,Ye=60,xe={replica:"",cleanText:e=>e,policy:{kinds:[],agentOnly:!1,personal:!1}};async function Oe(e,t,o){let{terms:r,vector:n,limit:s,model:m}=o;return e.transaction(async i=>{let d=await i.query(Z,[t]),c=Number(d.rows[0]?.memoryCount??0);if(c===0)return[];let u=s*We,b=r.length===0?[]:(await i.query(he,[t,[...new Set(r)],c,u])).rows,f=n===void 0||m===void 0?[]:await Ke(i,t,{model:m,vector:n,limit:u,memories:c}),l=ze([b,f]),a=[];for(let p=0;p<l.length&&a.length<s;p+=s){let v=l.slice(p,p+s),Ae=await i.query(T,[t,v.map(({memory:h})=>h)]),$e=new Map(Ae.rows.map(h=>[h.memory,h]));a.push(...v.flatMap(({memory:h,score:Pe})=>Ge($e.get(h),Pe)??[]))}return a.slice(0,s)})}function Ge(e,t){let o=_(e?.state,xe.cleanText);if(e===void 0||o===void 0)return;let r=L({id:e.memory,local:void 0,before:void 0,after:o,isDeleted:!1,settings:xe});return r&&{memory:r,score:t}}async function Ke(e,t,{model:o,vector:r,limit:n,memories:s,efSearch:m=Je}){let i=[t,o,H(r),n];if(s<=Be)return(await e.query(le,i)).rows;await e.query(ye,[String(Math.max(m,n))]);let{rows:d}=await e.query(fe,i);return d.toSorted((c,u)=>u.score-c.score)}function ze(e){let t=new Map;for(let r of e)for(let[n,{memory:s}]of r.entries())t.set(s,(t.get(s)??0)+1/(Ye+n+1));return[...t].map(([r,n])=>({memory:r,score:n})).sort((r,n)=>n.score-r.score||(r.memory<n.memory?-1:1))}function jt(e,{embedder:t}={}){let o=!1;return{describe:()=>Ze(e),async lastPushed(r,n){let{rows:s}=await e.query(B,[r,n]);return Number(s[0]?.n??0)},async push(r,n,s){o||=await C(e);let m=await Te(e,{project:r,operations:n,hasVectors:o,newEpoch:s});return t!==void 0&&o&&m.stored>0&&await et(e,r,t),m},pull:(r,n,s)=>tt(e,r,{after:n,limit:s}),async search(r,n){return o||=await C(e),Oe(e,r,{...n,model:o?t?.model:void 0})},close:()=>e.close()}}async function Ze(e){let{rows:t}=await e.query(X),[o]=t;if(o!==void 0)return o;throw new E("DATABASE_VERSION","the database has no hub",{hint:"Run `memctl hub migrate`, or ask the owner of the database to."})}async function et(e,t,o){try{await Re(e,t,o)}catch{}}async function tt(e,t,{after:o,limit:r}){let[n]=(await e.query(W,[t])).rows,{rows:s}=await e.query(me,[t,o,r+1]),m=s.slice(0,r);return{operations:m.map(x),through:Number(m.at(-1)?.position??o),more:Number(s[0]?.found??0)>m.length,epoch:n?.epoch??R,last:Number(n?.lastPosition??0)}}export{jt as createPostgresHub};
