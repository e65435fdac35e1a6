import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a,b,c,d,e}from"./chunk-SCQRYYYV.mjs";import"./chunk-5WJF3PRQ.mjs";import"./chunk-EUPTN6U2.mjs";import"./chunk-HERMKA43.mjs";export{a as SYSTEM_SESSION,c as callerEvent,d as eventEnvelope,e as eventId,b as systemEvent};
