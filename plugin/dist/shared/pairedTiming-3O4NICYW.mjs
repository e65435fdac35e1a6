import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a,b,c,d,e,f,g,h}from"./chunk-ALTV7BUM.mjs";import"./chunk-HERMKA43.mjs";export{a as cleanEnvironment,d as comparePaired,e as measurePeakMemoryMb,f as measureUsage,g as median,h as quantile,c as runProcess,b as runTimed};
