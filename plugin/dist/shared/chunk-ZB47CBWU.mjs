import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{a as s}from"./chunk-EQPM67RC.mjs";import{i as r}from"./chunk-CFUQ4ONZ.mjs";var t=o=>o===null||o===r||s(o);export{t as a};
