import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{e as r}from"./chunk-YSEMZNLZ.mjs";function i(s,e){return e.status!=="active"||e.expires!==void 0&&Date.parse(e.expires)<=s.now||e.retention==="working"&&e.session!==s.session?!1:r(s.viewer,e)}export{i as a};
