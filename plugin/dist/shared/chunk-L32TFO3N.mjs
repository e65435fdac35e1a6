import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
var e=["command","path","tool","rule","order","rejection","routine"],n=["proposed","standing","retired"];var o=["person","assistant","tool","outside","team"];export{e as a,n as b,o as c};
