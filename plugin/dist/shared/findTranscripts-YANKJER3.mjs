import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{f as a,g as b,h as c}from"./chunk-EX5G3ZVD.mjs";import"./chunk-XJ5SNNFZ.mjs";import"./chunk-V2WQV7UR.mjs";import"./chunk-HERMKA43.mjs";export{b as findTranscripts,c as readAgentType,a as transcriptFolder};
