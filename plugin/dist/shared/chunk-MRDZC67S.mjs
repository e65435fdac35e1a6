import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{c as o}from"./chunk-5BXDWL5A.mjs";function l(c,r){let t=o(c).replace(/[\t\n]/g,""),e=0,n=0;for(let i of t){if(e+=i>="\u2E80"?2:1,e>r)return`${t.slice(0,n).trimEnd()}\u2026`;e<r&&(n+=i.length)}return t}export{l as a};
