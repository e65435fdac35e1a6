import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{d as a,h as b}from"./chunk-GK6QT4O7.mjs";import"./chunk-GNNWBOQZ.mjs";import"./chunk-HERMKA43.mjs";export{b as realDisk,a as systemErrorCode};
