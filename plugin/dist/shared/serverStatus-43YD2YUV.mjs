import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a as r}from"./chunk-5TWYEUYG.mjs";import"./chunk-HERMKA43.mjs";var d=`
  select current_database() as name, current_setting('server_version') as version, current_user as user,
    current_setting('is_superuser') = 'on' as "isSuperuser", current_schema() as schema,
    coalesce(has_schema_privilege(current_schema(), 'create'), false) as "canMigrate",
    (pg_is_in_recovery() or current_setting('transaction_read_only') = 'on') as "isReadOnly",
    (select extversion from pg_extension where extname = 'vector') as installed,
    (select default_version from pg_available_extensions where name = 'vector') as offered,
    (select atttypmod from pg_attribute
      where attrelid = to_regclass('agent_memory') and attname = 'embedding' and atttypmod > 0) as dimension`;async function u(n){return n.withConnection(async s=>{let{rows:a}=await s.query(d),i=await s.query("select version from pg_stat_ssl where pid = pg_backend_pid()").then(o=>t(o.rows[0]?.version)).catch(()=>{}),e=a[0];return{name:r(e?.name),version:r(e?.version).split(" ")[0]??"",user:r(e?.user),isSuperuser:e?.isSuperuser===!0,canMigrate:e?.canMigrate===!0,schema:t(e?.schema),isReadOnly:e?.isReadOnly===!0,encryption:i,pgvector:{installed:t(e?.installed),offered:t(e?.offered)},dimension:e?.dimension??void 0}})}var t=n=>n==null?void 0:r(n);export{u as readServerStatus};
