import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a,b,c}from"./chunk-N3ZBXFKY.mjs";import"./chunk-PT43RI2L.mjs";import"./chunk-LLH7XJHY.mjs";import"./chunk-YADLWWSX.mjs";import"./chunk-TMNVXSTD.mjs";import"./chunk-V2WQV7UR.mjs";import"./chunk-HERMKA43.mjs";export{a as DEFAULT_POLICY,c as fillPolicyDefaults,b as readActivePolicy};
