import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{f as r}from"./chunk-K4UDRVKM.mjs";import{k as n}from"./chunk-D3HDDJ3Y.mjs";var i=200;function f(e,o){if(o.length===0)return;let{files:m,layout:p}=e,s=r(e)==="always";for(let t=0;t<o.length;t+=i)n(m,p.events,o.slice(t,t+i),s)}export{f as a};
