import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
var t=[-1,2],c={topK:[1,50],scoreMin:[-1,4],relevanceMin:[0,1],budgetTokens:[50,2400]},i=(n,[e,o])=>typeof n=="number"&&n>=e&&n<=o;export{t as a,c as b,i as c};
