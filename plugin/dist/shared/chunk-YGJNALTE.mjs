import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
function n({team:e,statement:r},t="",i=""){if(!e||e.own&&e.people<2&&!e.isTheirs)return"";let o=r&&"said",s=e.people>1?`; ${e.people} people ${o??"met"} it`:"";return`${t}${o??"learned"} by ${e.by}${s}${i}`}var p=({team:e})=>e?.own===!1||e?.isTheirs===!0;export{n as a,p as b};
