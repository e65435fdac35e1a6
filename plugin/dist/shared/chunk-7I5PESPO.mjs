import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{d as r}from"./chunk-EUPTN6U2.mjs";import c from"node:zlib";var m=typeof c.crc32=="function"?c.crc32:r;export{m as a};
