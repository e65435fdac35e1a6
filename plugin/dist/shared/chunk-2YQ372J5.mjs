import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
async function i(r,{batchMax:n,dimensions:l,embedBatch:s}){let t=e=>e.trim()==="",a=r.filter(e=>!t(e)),o=[];for(let e=0;e<a.length;e+=n)o.push(...await s(a.slice(e,e+n)));let d=0;return r.map(e=>(t(e)?void 0:o[d++])??new Float32Array(l))}export{i as a};
