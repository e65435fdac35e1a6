import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{D as a,E as b}from"./chunk-RN4C4RAH.mjs";import"./chunk-54C2SXCJ.mjs";import"./chunk-2L4PCSGF.mjs";import"./chunk-ODHINOKJ.mjs";import"./chunk-HERMKA43.mjs";export{a as decideVerdict,b as renderOverview};
