import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
var i=n=>/^(.+)[\\/]runtime[\\/]\d[^\\/]*(?:[\\/](?:hooks|shared))?$/.exec(n)?.[1];function r(n,t){let e=i(t);return e===void 0||n.MEMCTL_HOME?n:{...n,MEMCTL_HOME:e}}export{i as a,r as b};
