import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
function r(n){if(n===void 0)return"missing";if(typeof n=="number"||typeof n=="bigint")return String(n);let i;try{i=JSON.stringify(typeof n=="string"?n.slice(0,120):n)}catch{}let t=i??`a ${typeof n}`;return t.length>60?`${t.slice(0,60).replace(/[\ud800-\udbff]$/,"")}\u2026`:t}export{r as a};
