import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import"./chunk-HERMKA43.mjs";import{randomUUID as n}from"node:crypto";var r=()=>n();export{r as newMachineId};
