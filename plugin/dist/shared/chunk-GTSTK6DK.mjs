import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{t as e}from"./chunk-FGM737T5.mjs";import{a as r}from"./chunk-NMCYNODL.mjs";function n(o,m,t){t.length!==0&&(r(o,t),e(o,m))}export{n as a};
