import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a,b,c,d,e}from"./chunk-EZRUFW7L.mjs";import"./chunk-W7WVKNXC.mjs";import"./chunk-V2WQV7UR.mjs";import"./chunk-HERMKA43.mjs";export{a as findBuiltHooks,b as findHookScript,d as runBareNode,c as runHookProcess,e as runWorker};
