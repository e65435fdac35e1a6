import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a}from"./chunk-XHMQ4EBT.mjs";import"./chunk-FCD5XXAE.mjs";import"./chunk-AINO2E6I.mjs";import"./chunk-GNNWBOQZ.mjs";import"./chunk-HERMKA43.mjs";export{a as parseModelAnswer};
