import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a,b,c,d,e,f,g,h}from"./chunk-K4UDRVKM.mjs";import"./chunk-TMNVXSTD.mjs";import"./chunk-V2WQV7UR.mjs";import"./chunk-HERMKA43.mjs";export{b as SHOW_MODES,a as WARNING_MODES,g as blocksKnownFailures,d as configFile,e as hasUserConfig,c as hookConfigFile,h as readShowChoice,f as readSyncChoice};
