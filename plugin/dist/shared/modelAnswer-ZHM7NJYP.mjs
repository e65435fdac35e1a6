import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a}from"./chunk-7KVWHIIY.mjs";import"./chunk-FCD5XXAE.mjs";import"./chunk-CFUQ4ONZ.mjs";import"./chunk-V2WQV7UR.mjs";import"./chunk-HERMKA43.mjs";export{a as parseModelAnswer};
