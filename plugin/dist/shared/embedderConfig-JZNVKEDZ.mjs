import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a}from"./chunk-LHBJI3EL.mjs";import"./chunk-MDEVRIIF.mjs";import"./chunk-NKO5FXTC.mjs";import"./chunk-K4UDRVKM.mjs";import"./chunk-TMNVXSTD.mjs";import"./chunk-V2WQV7UR.mjs";import"./chunk-HERMKA43.mjs";export{a as readEmbedderConfig};
