import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{d as r}from"./chunk-56RQJ7OE.mjs";import c from"node:zlib";var t=typeof c.crc32=="function"?c.crc32:r;export{t as a};
