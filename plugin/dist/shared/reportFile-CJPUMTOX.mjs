import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a,b}from"./chunk-ULZQWYDR.mjs";import"./chunk-HERMKA43.mjs";export{a as REPORT_FILE,b as defaultReportFile};
