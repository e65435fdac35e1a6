import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{b as e}from"./chunk-EQPM67RC.mjs";import{b as r}from"./chunk-56RQJ7OE.mjs";function d(m,n,t){let o=["entry",m,n??"",t].join("\0");return e([...r(o),...r(`${o}\0memory`)])}export{d as a};
