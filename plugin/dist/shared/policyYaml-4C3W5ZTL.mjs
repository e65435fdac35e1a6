import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{b as a,c as b,d as c}from"./chunk-JVS3SEER.mjs";import"./chunk-YJSQ3EYS.mjs";import"./chunk-QH6ZMLEJ.mjs";import"./chunk-YADLWWSX.mjs";import"./chunk-HERMKA43.mjs";export{a as POLICY_SCHEMA_FILE,c as describeQuantity,b as formatPolicyYaml};
