import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a,b,c}from"./chunk-PVEOWMUS.mjs";import"./chunk-GJJHY2XO.mjs";import"./chunk-T2G4LJ6H.mjs";import"./chunk-NHONEP62.mjs";import"./chunk-UP7SQ3HD.mjs";import"./chunk-GK6QT4O7.mjs";import"./chunk-GNNWBOQZ.mjs";import"./chunk-HERMKA43.mjs";export{b as openNamedStore,a as openStore,c as openStoreAt};
