import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{b as t}from"./chunk-BWNNEEET.mjs";var s={generation:0,standing:[],told:{},open:[]};function i(e,d){let o=`${JSON.stringify(t(d))}:[`,n=e.lastIndexOf(o);if(n===-1)return[];let r=n+Buffer.byteLength(o)-1;return JSON.parse(e.toString("utf8",r,e.indexOf("]",r)+1))}export{s as a,i as b};
