import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a as n}from"./chunk-6KQB4X6H.mjs";var l=(e,t)=>n([{head:""},{head:"",canShrink:!0}],e.map(([r,o])=>[t.palette.dim(r),o]),t.columns),m=(...e)=>e.map(t=>({head:t,align:"right"}));export{l as a,m as b};
