import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a,b,c,d}from"./chunk-SVHTNGHV.mjs";import"./chunk-HERMKA43.mjs";export{a as TOP_START,b as filterItems,d as pressKey,c as splitKeys};
