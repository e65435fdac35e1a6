import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import"./chunk-HERMKA43.mjs";import{spawn as o}from"node:child_process";function t(e){o(process.execPath,e,{detached:!0,stdio:"ignore",cwd:"/",windowsHide:!0}).unref()}export{t as spawnDetached};
