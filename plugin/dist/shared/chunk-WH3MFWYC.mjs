import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
function d(o,r){let t=new Map;for(let e of o)if(!(e.kind!=="recall.judged"||e.recall!==r||e.by!=="person")){for(let n of e.helped)t.set(n,"useful");for(let n of e.unhelped??[])t.set(n,"not useful")}return t}export{d as a};
