import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{b as r}from"./chunk-WDBCC6FS.mjs";import{c as t}from"./chunk-HLACIQYF.mjs";var o=12,a=30;function u(e,n){if(e.pinned)return e.importance;let s=r(Date.parse(e.lastUsed??e.created),n),c=.5*t(e.accessCount,o)+.5*.5**(s/a);return Math.round(c*1e4)/1e4}export{u as a};
