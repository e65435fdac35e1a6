import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{b as a,c as b,d as c}from"./chunk-GFV2YDH3.mjs";import"./chunk-EX5G3ZVD.mjs";import"./chunk-XJ5SNNFZ.mjs";import"./chunk-V2WQV7UR.mjs";import"./chunk-HERMKA43.mjs";export{a as lineKey,c as readTranscript,b as scanTranscripts};
