import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
var e=["start","prompt","call","failure","agent","ask"],r="unranked";export{e as a,r as b};
