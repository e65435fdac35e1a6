import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a,b,c}from"./chunk-42COGMZZ.mjs";import"./chunk-WWDENVJL.mjs";import"./chunk-LLH7XJHY.mjs";import"./chunk-YADLWWSX.mjs";import"./chunk-EQIUCUYR.mjs";import"./chunk-GNNWBOQZ.mjs";import"./chunk-HERMKA43.mjs";export{a as DEFAULT_POLICY,c as fillPolicyDefaults,b as readActivePolicy};
