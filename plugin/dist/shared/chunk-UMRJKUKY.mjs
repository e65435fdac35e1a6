import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import r from"node:util";function i(o,l){let n=o.isTTY===!0&&!l.NO_COLOR&&l.TERM!=="dumb"&&"styleText"in r,e=y=>n?t=>t===""?t:r.styleText(y,t,{validateStream:!1}):t=>t;return{bold:e("bold"),dim:e("dim"),red:e("red"),green:e("green"),yellow:e("yellow"),cyan:e("cyan")}}export{i as a};
