import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
function p(e){let n=String(e??"").replace(t," ");return n.length>300?`${n.slice(0,300)}\u2026`:n}var t=/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;export{p as a,t as b};
