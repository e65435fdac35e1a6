import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{k as n}from"./chunk-T3HG7RPT.mjs";import{f as r}from"./chunk-K4UDRVKM.mjs";var i=200;function f(e,o){if(o.length===0)return;let{files:m,layout:p}=e,s=r(e)==="always";for(let t=0;t<o.length;t+=i)n(m,p.events,o.slice(t,t+i),s)}export{f as a};
