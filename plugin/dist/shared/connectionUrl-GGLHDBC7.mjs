import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{b as a,c as b,d as c}from"./chunk-FNYKMU7F.mjs";import"./chunk-5TWYEUYG.mjs";import"./chunk-J4CVJN7V.mjs";import"./chunk-S7QHHEXK.mjs";import"./chunk-XJ5SNNFZ.mjs";import"./chunk-V2WQV7UR.mjs";import"./chunk-HERMKA43.mjs";export{c as describeServer,b as describeTarget,a as parseConnectionUrl};
