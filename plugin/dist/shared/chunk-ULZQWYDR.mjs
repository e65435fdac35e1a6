import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
var o="report.html",e=({layout:t})=>`${t.folder}/${o}`;export{o as a,e as b};
