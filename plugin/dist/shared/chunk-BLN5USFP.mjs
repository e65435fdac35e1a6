import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
var i=e=>`${e}/rewritten`;function a(e,r,{file:t,offset:n}){e.append(i(r),Buffer.from(`${JSON.stringify({file:t,offset:n})}
`),!0)}function f(e,r){return(e.read(i(r))?.toString("utf8").split(`
`)??[]).flatMap(n=>s(n)??[])}function o(e,r){e.size(i(r))!==void 0&&e.remove(i(r))}function s(e){try{let{file:r,offset:t}=JSON.parse(e);return Number.isInteger(r)&&Number.isInteger(t)?{file:r,offset:t}:void 0}catch{return}}export{a,f as b,o as c};
