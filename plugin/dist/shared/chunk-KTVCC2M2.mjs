import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{b as t}from"./chunk-WDBCC6FS.mjs";import{c as r}from"./chunk-RWXDVLT7.mjs";var o=12,a=30;function u(e,n){if(e.pinned)return e.importance;let s=t(Date.parse(e.lastUsed??e.created),n),c=.5*r(e.accessCount,o)+.5*.5**(s/a);return Math.round(c*1e4)/1e4}export{u as a};
