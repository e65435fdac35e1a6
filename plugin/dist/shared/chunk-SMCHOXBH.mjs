import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a as e}from"./chunk-VKWWXM37.mjs";import{a as r}from"./chunk-3N73WPLM.mjs";function n(o,m,t){t.length!==0&&(r(o,t),e(o,m))}export{n as a};
