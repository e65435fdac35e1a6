import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
var e=["worker","admin","owner"];export{e as a};
