import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
var A=class extends Error{code;hint;constructor(I,r,E){super(r,E.cause===void 0?void 0:{cause:E.cause}),this.name="MemoryError",this.code=I,this.hint=E.hint}};export{A as a};
