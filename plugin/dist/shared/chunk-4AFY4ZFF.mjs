import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{c as o}from"./chunk-TMNVXSTD.mjs";var t=1,i="neighbours.json",l="vocabulary",m="targets",d=e=>`${e.vectors}/${i}`;function u(e,n){try{let r=o(e,d(n));return r?.version===t?r:void 0}catch{return}}export{i as a,l as b,m as c,u as d};
