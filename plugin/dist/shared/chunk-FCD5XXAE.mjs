import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
