import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a,e as b}from"./chunk-S7QHHEXK.mjs";import"./chunk-XJ5SNNFZ.mjs";import"./chunk-V2WQV7UR.mjs";import"./chunk-HERMKA43.mjs";export{b as realDisk,a as systemErrorCode};
