import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
var o=["hot","warm","cold"];function n(e,r){return e<r.hotDays?"hot":e<r.warmDays?"warm":"cold"}export{o as a,n as b};
