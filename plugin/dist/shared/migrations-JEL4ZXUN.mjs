import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a}from"./chunk-A75K2NYM.mjs";import"./chunk-HERMKA43.mjs";export{a as MIGRATIONS};
