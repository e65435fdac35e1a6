import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
var o=(n,e)=>n.session===e.session&&n.agentId===e.agentId,s=({session:n,agentId:e})=>e===void 0?n:`${n}/${e}`;export{o as a,s as b};
