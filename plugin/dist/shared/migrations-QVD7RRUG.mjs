import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a}from"./chunk-YRTXN3NC.mjs";import"./chunk-HERMKA43.mjs";export{a as MIGRATIONS};
