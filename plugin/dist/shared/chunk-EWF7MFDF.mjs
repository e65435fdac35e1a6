import{createRequire as loader}from'node:module';const require=loader(import.meta.url)
import{e as m}from"./chunk-JK5WDEDI.mjs";import{a as c}from"./chunk-7WIZ446U.mjs";function I(e){let s=[];for(let t of e){let n=s.at(-1);t.kind==="prompt"?s.push({id:t.taskId??t.id,prompt:t,events:[t]}):n?n.events.push(t):s.push({id:t.taskId??t.id,events:[t]})}return s}var L=({text:e})=>e.startsWith("/memctl:"),X=e=>e.filter(m);var f=e=>new RegExp(`^(?:${e.trim().replace(/\s*\n\s*/g,"|")})`,"iu");var w=f(String.raw`
  \s*<(?:task-notification|command-|local-command|system-reminder|bash-)
  \s*\[Request interrupted|\s*Operation stopped by|\s*Caveat: The messages below|\s*This session is being continued
  \s*Base directory for this skill
`),Z=e=>w.test(e);var y=new RegExp(String.raw`\b(?:(?:[A-Z][a-z]{1,12}){1,3}(?:Error|Exception|Panic|Fault|Warning)|E[A-Z]{3,12}(?=[\s:,]|$)|`+String.raw`ERR_[A-Z]{2,12}(?:_[A-Z]{2,14}){0,3}|TS\d{3,5}|[A-Z]{1,4}\d{3,5}|(?:HTTP|status) [1-5]\d\d|`+String.raw`SIG[A-Z]{3,5}|exit code \d{1,3})\b`),A="an error",S=e=>y.exec(e.slice(0,400))?.[0]??A,B=e=>e.replace(/^[×✗✕✖●] /,"").replace(/:$/,""),F=e=>e.replace(/“([\s\S]*)”/,(s,t)=>S(t));function Q(e,s=!1){let t=_(v(E(e))),n=t.split(`
`);return(n.length===1?[b(t,s)]:T(n,s)).join(`
`)}var u=e=>`
`.repeat(e.split(`
`).length-1),E=e=>e.includes("```")||e.includes("~~~")?e.replace(/(```|~~~)[\s\S]*?(?:\1|$)/g,u):e;function v(e){if(!e.includes("<"))return e;let s=new Set,t="",n=0;for(let{index:r,0:o,1:a=""}of e.matchAll(/<([a-z][\w:.-]*)(?:\s[^<>]*)?>/gi)){if(r<n||s.has(a))continue;let i=o.endsWith("/>")?-1:e.indexOf(`</${a}`,r);if(i===-1&&!k.test(a)){s.add(a);continue}let l=i===-1?-1:e.indexOf(">",i),g=l===-1?e.length:l+1;t+=e.slice(n,r)+(u(e.slice(r,g))||" "),n=g}return t+e.slice(n)}var k=/^(?:document|doc|page|web_?page|article|e?mail|message|file|content|log|output|context|quote|source)s?$/i,R=new RegExp("\u201C[^\u201C\u201D]{24,2000}\u201D|\u300C[^\u300C\u300D]{14,2000}\u300D|\u300E[^\u300E\u300F]{14,2000}\u300F|\xAB[^\xAB\xBB]{24,2000}\xBB|"+String.raw`(?<![\w"])"(?:[^"]{36,2000}|(?=[^"]{0,40}[\u3040-\u9fff]{8})[^"]{14,2000})"(?![\w"])`,"g"),_=e=>/["“「『«]/.test(e)?e.replace(R,s=>`${s.charAt(0)}\u2026${u(s)}${s.at(-1)}`):e,d=`(?:page|web ?site|site|article|blog|post|document(?:ation)?|docs?|readme|file|comment|issue|ticket|
  thread|e-?mail|mail|message|error|log|output|trace|stack ?trace|traceback|response|reply|answer|result|report|text|
  snippet|paragraph|section|description|review|feedback|transcript|chat|conversation|note|warning|release notes?|
  changelog|commit(?: message)?|pr|pull request|tool|server|bot|linter|compiler|test|ci|job|build|console|terminal|
  screenshot|slide|spec|letter|quote|license|header|footer|tweet|advisory|notice|banner)s?`,h=c(String.raw`\b(?:the|this|that|their|its|a|my|our|your|it|which)\s+(?:[\w'-]+\s+){0,3}?${d}(?:\s+\w+){0,3}?\s+
    (?:just |also |now |always )*(?:says?|said|states?|stated|reads?|shows?|t(?:ells|old)|recommends?|
    suggests?|claims?|
    prints?|printed|mentions?|contains?|goes|asks?|wants?|writes?|wrote|has(?! no\b))\b(?:\s+(?:that|to|me|us|this|you))*[:,]?\s|
    \bit (?:says|reads|states|shows|prints|said)\b[:,]?\s|\baccording to\b|
    (?:ページ|サイト|記事|ドキュメント|資料|説明書|コメント|イシュー|チケット|メール|メッセージ|ログ|出力|エラー|レビュー|README|本文|文章|
    テキスト)(?:に(?:は|、|「)|によると|によれば)|と(?:書いて(?:あ|い)|書かれて|記載|表示され|出て(?:い|き)|出力され)`,"i");function b(e,s){if(!h.test(e.slice(0,p)))return e;let t=!1;return e.split(/(?<=[.!?])\s+(?=\S)|(?<=[。！？])(?=\S)/).map(r=>{if(t)return"";let o=h.exec(r.slice(0,p));return o===null?r:(t=/[:：]\s*\S/.test(r),s?r.slice(0,o.index):"")}).filter(r=>r!=="").join(" ")}var p=600,$=c(String.raw`\b(?:following|below|attached|pasted)\b[^.?!]*[.:?!]?\s*$|
    \b(?:here(?:'s| is| are)|this is|got|received|found|see|look at|summari[sz]e|translate|explain|review|analy[sz]e|
    proofread|rewrite|shorten|reply to|respond to|answer|read|parse|check|paste[ds]?|quote[ds]?|copied)\b.*
    \b${d}\b[^.?!]*[.:?!]?(?:\s*(?:what do you think|what does (?:it|this|that) mean|any thoughts|thoughts|
    can you help|please)\b[^.?!\n]*[.?!]?)?\s*$|
    \b(?:what does|why does|is|what about|do you understand)\b.*\b(?:this|that|these|the)\b.*\b${d}\b.*[?:]\s*$|
    ^\s*(?:please |can you |could you )?(?:summari[sz]e|translate|explain|review|proofread|rewrite|
    analy[sz]e)\b.*[:.?!]?\s*$|
    \b(?:feedback|reviews?|comments?|errors?|output|logs?|says?|said|wrote|messages?|traceback|got|get|see|this|
    results?|suggestions?|findings?|report(?:ed|s)?|warnings?|failures?|todo|description|text|chat|conversation|
    mail|e-?mail|transcript|page|article|docs?|run|context|example)\b[^.?!]*:\s*$|
    (?:以下|次の|下記|貼り|引用|下の|この(?:ページ|記事|メール|文章|テキスト|内容|ログ|エラー|出力|コメント|本文|メッセージ|資料)).{0,24}
    (?:[:：]|(?:です|ます|ました)[。]?|要約.*|翻訳.*|訳して.*|説明して.*|確認して.*|読んで.*|見て.*|どう思.*|レビューして.*|直して.*|意味.*)\s*$|
    (?:エラー|ログ|指摘|レビュー|コメント|出力|メッセージ|メール|本文|文章|ページ|記事|テキスト|内容).{0,12}[:：]\s*$`,"i"),x=c(String.raw`^\s*(?:From|To|Cc|Subject|Sent|Date|Reply-To|差出人|宛先|件名|送信日時|日時)\s*[:：]\s*\S|
    ^\s*-{2,}\s*(?:Original Message|Forwarded message|Begin forwarded)|^\s*(?:Begin forwarded message|
    On .{4,60} wrote):|
    ^[\s>*#_-]*(?:user|human|assistant|system|ai|bot|claude|chatgpt|developer|ユーザー|アシスタント|システム)[*_\s]*[:：]|
    ^\s*【(?:システム|ユーザー|アシスタント)】|
    ^\s*(?:note|message|instructions?|attention|notice|dear|hello|hi|important)?\s*(?:to|for)?[\s:,]*(?:all |the |any )*
    (?:(?:ai|coding|llm|language)[- ])+(?:assistants?|agents?|models?|tools?|bots?)\b|
    ^\s*(?:AI|エージェント|アシスタント)(?:アシスタント|エージェント)?\s*(?:へ|各位|向け)|
    ^\s*\[?\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?:\s*[AP]M)?\]?\s|^\s*\[?\d{4}-\d\d-\d\d[T ]`,"i"),O=/^\s*(?:-{3,}|={3,}|\*{3,}|_{3,}|#{3,}|~{3,}|…{2,}|─{3,})\s*$/;function T(e,s){let t=!1,n=!1;return e.map((r,o)=>{if(t)return"";if(O.test(r))return n=!n,"";if(n)return"";if(r.trim()==="")return r;if(/^\s*[>＞]/.test(r))return"";if(x.test(r))return t=!0,"";e.slice(o+1).some(l=>l.trim()!=="")&&$.test(r.slice(-p/2))&&(t=C(e,o));let i=b(r,s);return i!==r&&/[:：]\s*\S/.test(r)&&e[o+1]?.trim()!==""&&(t=!0),i})}function C(e,s){let t=e[s]??"";return/[:：]\s*$/.test(t)?!0:e[s+1]?.trim()===""||e.length-s>3}var P=e=>e.split("/").every(M);function M(e){return e.length>80||/[\p{Cc}\p{Cf}]/u.test(e)||(e.match(/[\u3040-\u30ff\u3400-\u9fff]/g)??[]).length>14||e.split(" ").length>3?!1:(e.replace(new RegExp("(\\p{Ll})(\\p{Lu})","gu"),"$1 $2").match(new RegExp("\\p{L}{2,}","gu"))??[]).length<6}var J=e=>!/(["'])[^"']*\s[^"']*\s[^"']*\s[^"']*\1/.test(e)&&!/[\u3040-\u30ff\u3400-\u9fff]{15}/.test(e)&&e.split(/[\s"'=]+/).every(P);export{I as a,L as b,X as c,f as d,Z as e,Q as f,P as g,J as h,A as i,S as j,B as k,F as l};
