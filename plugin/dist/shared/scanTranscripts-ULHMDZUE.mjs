import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{b as a,c as b,d as c}from"./chunk-QU4HQNMA.mjs";import"./chunk-Y5DH5GBR.mjs";import"./chunk-XJ5SNNFZ.mjs";import"./chunk-GNNWBOQZ.mjs";import"./chunk-HERMKA43.mjs";export{a as lineKey,c as readTranscript,b as scanTranscripts};
