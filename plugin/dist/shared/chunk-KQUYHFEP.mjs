import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
function a(n){let r=new Float32Array(n),t=0;for(let e of r)t+=e*e;if(t===0)return r;let o=1/Math.sqrt(t);for(let e=0;e<r.length;e++)r[e]*=o;return r}export{a};
