import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
var e=["builtin","transformers","openai","azure"];export{e as a};
