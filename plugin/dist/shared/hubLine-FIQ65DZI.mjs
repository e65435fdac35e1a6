import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a,b,c}from"./chunk-3NJ6SOUL.mjs";import"./chunk-WG5FZQGP.mjs";import"./chunk-TGFJMTY7.mjs";import"./chunk-HERMKA43.mjs";export{c as describeHub,b as formatHubFault,a as formatHubLine};
