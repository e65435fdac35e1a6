import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
var t=["person","assistant","tool","outside","team"];export{t as a};
