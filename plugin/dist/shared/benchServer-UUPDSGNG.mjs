import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a as i}from"./chunk-ZOUOXV6R.mjs";import{a as s}from"./chunk-V2WQV7UR.mjs";import"./chunk-HERMKA43.mjs";import{spawn as c}from"node:child_process";var d=`
  import { PGlite } from '@electric-sql/pglite'
  import { vector } from '@electric-sql/pglite-pgvector'
  import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
  const db = await PGlite.create({ extensions: { vector } })
  const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: 50 })
  await server.start()
  process.stdout.write(server.getServerConn() + '\\n')
  process.stdin.on('end', () => process.exit(0)).resume()
`;async function f(){let e=c(process.execPath,["--input-type=module","-e",d],{cwd:i().root,stdio:["pipe","pipe","pipe"],windowsHide:!0}),r="";e.stderr.on("data",t=>{r=`${r}${t.toString("utf8")}`.slice(0,2e3)});let o=await new Promise(t=>{e.stdout.once("data",n=>t(n.toString("utf8").trim())),e.once("exit",()=>t(void 0))});if(o===void 0)throw new s("NOT_FOUND","PGlite, the PostgreSQL of the tests, did not start",{hint:"Name a server that may be filled with generated data: --url postgresql://USER@HOST/DATABASE.",cause:new Error(r)});return{url:`postgresql://postgres@${o}/postgres?sslmode=disable`,stop:()=>e.stdin.end()}}export{f as startBenchServer};
