import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
var i=(n,e="")=>new RegExp(n.replace(/\n\s*/g,""),e);function o(n){let e=new Map;return t=>{let r=e.get(t);if(r!==void 0)return r;e.size>=2e4&&e.clear();let s=n(t);return e.set(t,s),s}}export{i as a,o as b};
