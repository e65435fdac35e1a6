import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{r as a,s as b,t as c}from"./chunk-X4C43BI4.mjs";import"./chunk-TMNVXSTD.mjs";import"./chunk-V2WQV7UR.mjs";import"./chunk-HERMKA43.mjs";export{a as DEFAULT_POLICY,c as fillPolicyDefaults,b as readActivePolicy};
