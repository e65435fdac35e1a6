import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a,b,c}from"./chunk-UNEJMY66.mjs";import"./chunk-HERMKA43.mjs";export{b as REPORT_FILE,c as defaultReportFile,a as storeLayout};
