import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a,b,c}from"./chunk-5YEVF6UL.mjs";import"./chunk-EZSEQQIW.mjs";import"./chunk-YSEMZNLZ.mjs";import"./chunk-HERMKA43.mjs";export{a as findVisible,b as listVisible,c as visibilityFilter};
