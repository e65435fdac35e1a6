import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
var s=(e,n,r)=>({name:e,state:"ok",what:n,where:r}),a=(e,n,r,t)=>({name:e,state:n,what:r,...t});export{s as a,a as b};
