import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{D as a,E as b}from"./chunk-CR5F3CVZ.mjs";import"./chunk-54C2SXCJ.mjs";import"./chunk-ODHINOKJ.mjs";import"./chunk-NY6E3KGH.mjs";import"./chunk-HERMKA43.mjs";export{a as decideVerdict,b as renderOverview};
