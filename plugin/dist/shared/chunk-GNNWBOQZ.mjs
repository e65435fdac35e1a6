import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
var I=class extends Error{code;hint;constructor(N,e,E){super(e,E.cause===void 0?void 0:{cause:E.cause}),this.name="MemoryError",this.code=N,this.hint=E.hint}};export{I as a};
