import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{f as a,g as b,h as c}from"./chunk-Y5DH5GBR.mjs";import"./chunk-XJ5SNNFZ.mjs";import"./chunk-GNNWBOQZ.mjs";import"./chunk-HERMKA43.mjs";export{b as findTranscripts,c as readAgentType,a as transcriptFolder};
