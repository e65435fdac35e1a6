import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
var o={k1:1.2,b:.75},t=(e,n)=>Math.log(1+(n-e+.5)/(e+.5)),u=(e,n,{k1:r})=>t(e,n)*(r+1),b=(e,n,{k1:r,b:m})=>n>0?r*(1-m+m*e/n):r;export{o as a,t as b,u as c,b as d};
