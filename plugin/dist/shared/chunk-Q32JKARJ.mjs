import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{b as e}from"./chunk-EQPM67RC.mjs";import{b as o}from"./chunk-EUPTN6U2.mjs";function c(...m){let r=m.join("\0"),[t,n]=o(r),[y,d]=o(`${r}\0memory`);return e([t,n,y,d])}export{c as a};
