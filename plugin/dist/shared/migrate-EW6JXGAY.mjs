import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a,b}from"./chunk-6LRQZZ5N.mjs";import"./chunk-A75K2NYM.mjs";import"./chunk-5TWYEUYG.mjs";import"./chunk-V2WQV7UR.mjs";import"./chunk-HERMKA43.mjs";export{a as migrate,b as readSchemaStatus};
