import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
var n=e=>e.includes("\\ud")?e.replace(/(\\\\)|\\ud[89a-f][0-9a-f]{2}/g,(t,r)=>r??"\uFFFD"):e;function s(e){let t=JSON.stringify(e),r=n(t);return r===t?e:JSON.parse(r)}export{n as a,s as b};
