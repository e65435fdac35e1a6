import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import"./chunk-HERMKA43.mjs";function m(r,n,s){let t=new Map;for(let{recall:e,memory:o}of n)t.set(e,[...t.get(e)??[],o]);for(let[e,o]of t)r({kind:"recall.judged",recall:e,by:"person",...s==="useful"?{helped:o}:{helped:[],unhelped:o}})}export{m as rateNotes};
