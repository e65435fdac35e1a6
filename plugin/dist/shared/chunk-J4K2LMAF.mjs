import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{e as r}from"./chunk-M62TLHUO.mjs";import{a as s}from"./chunk-EQPM67RC.mjs";var t=o=>o===null||o===r||s(o);export{t as a};
