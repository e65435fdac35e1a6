import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a,b}from"./chunk-PGMDLFE3.mjs";import"./chunk-HERMKA43.mjs";export{a as estimateTokens,b as truncateToTokens};
