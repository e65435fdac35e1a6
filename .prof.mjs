// src/store/files.ts
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync
} from "node:fs";
import { dirname } from "node:path";
var disk = {
  read: (file) => unlessAbsent(() => readFileSync(file)),
  readAt(file, position, length) {
    const opened = disk.open(file);
    if (!opened) return Buffer.alloc(0);
    try {
      return opened.readAt(position, length);
    } finally {
      opened.close();
    }
  },
  open(file) {
    const fd = unlessAbsent(() => openSync(file, "r"));
    if (fd === void 0) return void 0;
    return {
      size: fstatSync(fd).size,
      readAt: (position, length) => readFully(fd, position, length),
      close: () => closeSync(fd)
    };
  },
  // Without an error for what is absent: making one costs a cold hook eight times the question.
  size: (file) => unlessAbsent(() => statSync(file, { throwIfNoEntry: false })?.size),
  list: (folder) => unlessAbsent(() => readdirSync(folder).sort()) ?? [],
  append(file, bytes, sync = false) {
    const fd = openForAppend(file);
    try {
      if (writeSync(fd, bytes) !== bytes.length) throw shortWrite(file);
      if (sync) fdatasyncSync(fd);
    } finally {
      closeSync(fd);
    }
  },
  create(file, bytes) {
    const aside = asideOf(file);
    mkdirSync(dirname(file), { recursive: true });
    try {
      writeFileSync(aside, bytes);
      linkSync(aside, file);
      return true;
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false;
      if (LINKLESS.has(codeOf(error) ?? "")) return createdInPlace(file, bytes);
      throw error;
    } finally {
      rmSync(aside, { force: true });
    }
  },
  replace(file, bytes) {
    const aside = asideOf(file);
    mkdirSync(dirname(file), { recursive: true });
    try {
      const fd = openSync(aside, "w");
      try {
        writeFileSync(fd, bytes);
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
      renamed(aside, file);
    } catch (error) {
      rmSync(aside, { force: true });
      throw error;
    }
  },
  overwrite(file, position, bytes) {
    const fd = openSync(file, "r+");
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, position + at);
      fdatasyncSync(fd);
    } finally {
      closeSync(fd);
    }
  },
  sync(file) {
    const fd = openSync(file, "r");
    try {
      fsyncSync(fd);
    } catch (error) {
      if (!SYNCLESS.has(codeOf(error) ?? "")) throw error;
    } finally {
      closeSync(fd);
    }
  },
  truncate: (file, length) => truncateSync(file, length),
  remove: (file) => rmSync(file, { force: true }),
  makeFolder: (folder) => void mkdirSync(folder, { recursive: true })
};
function codeOf(error) {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : void 0;
}
function unlessAbsent(act) {
  try {
    return act();
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return void 0;
    throw error;
  }
}
function openForAppend(file) {
  try {
    return openSync(file, "a");
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    mkdirSync(dirname(file), { recursive: true });
    return openSync(file, "a");
  }
}
var LINKLESS = /* @__PURE__ */ new Set(["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"]);
var SYNCLESS = /* @__PURE__ */ new Set(["EISDIR", "EPERM", "EINVAL", "EBADF", "ENOTSUP"]);
function createdInPlace(file, bytes) {
  try {
    writeFileSync(file, bytes, { flag: "ax" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}
var RENAMES_MAX = 3;
function renamed(aside, file) {
  for (let attempt = 1; ; attempt++) {
    try {
      renameSync(aside, file);
      return;
    } catch (error) {
      if (attempt === RENAMES_MAX || !["EBUSY", "ESTALE", "EPERM", "EACCES"].includes(codeOf(error) ?? "")) throw error;
    }
  }
}
function readFully(fd, position, length) {
  const bytes = Buffer.allocUnsafe(length);
  let read = 0;
  while (read < length) {
    const n = readSync(fd, bytes, read, length - read, position + read);
    if (n === 0) break;
    read += n;
  }
  return bytes.subarray(0, read);
}
var asideCount = 0;
var asideOf = (file) => `${file}.${process.pid}.${asideCount++}.aside`;
var shortWrite = (file) => Object.assign(new Error(`ENOSPC: wrote only part of a line to ${file}`), { code: "ENOSPC" });

// src/store/layout.ts
var layoutOf = (folder) => ({
  folder,
  events: `${folder}/events`,
  manifest: `${folder}/manifest.json`,
  hot: `${folder}/hot.json`,
  policy: `${folder}/policy.json`,
  /** Of one generation of the view, so that it is never read beside another's. */
  work: (generation) => `${folder}/work.${generation}.json`,
  segments: `${folder}/segments`,
  vectors: `${folder}/vectors`,
  lock: `${folder}/lock`,
  faults: `${folder}/faults.jsonl`
});

// src/store/project.ts
import { existsSync, readFileSync as readFileSync2, realpathSync as realpathSync2, statSync as statSync2 } from "node:fs";
import { basename, dirname as dirname2, join, resolve as resolve2 } from "node:path";

// src/model/errors.ts
var MemoryError = class extends Error {
  code;
  mend;
  constructor(code, message, how) {
    super(message, how.cause === void 0 ? void 0 : { cause: how.cause });
    this.name = "MemoryError";
    this.code = code;
    this.mend = how.mend;
  }
};

// src/store/origin.ts
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
function originIn(config) {
  let inside = false;
  for (const line of config.split("\n")) {
    const text2 = line.trim();
    if (text2.startsWith("[")) inside = ORIGIN_SECTION.test(text2);
    else if (inside) {
      const url = URL_LINE.exec(text2);
      if (url) return unquoted(url[1]) || void 0;
    }
  }
  return void 0;
}
function normalised(url, root) {
  if (HELPER.test(url)) return url;
  const [, scheme = "", authority = "", rest = ""] = WITH_SCHEME.exec(url) ?? [];
  if (scheme.toLowerCase() === "file") return onDisk(decoded(rest), root);
  if (scheme) return onHost(hostOf(authority, scheme.toLowerCase()), decoded(rest));
  const [, host, place] = LIKE_SCP.exec(url) ?? [];
  return host !== void 0 && place !== void 0 ? onHost(hostOf(host, "ssh"), place) : onDisk(url, root);
}
var ORIGIN_SECTION = /^\[remote[ \t]+"origin"\]/;
var URL_LINE = /^url[ \t]*=[ \t]*(.*)$/i;
var HELPER = /^[a-z0-9-]+::/i;
var WITH_SCHEME = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)(.*)$/i;
var LIKE_SCP = /^((?:[^/@]*@)?(?:\[[^\]/]+\]|[^/:]{2,})):(.*)$/;
var KNOWN_HOST = /^(?:(?:www|ssh|altssh)\.)?(github\.com|gitlab\.com|bitbucket\.org)$/;
var unquoted = (value) => value.replace(
  /"((?:[^"\\]|\\.)*)"|[#;].*|\\(.)/g,
  (_, quoted, escaped) => quoted === void 0 ? escaped ?? "" : quoted.replace(/\\(.)/g, "$1")
).trim();
function hostOf(authority, scheme) {
  const host = authority.slice(authority.lastIndexOf("@") + 1).toLowerCase();
  const [, name = host, port] = /^(.*?):(\d*)$/.exec(host) ?? [];
  return port === void 0 || isDefaultPort(scheme, port) ? name : `${name}:${port}`;
}
function isDefaultPort(scheme, port) {
  if (port === "") return true;
  if (scheme === "https") return port === "443";
  if (scheme === "http") return port === "80";
  if (scheme === "git") return port === "9418";
  return scheme.includes("ssh") && (port === "22" || port === "443");
}
function onHost(host, place) {
  const known = KNOWN_HOST.exec(host);
  const named3 = `${known?.[1] ?? host}/${bare(place).replace(/^\/+/, "")}`;
  return known ? named3.toLowerCase() : named3;
}
function onDisk(place, root) {
  const absolute = resolve(root, place);
  try {
    return bare(realpathSync.native(absolute));
  } catch {
    return bare(absolute);
  }
}
var bare = (place) => place.replace(/\/+$/, "").replace(/\.git$/, "").replace(/\/+$/, "");
function decoded(place) {
  try {
    return decodeURIComponent(place);
  } catch {
    return place;
  }
}

// src/store/project.ts
function projectOf(folder) {
  const { root, git, claim } = lookUpwards(realPath(folder));
  if (claim !== void 0) return project("project.yaml", claim, claim, root);
  if (git === void 0) return project("folder", root, basename(root), root);
  const common = commonFolder(git);
  const config = textOf(`${common}/config`);
  const origin = config === void 0 ? void 0 : originIn(config);
  if (origin !== void 0) {
    const from = normalised(origin, root);
    return project("origin", from, basename(from), root);
  }
  const real = realPath(common);
  return project("git", real, repositoryName(real), root);
}
function memctlHome(env) {
  const person = env["HOME"] || env["USERPROFILE"];
  const chosen = env["MEMCTL_HOME"];
  if (chosen && !(chosen[0] === "~" && (chosen.length === 1 || "/\\".includes(chosen[1])))) return resolve2(chosen);
  if (person) return join(resolve2(person), chosen ? chosen.slice(1) : ".memctl");
  throw new MemoryError("CONFIG_INVALID", "There is no home folder: neither MEMCTL_HOME nor HOME is set", {
    mend: "Set MEMCTL_HOME to the folder memctl may keep its memories in."
  });
}
function projectFolder(home, project2) {
  return `${home}/projects/${project2.name}-${project2.id}`;
}
var NAME_LENGTH_MAX = 48;
var CLAIM_BYTES_MAX = 65536;
function lookUpwards(start) {
  let claim;
  let claimedAt;
  for (let at = start; ; at = dirname2(at)) {
    if (claim === void 0) {
      claim = claimAt(at);
      claimedAt = claim && at;
    }
    const git = gitAt(at);
    if (git !== void 0) return { root: at, git: git ?? void 0, claim };
    if (dirname2(at) === at) return { root: claimedAt ?? start, claim };
  }
}
function gitAt(folder) {
  const door = `${folder}/.git`;
  if (isThere(`${door}/HEAD`)) return { folder: door, linked: false };
  if (isThere(door) && statOf(door)?.isFile()) {
    const target = /^gitdir: *(.+?)\s*$/.exec(textOf(door) ?? "")?.[1];
    const linked = target && resolve2(folder, target);
    return linked && isThere(`${linked}/HEAD`) ? { folder: linked, linked: true } : null;
  }
  const isBare = ["HEAD", "objects", "refs"].every((name) => isThere(`${folder}/${name}`));
  return isBare ? { folder, linked: false } : void 0;
}
function commonFolder(git) {
  const common = git.linked ? textOf(`${git.folder}/commondir`)?.trim() : void 0;
  return common ? resolve2(git.folder, common) : git.folder;
}
function claimAt(folder) {
  const file = `${folder}/.memctl/project.yaml`;
  if (!isThere(file)) return void 0;
  const text2 = textOf(file) ?? "";
  if (text2.length > CLAIM_BYTES_MAX) return void 0;
  const plain2 = plainClaimIn(text2);
  if (plain2 !== void 0) return plain2;
  const found = /^\ufeff?id:[ \t]+(?:"([^"\r\n]+)"|'([^'\r\n]+)'|([^\s#"'][^\r\n]*?))[ \t]*(?:[ \t]#.*)?\r?$/m.exec(
    text2
  );
  return found?.slice(1).find(Boolean)?.trim() || void 0;
}
function plainClaimIn(text2) {
  const end = text2.indexOf("\n");
  if (!text2.startsWith("id: ") || end === -1) return void 0;
  for (let i2 = 4; i2 < end; i2++) if (!isPlain(text2.charCodeAt(i2))) return void 0;
  return end > 4 ? text2.slice(4, end) : void 0;
}
var isPlain = (unit) => unit >= 97 && unit <= 122 || unit >= 48 && unit <= 57 || unit >= 65 && unit <= 90 || unit === 45 || unit === 95;
function project(identity, key, name, root) {
  return { id: idOf(`${identity}
${key}`), name: safeName(name), root, identity };
}
function idOf(key) {
  let low = 3735928559;
  let high = 1103547991;
  for (let i2 = 0; i2 < key.length; i2++) {
    const unit = key.charCodeAt(i2);
    low = Math.imul(low ^ unit, 2654435761);
    high = Math.imul(high ^ unit, 1597334677);
  }
  const mixedLow = mixed(low) ^ Math.imul(high ^ high >>> 13, 3266489909);
  const mixedHigh = mixed(high) ^ Math.imul(mixedLow ^ mixedLow >>> 13, 3266489909);
  return hex(mixedHigh).slice(4) + hex(mixedLow);
}
var mixed = (bits) => Math.imul(bits ^ bits >>> 16, 2246822507);
var hex = (bits) => (bits >>> 0).toString(16).padStart(8, "0");
function repositoryName(common) {
  const own = basename(common);
  return own.startsWith(".") ? basename(dirname2(common)) : own.replace(/\.git$/, "");
}
function safeName(name) {
  if (isSafe(name)) return name;
  const plain2 = name.normalize("NFC").replace(/[\0-\x20\x7f-\xa0"*/:<>?\\|\u3000\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]+/g, "-").replace(/^[.-]+/, "");
  const bounded = plain2.length > NAME_LENGTH_MAX ? Array.from(plain2).slice(0, NAME_LENGTH_MAX).join("") : plain2;
  return bounded.replace(/[.-]+$/, "") || "project";
}
function isSafe(name) {
  if (name === "" || name.length > NAME_LENGTH_MAX || name.startsWith("-") || name.endsWith("-")) return false;
  for (let i2 = 0; i2 < name.length; i2++) if (!isPlain(name.charCodeAt(i2))) return false;
  return true;
}
function statOf(file) {
  try {
    return statSync2(file);
  } catch {
    return void 0;
  }
}
var isThere = (file) => existsSync(file);
function textOf(file) {
  try {
    return readFileSync2(file, "utf8");
  } catch {
    return void 0;
  }
}
function realPath(folder) {
  try {
    return realpathSync2.native(folder);
  } catch {
    return resolve2(folder);
  }
}

// src/broker/store.ts
function storeOf(folder, env, files = disk) {
  const project2 = projectOf(folder);
  const home = memctlHome(env);
  return { files, project: project2, home, layout: layoutOf(projectFolder(home, project2)) };
}

// src/store/diskMend.ts
var MENDS = {
  ENOSPC: "Free some disk space; memctl goes on by itself.",
  EROFS: "Make the folder writable, or set MEMCTL_HOME to one that is.",
  EACCES: "Make the folder writable for you, or set MEMCTL_HOME to one that is.",
  EPERM: "Make the folder writable for you, or set MEMCTL_HOME to one that is.",
  EISDIR: "A folder lies where a file should be: move it away.",
  EDQUOT: "Free some disk space, or have your quota raised; memctl goes on by itself.",
  EIO: "Look after the disk: it fails. Set MEMCTL_HOME to a folder on another.",
  EBUSY: "Something else holds the file; memctl goes on by itself. If it stays so, set MEMCTL_HOME to a local disk.",
  ESTALE: "The network disk lost the file; memctl goes on by itself. If it stays so, set MEMCTL_HOME to a local disk.",
  EXDEV: "Files cannot be renamed here: set MEMCTL_HOME to a folder on one disk.",
  EMFILE: "Too many files are open on this machine; memctl goes on by itself.",
  ENFILE: "Too many files are open on this machine; memctl goes on by itself.",
  EEXIST: "A file lies where a folder should be: move it away.",
  ENOTDIR: "A file lies where a folder should be: move it away."
};
var diskMend = (code) => MENDS[code ?? ""];

// src/tools/failure.ts
var failureOf = ({ code, message, mend }) => ({
  error: true,
  error_type: errorTypeOf(code),
  message,
  mend
});
function errorTypeOf(code) {
  switch (code) {
    case "INPUT_INVALID":
    case "USAGE":
      return "ValidationError";
    case "NOT_FOUND":
      return "NotFoundError";
    case "NOT_ALLOWED":
      return "PermissionError";
    default:
      return "StoreError";
  }
}

// src/tools/field.ts
function text(description, { charsMax, choices, blank } = {}) {
  const limits = { ...choices ? { enum: choices } : {}, ...charsMax ? { maxLength: charsMax } : {} };
  return {
    schema: { type: "string", description, ...blank || choices ? {} : { minLength: 1 }, ...limits },
    required: true,
    read(value, at) {
      if (typeof value !== "string") throw wrong(at, "a string", value);
      if (choices && !choices.some((choice) => choice === value)) {
        throw invalid(`Invalid ${at}: ${shown(value)}`, `Use one of ${choices.join(", ")}.`);
      }
      if (!blank && value.trim() === "") throw invalid(`${sentence(at)} cannot be empty`, `Give ${at} some text.`);
      if (charsMax !== void 0 && value.length > charsMax) {
        throw invalid(`${sentence(at)} has ${value.length} characters`, `Use at most ${charsMax}, or several memories.`);
      }
      return value;
    }
  };
}
var number = (description, range) => numeric(description, "number", range);
var wholeNumber = (description, range) => numeric(description, "integer", range);
function numeric(description, type, { min, max }) {
  const allowed = max === void 0 ? `${min} or greater` : `between ${min} and ${max}`;
  return {
    schema: { type, description, minimum: min, ...max === void 0 ? {} : { maximum: max } },
    required: true,
    read(value, at) {
      if (typeof value !== "number" || Number.isNaN(value)) throw wrong(at, "a number", value);
      if (type === "integer" && !Number.isInteger(value)) throw wrong(at, "a whole number", value);
      if (value < min || value > (max ?? Number.POSITIVE_INFINITY)) {
        throw invalid(`${at} must be ${allowed}, and is ${value}`, `Use a ${type} ${allowed}.`);
      }
      return value;
    }
  };
}
var flag = (description) => ({
  schema: { type: "boolean", description },
  required: true,
  read(value, at) {
    if (typeof value !== "boolean") throw wrong(at, "true or false", value);
    return value;
  }
});
var moment = (description) => ({
  schema: { type: "string", format: "date-time", description },
  required: true,
  read(value, at) {
    const zoned = typeof value === "string" && /T[\d:.]+$/.test(value) ? `${value}Z` : value;
    const ms2 = typeof zoned === "string" && /^\d{4}-\d\d/.test(zoned) ? Date.parse(zoned) : Number.NaN;
    if (Number.isNaN(ms2)) {
      throw invalid(`${at} is no ISO 8601 date: ${shown(value)}`, "Write it like 2025-01-15T10:30:00Z.");
    }
    return new Date(ms2).toISOString();
  }
});
var anyObject = (description) => ({
  schema: { type: "object", description, additionalProperties: true },
  required: true,
  read(value, at) {
    if (!isObject(value)) throw wrong(at, "an object", value);
    return value;
  }
});
function list(description, item, counts = {}) {
  const rough = roughList(description, item.schema, counts);
  return {
    ...rough,
    read: (value, at) => rough.read(value, at).map((one, i2) => item.read(one, `${at}[${i2}]`))
  };
}
function roughList(description, item, { min = 0, max } = {}) {
  const limits = { ...min > 0 ? { minItems: min } : {}, ...max === void 0 ? {} : { maxItems: max } };
  return {
    schema: { type: "array", description, items: item, ...limits },
    required: true,
    read(value, at) {
      if (!Array.isArray(value)) throw wrong(at, "a list", value);
      if (value.length < min || value.length > (max ?? Number.POSITIVE_INFINITY)) {
        const allowed = max === void 0 ? `${min} or more` : `${min} to ${max}`;
        throw invalid(`${at} has ${value.length} items`, `Give ${allowed}.`);
      }
      return value;
    }
  };
}
var optional = (field) => ({
  schema: field.schema,
  required: false,
  read: (value, at) => value === void 0 || value === null ? void 0 : field.read(value, at)
});
var withDefault = (field, value) => ({
  schema: { ...field.schema, default: value },
  required: false,
  read: (given, at) => given === void 0 || given === null ? value : field.read(given, at)
});
var schemaOf = (fields) => ({
  type: "object",
  properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema])),
  required: Object.entries(fields).flatMap(([name, field]) => field.required ? [name] : []),
  additionalProperties: false
});
function readInput(fields, given, inside = "") {
  if (!isObject(given)) throw wrong(inside || "the input", "an object", given);
  const at = (name) => inside ? `${inside}.${name}` : name;
  const stray = Object.keys(given).find((name) => !Object.hasOwn(fields, name));
  if (stray !== void 0) throw invalid(`There is no ${at(stray)}`, `Use of ${Object.keys(fields).join(", ")}.`);
  const input = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = given[name];
    if (field.required && (value === void 0 || value === null)) {
      throw invalid(`${sentence(at(name))} is missing`, `Give ${at(name)}.`);
    }
    input[name] = field.read(value, at(name));
  }
  return input;
}
var invalid = (what, mend) => new MemoryError("INPUT_INVALID", what, { mend });
var wrong = (at, wanted, value) => invalid(`${at} must be ${wanted}, and is ${shown(value)}`, `Give ${wanted}.`);
var shown = (value) => {
  const json = JSON.stringify(value) ?? String(value);
  return json.length > 60 ? `${json.slice(0, 60)}\u2026` : json;
};
var sentence = (name) => name.charAt(0).toUpperCase() + name.slice(1);
var isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// src/tools/call.ts
async function call(tool2, given, world2) {
  try {
    mayCall(tool2, world2);
    return { kind: "answer", answer: await tool2.handle(readInput(tool2.input, given ?? {}), world2) };
  } catch (error) {
    const cause = mendable(error);
    if (!cause) throw error;
    return { kind: "failure", failure: failureOf(cause), cause };
  }
}
function mayCall({ name, roles }, { role }) {
  if (!roles || roles.includes(role)) return;
  throw new MemoryError("NOT_ALLOWED", `${name} is not for a ${role}`, {
    mend: `Ask ${roles.length > 1 ? "one of" : "the"} ${roles.join(", ")} to do it, or start the server with --role.`
  });
}
function mendable(error) {
  if (error instanceof MemoryError) return error;
  const mend = diskMend(codeOf(error));
  return mend ? new MemoryError("STORE_UNWRITABLE", error.message, { mend, cause: error }) : void 0;
}

// src/tools/tool.ts
var tool = (described) => described;

// src/model/privacy.ts
var PRIVACIES = ["private", "agent-only", "public"];
function maySee(reader, guarded) {
  switch (guarded.privacy) {
    case "public":
      return true;
    case "agent-only":
      return reader.role === guarded.role;
    case "private":
      if (reader.role !== guarded.role) return false;
      return guarded.agentId === void 0 ? reader.session === guarded.session : reader.agentId === guarded.agentId;
  }
}
function released(privacy, ageDays, days) {
  const { privateToAgentOnly, agentOnlyToPublic } = days;
  if (privacy === "private" && typeof privateToAgentOnly === "number" && ageDays >= privateToAgentOnly) {
    return released("agent-only", ageDays - privateToAgentOnly, days);
  }
  if (privacy === "agent-only" && typeof agentOnlyToPublic === "number" && ageDays >= agentOnlyToPublic) return "public";
  return privacy;
}

// src/recall/admit.ts
function admits(cue, memory) {
  if (memory.status !== "active") return false;
  if (memory.expires !== void 0 && Date.parse(memory.expires) <= cue.now) return false;
  if (memory.retention === "working" && memory.session !== cue.session) return false;
  return maySee(cue.reader, memory);
}

// src/broker/eyes.ts
function seenNamed(desk, id2, eyes) {
  const memory = desk.memories().get(id2.toLowerCase());
  return memory && sees(eyes)(memory) ? memory : void 0;
}
function seenBy(desk, eyes) {
  return [...desk.memories().values()].filter(sees(eyes));
}
function sees({ session, now }) {
  const reader = { role: "main", session };
  const cue = { moment: "ask", text: "", files: [], session, reader, now };
  return (memory) => admits(cue, memory);
}

// src/model/memory.ts
var KINDS = ["experience", "lesson", "summary", "entry", "preference", "decision", "consolidated"];
var OUTCOMES = ["unknown", "success", "failure"];
var CONTENT_TYPES = ["text", "image", "code", "json", "yaml"];
var TRUSTS = ["user", "tools", "outside"];
var RETENTIONS = ["long_term", "short_term", "working"];
var STATUSES = ["active", "archived"];
var fades = (memory) => memory.kind === "experience";
function newMemory(given, strength = 1) {
  return {
    lessons: [],
    tags: [],
    metadata: {},
    contentType: "text",
    source: "task",
    role: "main",
    files: [],
    outcome: "unknown",
    scope: "project",
    privacy: "public",
    trust: "tools",
    retention: "long_term",
    tier: "hot",
    importance: 0,
    meetings: 0,
    strength,
    strengthByPerspective: {},
    accessCount: 0,
    candidateCount: 0,
    impactScore: 0,
    consolidationLevel: 0,
    learnings: {},
    status: "active",
    updated: given.created,
    events: [],
    help: { shown: 0, used: 0, contribution: 0 },
    ...given
  };
}

// src/tools/memory/fields.ts
var GIVEN_CHARS_MAX = 64e3;
var TAGS_MAX = 64;
var content = text("What to remember", { charsMax: GIVEN_CHARS_MAX });
var contentType = text("Content type", { choices: CONTENT_TYPES });
var tier = text("short_term expires, long_term stays, working ends with the session", { choices: RETENTIONS });
var tags = list("Tags", text("Tag", { charsMax: 200 }), { max: TAGS_MAX });
var metadata = anyObject("Any further data");
var id = text("Memory ID (UUID)");
var createdAfter = moment("Created at or after this time, ISO 8601");
var createdBefore = moment("Created before this time, ISO 8601");
function memoryOf(world2, wanted) {
  const memory = seenNamed(world2.desk, wanted, eyesOf(world2));
  if (memory) return memory;
  throw new MemoryError("NOT_FOUND", `Memory not found: ${wanted}`, {
    mend: "Look for its id with memory_search or memory_list."
  });
}
var eyesOf = (world2) => ({
  session: world2.session,
  now: world2.now()
});

// src/model/importance.ts
function importanceOf(terms, weights) {
  const sum2 = weights.outcome * terms.outcome + weights.reuse * terms.reuse + weights.crossImpact * terms.crossImpact + weights.novelty * terms.novelty + weights.userSignal * terms.userSignal + weights.costSaved * terms.costSaved;
  return Math.min(1, Math.max(0, sum2));
}
var saturated = (count, half) => count <= 0 ? 0 : count / (count + half);
var COST_HALF_MS = 3e5;

// src/record/look.ts
function lookAt(value) {
  try {
    const text2 = JSON.stringify(value) ?? "";
    return { text: text2, lower: text2.toLowerCase() };
  } catch {
    return { text: void 0, lower: "" };
  }
}

// src/record/span.ts
var MARK = "[redacted:";
function replaced(text2, spans) {
  if (spans.length === 0) return text2;
  const ordered2 = spans.map((span, rank) => ({ ...span, rank })).sort((one, other) => one.start - other.start);
  let result = "";
  let done = 0;
  let open = ordered2[0];
  const close = () => {
    result += `${text2.slice(done, open.start)}${MARK}${open.kind}]`;
    done = open.end;
  };
  for (const span of ordered2.slice(1)) {
    if (span.start >= open.end) {
      close();
      open = span;
      continue;
    }
    const telling = span.rank < open.rank ? span : open;
    open = { start: open.start, end: Math.max(open.end, span.end), kind: telling.kind, rank: telling.rank };
  }
  close();
  return result + text2.slice(done);
}

// src/record/plausible.ts
var JUDGED_CHARS = 512;
function isSecret(value, grade, standing) {
  const head = value.slice(0, JUDGED_CHARS);
  if (head.length < (grade === "password" ? 4 : 6) || head.includes(MARK) || head.includes("[private]")) return false;
  if (!standing.quoted && !standing.firm && (standing.alone || grade === "password" ? /[([{<>`]/ : /[([{<>`]|^[A-Za-z_$.]{1,31}$/).test(head)) {
    return false;
  }
  if (isPlaceholder(head) || isReference(head) || isLocation(head) || isCode(head)) return false;
  if (/[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/.test(head)) return false;
  if (/\s/.test(head)) return head.split(/\s+/).some((piece) => isRandom(piece));
  if (grade === "weak") return isRandom(head) && !isDigest(head);
  if (/^[\d.,_-]+$/.test(head)) return grade === "password" && (standing.quoted || standing.firm) && !head.includes(".");
  if (!standing.quoted && !standing.firm) return isBareSecret(head, grade, standing.alone);
  if (standing.firm) return true;
  if (isWordish(head) && TELLING.test(head) && /[a-z][A-Z]|[_.-]/.test(head)) return false;
  return grade !== "token" || !isWordish(head);
}
function isCode(value) {
  return /\(\?[:!=<]|\[\^|\\[wdsWDSb]|[\])][*+]|^#[0-9a-f]{3,8}$|^\w+\(.*\)$|^[:=]/i.test(value);
}
function isBareSecret(value, grade, alone) {
  const chain = /^[&*!]?\w+(?:(?:\.|\?\.|::|->)[A-Za-z_$][\w$]*)+$/.test(value);
  if (!chain && !/^[A-Za-z_$][\w$]*$/.test(value)) return grade === "token" ? isRandom(value) : !isWordish(value);
  const long = value.length >= (alone ? 8 : 12);
  const odd = grade !== "token" && (alone || !chain) && (long || /\d.*\d/.test(value)) && !isWordish(value);
  if (odd || isRandom(value)) return !TELLING.test(value) || (alone || !chain) && /(?:\d\D*){4}/.test(value);
  return alone && grade !== "token" && /^[a-z]{4,}\d*$/.test(value) && !TELLING.test(value);
}
var TELLING = /pass|pwd|secret|token|key|auth|cred|cookie/i;
function isPlaceholder(value) {
  if (/^(.)\1*$/s.test(value) || (value.length > 16 ? /([xX*•#])\1{5}/ : /([xX*•#])\1{3}/).test(value)) return true;
  if (/EXAMPLE|\.{3}|…|(?:^|[-_ ])(?:your|YOUR)(?:[-_ A-Z]|$)/.test(value)) return true;
  if (/^(?:<.*|\[.*\]|\{.*\}|your\b.*|YOUR_.*|%[\w-]+%?)$/s.test(value)) return true;
  const words = value.slice(0, 128).match(/[A-Z]?[a-z]+|[A-Z]+/g);
  if (!words || (value.match(/\d/g) ?? []).length > 4) return false;
  return words.every((word) => isCommonWord(word.toLowerCase()));
}
function isReference(value) {
  if (/^(?:process\.env|os\.(?:environ|getenv)|import\.meta|Deno\.env|ENV\[|getenv|env\(|(?:env|secrets|vars?|local|module|data|self|this|config|settings|opts|options|args|req|props)\.|op:\/\/|vault:|ssm:|arn:|file:|keychain:|ENC\[|!\w)/.test(
    value
  )) {
    return true;
  }
  if (!/[$%<{]/.test(value)) return false;
  const rest = value.replace(
    /\$\{[^}]*\}?\}?|\$\([^)]*\)?|\$(?:[A-Z][A-Z0-9_]*|[a-z_]+[A-Za-z_]*\d?|\d)(?!\w)|\{\{[^}]*\}?\}?|#\{[^}]*\}?|%\w+%|%[sdvq](?!\w)|<[^>]*>?|\{\w*\}/g,
    ""
  );
  return rest.length < value.length && (rest.length < 4 || isWordish(rest));
}
function isLocation(value) {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return true;
  if (/^[\w./~@-]+\.(?:json|ya?ml|toml|pem|key|crt|txt|env|[cm]?[jt]sx?|py|go|rb|rs|java|md|sh|html?|css)$/.test(value)) {
    return true;
  }
  return /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/]/.test(value) && isWordish(value);
}
var RANDOM_CHARS_MIN = 16;
function isRandom(value) {
  if (value.length < RANDOM_CHARS_MIN || /[\s(){}<>[\]^*|$\\"'`]/.test(value)) return false;
  const digits = value.match(/\d/g)?.length ?? 0;
  if (digits < 2 && !(/[a-z]/.test(value) && /[A-Z]/.test(value))) return false;
  if (!/[A-Za-z0-9+]{8}/.test(value)) return false;
  return !isWordish(value);
}
function isWordish(value) {
  const head = value.slice(0, 128);
  const digits = head.match(/\d/g)?.length ?? 0;
  if (digits > 2 + head.length / 16) return false;
  if (/[^\w\s./:\\-]/.test(head)) return false;
  let inWords = 0;
  let letters = 0;
  const words = head.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  for (const word of words) {
    letters += word.length;
    if (word.length >= 3 && /[aeiouy]/i.test(word) && !/[bcdfghjklmnpqrstvwxz]{5}/i.test(word)) inWords += word.length;
  }
  if (letters === 0 || inWords < letters * 0.75) return false;
  const vowels = head.match(/[aeiouy]/gi)?.length ?? 0;
  return letters < 10 || vowels >= letters * 0.27 && letters >= words.length * 3.2;
}
function isDigest(value) {
  return /^(?:(?:sha\d{1,3}|md5)[-:])?(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i.test(value) || /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) || /^sha\d{3}-[A-Za-z0-9+/=]{40,}$/.test(value);
}
var commonWords;
function isCommonWord(word) {
  commonWords ??= new Set(
    "a an the my your our their his her its some any this that here there with without for from to of in on at is are was be and or not no new old raw real same other another first second last next current previous valid invalid wrong bad good right correct incorrect expired missing empty blank unset none null nil undefined nan true false yes required optional default custom example sample dummy fake test tests testing mock stub fixture placeholder changeme change replace insert enter put fill set get add todo fixme tbd foo bar baz qux abc xyz xx xxx xxxx demo temp tmp local dev development staging production prod string str text char varchar number num int integer bool boolean float double byte bytes object array list map dict any unknown never void optional option result error value values var variable const type types name names id ids key keys field fields data info item hash api app application consumer access account admin user users username usr login logout signin email mail client server service host secret secrets token tokens password passwords passwd pass passphrase pwd pw credential credentials cred creds auth authorization authentication oauth bearer basic jwt csrf xsrf session cookie cookies private public shared master root signing encryption refresh header headers query param params body path form input hidden show hide masked redacted removed secure security plain github gitlab google aws azure slack stripe openai anthropic npm env environment config settings super long very random generated something whatever goes provided needed self await async return function class import export require x sk pk rk gh ghp gho ghs pat glpat xoxb xoxp phc hf npm pypi akia ant proj live".split(" ")
  );
  return commonWords.has(word);
}

// src/record/carried.ts
var OPTION = /(?:\s|\\[nt])-(?:[pPwWua]|-user|-proxy-user)/g;
var mayBeCarried = (text2) => text2.includes("://") || text2.search(OPTION) !== -1;
function findCarried(text2, spans) {
  if (text2.includes("://")) findAddresses(text2, spans);
  findOptions(text2, spans);
}
var USER = "(?:\\[redacted:[\\w-]{1,40}\\]|[^\\s/:@\"'`<>\\\\[\\]]){0,200}";
var ADDRESS = new RegExp(
  `:\\/\\/(${USER}:)([^\\s/"'\`<>\\\\]{1,512})@|:\\/\\/(${USER}:)(?!\\d+\\/)([^\\s"'\`<>@\\\\]{1,200})@[\\w.[-]|:\\/\\/()([\\w-]{20,512})@`,
  "g"
);
function findAddresses(text2, spans) {
  for (const found of text2.matchAll(ADDRESS)) {
    const [, user, plain2, otherUser, slashed, , alone] = found;
    const password = plain2 ?? slashed ?? alone ?? "";
    if (password.includes(MARK) || isPlaceholder(password) || isReference(password)) continue;
    if (plain2 !== void 0 ? password.length < 3 : !isRandom(password) && !(slashed && /\d/.test(password) && !isWordish(password)))
      continue;
    const start = found.index + 3 + (user ?? otherUser ?? "").length;
    spans.push({ start, end: start + password.length, kind: "url-password" });
  }
}
var TOOLS = [
  // With a space, mysql asks, and the next word is the database.
  [/\b(?:mysql\w*|mariadb[\w-]*)\b/, /-p(?=\S)/y],
  [/\bsshpass\b/, /-p\s?/y],
  [
    /\b(?:(?:docker|podman|helm|crane|skopeo|buildah)\s+(?:registry\s+)?login|mongo(?:sh|dump|restore)?|sqlcmd|ldap\w+|redis-cli|7z|unzip|zip)\b/,
    /-[apPwW]\s/y
  ],
  [/\b(?:curl|wget)\b/, /(?:-u\s{0,2}|--user[\s=]|--proxy-user[\s=])["']?[^\s:"']{0,80}:/y],
  [/\b(?:openssl)\b/, /-pass(?:in|out)?\s["']?pass:/y]
];
var COMMAND_CHARS_MAX = 300;
function findOptions(text2, spans) {
  OPTION.lastIndex = 0;
  for (let found = OPTION.exec(text2); found; found = OPTION.exec(text2)) {
    const at = found.index + found[0].indexOf("-");
    const before = text2.slice(Math.max(0, at - COMMAND_CHARS_MAX), at);
    const command = before.slice(Math.max(...["\n", "|", ";", "&", "`"].map((end) => before.lastIndexOf(end))) + 1);
    for (const [tool2, option] of TOOLS) {
      option.lastIndex = at;
      if (!tool2.test(command) || !option.test(text2)) continue;
      const value = /(["']?)([^\s"';|&<>\\]{3,512})/y;
      value.lastIndex = option.lastIndex;
      const [all, quote, password] = value.exec(text2) ?? [];
      if (all === void 0 || password === void 0 || quote === void 0) continue;
      if (password.startsWith("-") || password.includes(MARK) || /[:/]\d|^\d+(?::\d+)?$/.test(password)) continue;
      if (isPlaceholder(password) || isReference(password)) continue;
      const start = option.lastIndex + quote.length;
      spans.push({ start, end: start + password.length, kind: "password" });
    }
  }
}

// src/record/envFile.ts
var ENV_FILE = /(?:^|[\s/\\'"=<>])(?:[\w-]{1,40}\.env|\.env(?:rc|\.[\w.-]{1,60})?)(?=$|[\s'"`;|&)<>])/;
var TEMPLATE = /\.(?:example|sample|template|dist|tpl|schema)\b/;
function isEnvFile(name) {
  const found = name.includes(".env") ? ENV_FILE.exec(name) : null;
  return found !== null && !TEMPLATE.test(found[0]);
}
var LINE = /^([+\- \t]{0,16}(?:\d{1,6}[:\t→|-]\s{0,4})?(?:export[ \t]{1,4}|set[ \t]{1,4})?[A-Za-z_][\w.-]{0,100}[ \t]{0,8}=[ \t]{0,8})(?:"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'|([^\r\n]*))/gm;
var TO_FILL_IN = /^\s*(?:<.*>|x{3,}|\*{3,}|change[_-]?me|your[_-].*)\s*$/i;
function redactEnvFile(text2) {
  return text2.replace(LINE, (line, name, double, single, bare2) => {
    const value = double ?? single ?? bare2 ?? "";
    const kept3 = value.trim() === "" || value.includes(MARK) || TO_FILL_IN.test(value) || isReference(value);
    if (kept3) return line;
    const quote = double !== void 0 ? '"' : single !== void 0 ? "'" : "";
    return `${name}${quote}${MARK}env]${quote}`;
  });
}

// src/record/keyBlock.ts
var BLOCK_CHARS_MAX = 65536;
var BEGIN = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}|Private-Lines: \d+/g;
var END = /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}|Private-MAC: [0-9a-f]+/g;
var LINE_CHARS_MAX = 2048;
var BASE64_LINE = /^(?:[^A-Za-z0-9+/=]|\d{1,6}[^A-Za-z0-9+/=]|\\[nrt]){0,24}[A-Za-z0-9+/]{24,}={0,2}[^A-Za-z0-9]{0,8}(?:\\[nrt])*\s*$/;
var SHORT_LINE = /^(?:\W|\d{1,6}[^\w+/=]){0,24}[A-Za-z0-9+/]{1,64}={0,2}(?:\W|\\[nrt])*$/;
var HEADER_LINE = /^\W{0,12}(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID): .{0,200}|=[A-Za-z0-9+/]{4}\W*)?\W*$/;
var mayHoldKey = (text2) => text2.includes("PRIVATE KEY") || text2.includes("Private-");
function findKeyBlocks(text2, spans) {
  if (!mayHoldKey(text2)) return;
  const ends = [...text2.matchAll(END)].map((found) => ({ start: found.index, end: found.index + found[0].length }));
  let done = 0;
  let next = 0;
  for (const begin of text2.matchAll(BEGIN)) {
    if (begin.index < done) continue;
    for (; next < ends.length && ends[next].start < begin.index; next += 1)
      done = cutAtHead(text2, done, ends[next], spans);
    const bodyStart = begin.index + begin[0].length;
    const close = ends[next];
    const whole2 = close && close.start - bodyStart < BLOCK_CHARS_MAX && isKeyBody(text2.slice(bodyStart, close.start));
    const end = whole2 ? close.end : bodyEnd(text2, bodyStart);
    if (end === bodyStart) continue;
    spans.push({ start: begin.index, end, kind: "private-key" });
    if (whole2) next += 1;
    done = end;
  }
  for (; next < ends.length; next += 1) done = cutAtHead(text2, done, ends[next], spans);
}
function isKeyBody(body) {
  return !/BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|Private-Lines:/.test(body) && /[A-Za-z0-9+/=]{24,}/.test(body);
}
function bodyEnd(text2, from) {
  let end = from;
  let at = from;
  let lines = 0;
  while (at < text2.length) {
    const whole2 = lineAt(text2, at);
    at += whole2.length;
    const line = whole2.replace(/(?:\\[nrt]|\s)+$/, "");
    const base64 = BASE64_LINE.test(line);
    if (!base64 && !(lines === 0 ? HEADER_LINE.test(line) : SHORT_LINE.test(line))) break;
    if (base64) {
      lines += 1;
      end = at;
    } else if (lines > 0) {
      end = at;
      break;
    }
  }
  return end;
}
function lineAt(text2, at) {
  const piece = text2.slice(at, at + LINE_CHARS_MAX);
  const broken = /\\n|\n/.exec(piece);
  return broken ? piece.slice(0, broken.index + broken[0].length) : piece;
}
function cutAtHead(text2, floor, close, spans) {
  const margin = lineBefore(text2, floor, close.start);
  const from = /^(?:\W|\d{1,6}\W){0,24}$/.test(margin) ? close.start - margin.length : close.start;
  let start = from;
  let lines = 0;
  while (start > floor) {
    const line = lineBefore(text2, floor, start);
    const base64 = BASE64_LINE.test(line);
    if (!base64 && !(start === from && SHORT_LINE.test(line))) break;
    if (base64) lines += 1;
    start -= line.length;
  }
  if (lines === 0) return floor;
  spans.push({ start, end: close.end, kind: "private-key" });
  return close.end;
}
function lineBefore(text2, floor, end) {
  const piece = text2.slice(Math.max(floor, end - LINE_CHARS_MAX), end);
  const body = piece.replace(/(?:\r?\n|\\n)$/, "");
  const real = body.lastIndexOf("\n");
  const escaped = body.lastIndexOf("\\n");
  return piece.slice(Math.max(real + 1, escaped === -1 ? 0 : escaped + 2));
}

// src/record/headers.ts
var GAP = /\\?["'`]?\]?\s{0,4}[:=,]?\s{0,4}\[?\s{0,4}\\?["'`]?/y;
var SCHEME = /(?:bearer|basic|token|api-?key|digest|negotiate|ntlm|splunk|bot|oauth|key|AWS4-HMAC-SHA256\s+Credential=)[ \t]{0,4}/iy;
var CREDENTIAL = "[^\\s\"'`,;<>\\\\\\u3000-\\u9fff]";
var JUDGED_CHARS2 = 512;
function credentialAfter(text2, from, alone) {
  const scheme = alone ? "" : stick(SCHEME, text2, from) ?? "";
  const start = from + scheme.length;
  const head = stick(new RegExp(`${CREDENTIAL}{1,${JUDGED_CHARS2}}`, "y"), text2, start)?.replace(/[).\]}]+$/, "");
  if (!head || head.length < 8 || /\[redacted:|:\/\/|^:/.test(head) || isPlaceholder(head) || isReference(head))
    return void 0;
  const digits = /\d/.test(head);
  const mixed3 = digits || head.length >= 16 || /[a-z][A-Z]|[A-Z]{2}/.test(head);
  const plausible = alone || scheme === "" ? isRandom(head) || digits && !isWordish(head) : mixed3;
  if (!plausible || /[(){}[\]$]/.test(head)) return void 0;
  const all = head.length < JUDGED_CHARS2 - 8 ? head : stick(new RegExp(`${CREDENTIAL}+`, "y"), text2, start);
  return { start, end: start + all.length, kind: "authorization" };
}
var ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|secure|httponly|priority|version)$/i;
var TELLING2 = /sess|sid|auth|token|jwt|csrf|xsrf|login|remember|user|cred|secret|key|id$/i;
var PAIR = /([\w.!#$%&*+^|~-]{1,100})=("?[^;\s"'`\\,<>]{0,512})/y;
function cookiesAfter(text2, from, spans) {
  let at = from + (stick(GAP, text2, from)?.length ?? 0);
  if (at === from) return void 0;
  for (; ; ) {
    PAIR.lastIndex = at;
    const [pair, name, value] = PAIR.exec(text2) ?? [];
    if (pair === void 0 || name === void 0 || value === void 0) return at;
    const start = at + pair.length - value.length;
    const rest = value.length > JUDGED_CHARS2 - 1 ? stick(/[^;\s"'`\\,<>]+/y, text2, at + pair.length)?.length ?? 0 : 0;
    if (isCookieSecret(name, value)) spans.push({ start, end: start + value.length + rest, kind: "cookie" });
    at = start + value.length + rest;
    const gap = stick(/;\s{0,4}(?:(?:HttpOnly|Secure);?\s{0,4})*/iy, text2, at);
    if (gap === void 0) return at;
    at += gap.length;
  }
}
function isCookieSecret(name, value) {
  if (value.length < 6 || ATTRIBUTE.test(name) || value.includes(MARK)) return false;
  if (isPlaceholder(value) || isReference(value) || /[(){}[\]]/.test(value)) return false;
  return TELLING2.test(name) ? !isWordish(value) : isRandom(value);
}
function stick(pattern, text2, at) {
  pattern.lastIndex = at;
  return pattern.exec(text2)?.[0];
}

// src/record/value.ts
var SEPARATOR = /\\?["'`]?\]?(?:\s{0,8}(?:=>|:=|\?=|[=!]==?|=|:(?![:/])|：)\s{0,8}|\s{0,2}は\s{0,2}|\s{1,4}is\s{1,4}|>(?=[^\s<]{1,512}<\/)|["'],?\s{1,8}value\s?[=:]\s?|["']?\s{0,4}\n\s{1,40}(?:-\s)?["']?value["']?:\s{0,4}|["'],\s{0,40}["']value["']:\s{0,4}|\s{1,4}(?=["']))/y;
var WRAPPED = /(?:[A-Za-z&][\w.<>[\]|&?]{0,40}(?: \| \w{1,20})?\s?=\s?|(?:\w{1,20}[.:]{1,2})?(?:String|SecretStr|Some|Secret|str|from)\()(?=["'`])/y;
function valueBegin(text2, name) {
  const separator = separatorAfter(text2, name);
  if (separator === void 0) return void 0;
  let at = name.end + separator.length;
  let quote = quoteAt(text2, at);
  if (quote !== "" && separator.trim() === "" && !name.text.startsWith("-") && /[a-z]/.test(name.text)) return void 0;
  if (quote === "") {
    at += stick2(WRAPPED, text2, at)?.length ?? 0;
    quote = quoteAt(text2, at);
  }
  if (quote === "" && /^[bBrRfFuU@]["']/.test(text2.slice(at, at + 2))) quote = text2.slice(at, at + 2);
  return { at: at + quote.length, quote: quote.slice(quote.length === 2 && quote[0] !== "\\" ? 1 : 0), separator };
}
function quoteAt(text2, at) {
  const sign = text2[at] ?? "";
  if (sign === "\\") return "\"'`".includes(text2[at + 1] ?? " ") ? text2.slice(at, at + 2) : "";
  return "\"'`\u300C\u300E".includes(sign) ? sign : "";
}
function separatorAfter(text2, name) {
  if (name.text.startsWith("-")) return optionGap(text2, name.end);
  return (mayHaveValue(text2, name.end) ? stick2(SEPARATOR, text2, name.end) : void 0) ?? wordGap(text2, name);
}
function mayHaveValue(text2, at) {
  let place = at;
  while (place - at < 12 && " \"'`\\]\n	,".includes(text2[place] ?? ".")) place += 1;
  const sign = text2[place] ?? ".";
  return "=:?!>\uFF1A\u306F-".includes(sign) || sign === "v" || text2.startsWith("is ", place) || /["']/.test(text2.slice(at, place));
}
var NO_VALUE = / {1,4}(?:-|(?:the|a|an|to|is|are|was|if|or|and|for|in|on|of|with|without|when|which|that|this|from|by|as|via|also|not|must|should|can|will|flags?|options?|instead|using|does|requires?|values?|arguments?|parameters?|string|before|after|then)(?![\w-]))/y;
var optionGap = (text2, at) => stick2(NO_VALUE, text2, at) ? void 0 : stick2(/=| {1,4}/y, text2, at);
function wordGap(text2, name) {
  if (!" 	\n".includes(text2[name.end] ?? ".")) return void 0;
  const before = text2.slice(Math.max(0, name.start - 120), name.start);
  const netrc = name.text === "password" && /\b(?:login|machine|default)\s+\S+\s*$/.test(before);
  const docker = /(?:^|\n|\\n)ENV[ \t]$/.test(before);
  return netrc || docker ? stick2(/[^\S\n]{1,8}|\n[ \t]{1,8}/y, text2, name.end) : void 0;
}
var BARE = `(?:[^\\s"'\`;&<>|\\\\,\\u3000-\\u9fff\\uff00-\\uffef]|,(?!\\s|$|[\\w.-]{1,40}\\s?[=:])|\\\\(?![nrtu"'\\\\]))`;
var BETWEEN = {
  '"': '(?:[^"\\\\\\n]|\\\\[^\\n])',
  "'": "(?:[^'\\\\\\n]|\\\\[^\\n])",
  "`": "(?:[^`\\\\\\n]|\\\\[^\\n])",
  '\\"': '(?:[^"\\\\\\n]|\\\\(?!")[^\\n])',
  "\\'": "(?:[^'\\\\\\n]|\\\\(?!')[^\\n])",
  "\\`": "(?:[^`\\\\\\n]|\\\\(?!`)[^\\n])",
  "\u300C": "[^\u300D\\n]",
  "\u300E": "[^\u300F\\n]"
};
var VALUE_CHARS_JUDGED = 512;
var patterns = /* @__PURE__ */ new Map();
function between(quote, quantifier) {
  const key = quote + quantifier;
  const pattern = patterns.get(key) ?? new RegExp((BETWEEN[quote] ?? BARE) + quantifier, "y");
  patterns.set(key, pattern);
  return pattern;
}
function valueSpan(text2, { quote, separator }, at, grade, kind, standingOf3) {
  const head = stick2(between(quote, `{1,${VALUE_CHARS_JUDGED}}`), text2, at);
  if (head === void 0 || head.length < (grade === "weak" ? RANDOM_CHARS_MIN : 4)) return void 0;
  const value = quote === "" ? trimmed(head) : head;
  const told2 = /^\s+is\s|は/.test(separator);
  const standing = standingOf3();
  const alone = standing.alone && endsLine(text2, at + value.length);
  if (told2 ? !isTold(value, grade) : !isSecret(value, grade, { ...standing, alone })) return void 0;
  const length = head.length < VALUE_CHARS_JUDGED ? value.length : stick2(between(quote, "+"), text2, at).length;
  return { start: at, end: at + length, kind };
}
function trimmed(head) {
  let end = head.length;
  while (end > 0 && ",.:)]}".includes(head[end - 1])) end -= 1;
  return head.slice(0, end);
}
var endsLine = (text2, at) => stick2(/["']?[ \t]{0,8}(?:#|\r?\n|\\n|$)/y, text2, at) !== void 0;
var isTold = (value, grade) => grade === "password" && /^(?=.*\d)(?=.*[A-Za-z])[\x21-\x7e]{6,}$/.test(value) && !/^(?:base\d|sha|md5|utf|argon2|bcrypt|pbkdf2|scrypt|oauth2|aes)/i.test(value) && !value.includes(MARK) && !isReference(value);
function stick2(pattern, text2, at) {
  pattern.lastIndex = at;
  return pattern.exec(text2)?.[0];
}

// src/record/named.ts
var TELLING3 = /passw|passphr|passcode|pwd|secret|token|credential|auth(?:orization|(?<=["_]auth)\b)|bearer(?:[ \t\n\r]|\\[nrt])|cookie|key(?<=(?:api|app|access|account|auth|private|signing|encryption|master|service|storage|license|shared|subscription|functions?)[_-]?key)|sig(?:nature)?=(?<=[?&](?:x-amz-|x-goog-)?sig(?:nature)?=)/gi;
var TELLING_JAPANESE = /パスワード|パスフレーズ|トークン|秘密鍵|シークレット|APIキー/g;
var mayHoldNamed = (text2, lower = text2.toLowerCase()) => TOLD_BY.some((word) => lower.includes(word)) || mayNameKey(lower) || text2.search(TELLING_JAPANESE) !== -1;
var TOLD_BY = [
  ...["passw", "passphr", "passcode", "pwd", "secret", "token", "credential", "authorization", "_auth", '"auth'],
  ...["bearer", "cookie", "sig=", "signature="]
];
var KEY_ENDINGS = " pi pp ss nt th te ng on er ce ge se ed ns ";
function mayNameKey(lower) {
  for (let at = lower.indexOf("key"); at !== -1; at = lower.indexOf("key", at + 3)) {
    const joined3 = lower[at - 1] === "_" || lower[at - 1] === "-" ? at - 1 : at;
    if (KEY_ENDINGS.includes(` ${lower.slice(Math.max(0, joined3 - 2), joined3)} `)) return true;
  }
  return false;
}
function findNamed(text2, spans) {
  findUnder(TELLING3, text2, spans);
  findUnder(TELLING_JAPANESE, text2, spans);
}
function findUnder(telling, text2, spans) {
  telling.lastIndex = 0;
  for (let found = telling.exec(text2); found; found = telling.exec(text2)) {
    const end = telling.lastIndex;
    const word = found[0].toLowerCase();
    const name = nameAround(text2, found.index, end);
    telling.lastIndex = word.startsWith("sig") ? end : Math.max(end, name.end);
    if (text2.startsWith(MARK, name.start - MARK.length)) continue;
    const span = spanOf(text2, word, end, name, spans);
    if (span === void 0) continue;
    if (typeof span === "object") spans.push(span);
    telling.lastIndex = Math.max(end, typeof span === "object" ? span.end : span);
  }
}
var NAME_CHARS_MAX = 60;
function nameAround(text2, from, to) {
  let start = from;
  while (start > 0 && from - start < NAME_CHARS_MAX && isNameCode(text2.charCodeAt(start - 1))) start -= 1;
  let end = to;
  while (end - to < NAME_CHARS_MAX && isNameCode(text2.charCodeAt(end))) end += 1;
  return { start, end, text: text2.slice(start, end) };
}
var isNameCode = (code) => code >= 97 && code <= 122 || code >= 65 && code <= 90 || code >= 48 && code <= 57 || code === 95 || code === 45;
function spanOf(text2, word, end, name, spans) {
  if (word.startsWith("bearer")) return credentialAfter(text2, end, true);
  if (word === "cookie") return cookiesAfter(text2, name.end, spans);
  if (word.startsWith("sig")) return valueSpan(text2, QUERY_VALUE, end, "secret", "signature", () => FIRM);
  const begin = valueBegin(text2, name);
  if (begin === void 0) return void 0;
  const grade = gradeOf(name.text);
  if (grade === "authorization") return credentialAfter(text2, begin.at, false);
  if (/^n?(?:OLD)?PWD$/.test(name.text) && text2[begin.at] === "/") return void 0;
  return valueSpan(text2, begin, begin.at, grade, kindOf(name.text, grade), () => standingOf(text2, name, begin));
}
var QUERY_VALUE = { quote: "", separator: "=" };
var FIRM = { quoted: false, firm: true, alone: false };
var PASSWORD_NAME = /(?:passw(?:or)?d?|passphrase|passcode|pwd)(?:confirm(?:ation)?|repeat|value|admin|root|user|db|prod|dev)?\d*$|パス(?:ワード|フレーズ)$/;
function gradeOf(name) {
  const plain2 = name.toLowerCase().replace(/[_-]/g, "");
  if (/pass|pwd|パス/.test(plain2) && PASSWORD_NAME.test(plain2)) return "password";
  if (plain2.endsWith("authorization")) return "authorization";
  if (/(?:secret(?:key|keybase|value)?|privatekey|accountkey)\d*$|秘密鍵$|シークレット$/.test(plain2)) return "secret";
  return /(?:token|auth|key|credentials?)\d*$|トークン$|キー$/.test(plain2) ? "token" : "weak";
}
function kindOf(name, grade) {
  if (grade === "weak") return "secret";
  return grade === "token" && /key$/i.test(name) ? "key" : grade;
}
function standingOf(text2, name, begin) {
  const { separator } = begin;
  const before = text2.slice(Math.max(0, name.start - 40), name.start);
  const line = before.slice(Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\\n") + 1) + 1);
  const constant = /^n?[A-Z][A-Z0-9_]*$/.test(name.text);
  const alone = /^[\s+>|"'-]*(?:export\s+|ENV\s+|set\s+)?$/.test(line);
  const npmrc = separator === "=" && /^_(?:authToken|auth|password)$/.test(name.text) && /(?:^|:)$/.test(line);
  const yaml = constant && alone && separator.startsWith(":") && !/[a-z][A-Z]/.test(text2.slice(begin.at, begin.at + 24));
  const given = separator === "=" && (constant || /[?&;]$/.test(before));
  const marked = name.text.startsWith("-") || separator.trim() === "" || /value|>$/.test(separator);
  return { quoted: begin.quote !== "", firm: npmrc || yaml || given || marked, alone };
}

// src/record/shapes.ts
var ALNUM = "A-Za-z0-9";
var WORD = "\\w";
var URL64 = "\\w-";
var SHAPES = [
  ["github-token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", WORD, 16],
  [
    "gitlab-token",
    "glpat- gldt- glrt- glrtr- glft- glsoat- glcbt- glptt- glagent- glimt- gloas- glffct- glwt-",
    "\\w.-",
    16
  ],
  ["slack-token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xoxc- xoxd- xapp- xwfp-", "\\w%/+-", 10, 2],
  ["anthropic-key", "sk-ant-", URL64, 16],
  ["openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", URL64, 16],
  ["api-key", "sk-or-v1- sk-lf- pk-lf- sk-", ALNUM, 20, 1],
  ["api-key", "gsk_ xai- pplx- nvapi- r8_ tvly-", URL64, 24, 2],
  ["stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_ sk_org_live_ sk_org_test_ whsec_", "\\w+/=", 10, 1],
  ["elevenlabs-key", "sk_", "0-9a-f", 40],
  ["sendgrid-key", "SG.", "\\w.-", 40, 2],
  ["mailgun-key", "key-", "0-9a-f", 32],
  ["npm-token", "npm_", ALNUM, 30],
  ["pypi-token", "pypi-", URL64, 16, 1],
  ["hugging-face-token", "hf_ api_org_", ALNUM, 30],
  ["digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", "0-9a-f", 32],
  ["heroku-key", "HRKU-", URL64, 30],
  ["shopify-token", "shpat_ shpca_ shppa_ shpss_ shptka_", ALNUM, 16],
  ["new-relic-key", "NRAK- NRII- NRJS- NRRA-", URL64, 16],
  ["doppler-token", "dp.pt. dp.st. dp.sa. dp.ct. dp.scim. dp.audit. dp.said.", "\\w.-", 24, 1],
  ["vault-token", "hvs. hvb. hvr.", URL64, 20],
  ["databricks-token", "dapi- dkea- dose-", "0-9a-f", 32],
  ["supabase-key", "sbp_ sb_secret_", URL64, 20, 1],
  ["linear-key", "lin_api_ lin_oauth_ lin_wh_", WORD, 20],
  ["notion-token", "ntn_ secret_", ALNUM, 40],
  ["vercel-token", "vcp_ vci_ vca_ vcr_ vck_", ALNUM, 20],
  ["netlify-token", "nfp_ nfc_ nfo_ nfu_ nfb_", ALNUM, 30],
  ["cloudflare-token", "cfut_ cfat_ cfk_ v1.0-", URL64, 40, 4],
  ["grafana-token", "glc_ glsa_", "\\w+/=", 30],
  ["1password-token", "ops_", "\\w+/=-", 100],
  ["figma-token", "figd_ figo_", URL64, 30],
  ["docker-token", "dckr_pat_ dckr_oat_", URL64, 20],
  ["age-key", "AGE-SECRET-KEY- AGE-SECRET-KEY-PQ-", "A-Z0-9", 20],
  ["google-oauth", "GOCSPX- ya29.", URL64, 20],
  ["square-token", "sq0csp- sq0atp- sq0idp-", URL64, 20],
  ["tailscale-key", "tskey-auth- tskey-api- tskey-client-", URL64, 16],
  ["mail-key", "xkeysib- xsmtpsib-", URL64, 40],
  ["planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", "\\w.-", 30],
  ["postman-key", "PMAK-", "0-9a-f-", 40],
  ["sentry-token", "sntrys_ sntryu_", "\\w+/=", 40],
  ["telemetry-key", "phx_ phs_ dt0c01.", "\\w.-", 30, 2],
  ["pinecone-key", "pcsk_", WORD, 40],
  ["langsmith-key", "lsv2_pt_ lsv2_sk_", "0-9a-f_", 32],
  ["sourcegraph-token", "sgp_", WORD, 40],
  ["package-token", "rubygems_ CLOJARS_ apify_api_ CCIPAT_ bkua_ pul-", WORD, 32, 2],
  ["fly-token", "fm1_ fm2_ fo1_", "\\w+/=", 40]
];
var LOOSE = [
  ["aws-access-key", "(?:A[SKB]IA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"],
  ["aws-bedrock-key", "ABSK[A-Za-z0-9+/=]{40,}"],
  ["google-api-key", "AIza[\\w-]{30,}"],
  ["google-oauth", "1//0[\\w-]{30,}"],
  ["gitlab-token", "GR1348941[\\w-]{16,}"],
  ["databricks-token", "dapi[0-9a-f]{32}(?:-\\d)?"],
  ["alibaba-key", "LTAI[A-Za-z0-9]{12,26}(?![A-Za-z0-9])"],
  ["atlassian-token", "AT(?:A|C)TT3[\\w=.-]{20,}|ATBB[A-Za-z0-9]{24,}"],
  ["twilio-key", "SK[0-9a-f]{32}(?![A-Za-z0-9])"],
  ["new-relic-key", "NRAL(?![A-Za-z0-9])", "[0-9a-f]{36}$"],
  ["telegram-token", ":AA[\\w-]{30,}", "\\d{8,10}$"],
  ["azure-client-secret", "Q~[\\w.~-]{28,}", "[\\w.~-]{3}\\d$"],
  ["slack-webhook", "(hooks\\.slack(?:-gov)?\\.com/(?:services|workflows|triggers)/)[\\w/+-]{16,}"],
  ["discord-webhook", "(discord(?:app)?\\.com/api/(?:v\\d{1,2}/)?webhooks/\\d{1,20}/)[\\w-]{30,}"]
];
var LOOSE_HEADS = "A[SKB]IA|ACCA|ABSK|AIza|1//0|GR1348941|dapi[0-9a-f]|LTAI|ATATT3|ATCTT3|ATBB|SK[0-9a-f]{4}|NRAL|:AA|Q~|hooks\\.slack|discord(?:app)?\\.com/api/";
var DOTTED = [
  ["terraform-token", "\\.atlasv1\\.[\\w=-]{50,}", "[A-Za-z0-9]{14}$"],
  ["discord-token", "\\.[\\w-]{6}\\.[\\w-]{27,}", "[MNO][\\w-]{22,27}$"]
];

// src/record/tokens.ts
var JUDGED_CHARS3 = 256;
function mayHoldToken(text2) {
  return text2.includes("eyJ") || nextBody(text2, 0) !== -1 || text2.search(looseHeads()) !== -1 || text2.search(DOTS) !== -1;
}
function findTokens(text2, spans) {
  findPrefixed(text2, spans);
  findEach(looseHeads(), text2, spans, (index, done) => looseAt(text2, index, done, LOOSE));
  findEach(DOTS, text2, spans, (index, done) => looseAt(text2, index, done, DOTTED));
  if (text2.includes("eyJ")) findWebTokens(text2, spans);
}
function findPrefixed(text2, spans) {
  let done = 0;
  for (let body = nextBody(text2, 0); body !== -1; body = nextBody(text2, Math.max(done, body))) {
    const span = prefixedAt(text2, body, done);
    if (span) spans.push(span);
    if (span) done = span.end;
  }
}
var SEPARATOR2 = /[-_.](?=[\w-])/g;
function nextBody(text2, from) {
  SEPARATOR2.lastIndex = from;
  for (let found = SEPARATOR2.exec(text2); found; found = SEPARATOR2.exec(text2)) {
    if (prefixesAt(text2, found.index + 1).some(({ prefix }) => endsAt(text2, found.index + 1, prefix))) {
      return found.index + 1;
    }
  }
  return -1;
}
var endsAt = (text2, end, prefix) => text2.startsWith(prefix, end - prefix.length);
var ENDING_CHARS = 3;
var allPrefixes;
var byEnding = /* @__PURE__ */ new Map();
function prefixesAt(text2, end) {
  if (end < ENDING_CHARS) return NO_PREFIXES;
  allPrefixes ??= `${SHAPES.map((shape) => shape[1]).join(" ")} `;
  const ending = text2.slice(end - ENDING_CHARS, end);
  if (!allPrefixes.includes(`${ending} `)) return NO_PREFIXES;
  const known = byEnding.get(ending) ?? prefixesEndingIn(ending);
  byEnding.set(ending, known);
  return known;
}
var NO_PREFIXES = [];
function prefixesEndingIn(ending) {
  const shapes = SHAPES.filter((shape) => `${shape[1]} `.includes(`${ending} `));
  return shapes.flatMap((shape) => shape[1].split(" ").map((prefix) => ({ prefix, shape }))).filter(({ prefix }) => prefix.endsWith(ending)).sort((one, other) => other.prefix.length - one.prefix.length);
}
var loose;
function looseHeads() {
  loose ??= new RegExp(LOOSE_HEADS, "g");
  return loose;
}
var DOTS = /\.(?:atlasv1|[\w-]{6})\.[\w-]{27}/g;
function findEach(pattern, text2, spans, spanAt) {
  pattern.lastIndex = 0;
  let done = 0;
  for (let found = pattern.exec(text2); found; found = pattern.exec(text2)) {
    const span = spanAt(found.index, done);
    if (span) spans.push(span);
    if (span) done = span.end;
    pattern.lastIndex = Math.max(done, found.index + 1);
  }
}
function prefixedAt(text2, bodyStart, done) {
  for (const { prefix, shape } of prefixesAt(text2, bodyStart)) {
    const start = bodyStart - prefix.length;
    if (!endsAt(text2, bodyStart, prefix) || !isFresh(text2, start, done)) continue;
    const [kind, , alphabet, least2, digits = 0] = shape;
    const body = run(text2, bodyStart, alphabet, JUDGED_CHARS3);
    if (body.length < least2 || isPlaceholder(body)) continue;
    if ((body.match(/\d/g)?.length ?? 0) < digits && isWordish(body)) continue;
    return { start, end: bodyStart + run(text2, bodyStart, alphabet).replace(/[.%/]$/, "").length, kind };
  }
  return void 0;
}
var runs = /* @__PURE__ */ new Map();
function run(text2, at, alphabet, charsMax) {
  const source = `[${alphabet}]{0,${charsMax ?? ""}}`;
  const pattern = runs.get(source) ?? new RegExp(source, "y");
  runs.set(source, pattern);
  pattern.lastIndex = at;
  return pattern.exec(text2)?.[0] ?? "";
}
var wholes = /* @__PURE__ */ new Map();
function looseAt(text2, index, done, shapes) {
  for (const [kind, whole2, before] of shapes) {
    const pattern = wholes.get(whole2) ?? new RegExp(whole2, "y");
    wholes.set(whole2, pattern);
    pattern.lastIndex = index;
    const found = pattern.exec(text2);
    if (!found) continue;
    const kept3 = found[1]?.length ?? 0;
    if (isPlaceholder(found[0].slice(kept3, kept3 + JUDGED_CHARS3))) continue;
    const end = index + found[0].replace(/[./]$/, "").length;
    if (before === void 0) {
      if (kept3 === 0 && !isFresh(text2, index, done)) continue;
      return { start: index + kept3, end, kind };
    }
    const back = new RegExp(before).exec(text2.slice(Math.max(0, index - 40), index));
    if (back) return { start: index - back[0].length, end, kind };
  }
  return void 0;
}
function findWebTokens(text2, spans) {
  const first = /eyJ[\w-]{8,}/g;
  const others = /\.(?:[\w-]{8,}|\.[\w-]{8,})(?:\.[\w-]+){0,3}/y;
  for (let found = first.exec(text2); found; found = first.exec(text2)) {
    others.lastIndex = first.lastIndex;
    const rest = others.exec(text2);
    if (!rest) continue;
    first.lastIndex = others.lastIndex;
    spans.push({ start: found.index, end: others.lastIndex, kind: "jwt" });
  }
}
function isFresh(text2, start, done) {
  if (start === done) return true;
  return /(?:[^A-Za-z0-9]|\\[nrtbf]|\[[\d;]{0,12}m|%[0-9A-Fa-f]{2})$/.test(text2.slice(Math.max(0, start - 16), start));
}

// src/record/private.ts
var LEFT_OUT = "[private]";
function withoutPrivate(text2) {
  if (!text2.includes("<")) return text2;
  const mark = /<(\/?)private\s{0,8}>/gi;
  let result = "";
  let kept3 = 0;
  let depth = 0;
  for (let found = mark.exec(text2); found; found = mark.exec(text2)) {
    const closing = found[1] !== "";
    if (!closing && depth === 0) result += text2.slice(kept3, found.index) + LEFT_OUT;
    if (!closing) depth += 1;
    else if (depth > 0) {
      depth -= 1;
      kept3 = mark.lastIndex;
    }
  }
  if (depth > 0) return result;
  return kept3 === 0 ? text2 : result + text2.slice(kept3);
}

// src/record/redact.ts
var FINDERS = [
  { may: mayHoldToken, find: findTokens },
  { may: mayHoldKey, find: findKeyBlocks },
  { may: mayBeCarried, find: findCarried },
  { may: mayHoldNamed, find: findNamed }
];
var redact = (text2) => redactedBy(FINDERS, text2);
var PASSES_MAX = 8;
var SECRET_CHARS_MIN = 9;
function redactedBy(finders, text2) {
  if (text2.length < SECRET_CHARS_MIN) return text2;
  let clean2 = text2;
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const spans = [];
    for (const finder of pass === 0 ? finders : FINDERS) finder.find(clean2, spans);
    const next = replaced(clean2, spans);
    if (next === clean2) break;
    clean2 = next;
  }
  return clean2;
}
var DEPTH_MAX = 64;
function redactDeep(value, context = {}) {
  const env = context.fileName !== void 0 && isEnvFile(context.fileName);
  const finders = findersFor(context.look ?? lookAt(value));
  return finders.length === 0 && !env ? value : deep(value, "", { finders, env }, DEPTH_MAX);
}
function findersFor({ text: text2, lower }) {
  return text2 === void 0 ? FINDERS : FINDERS.filter((finder) => finder.may(text2, lower));
}
function deep(value, name, search, depth) {
  if (typeof value === "string") return named(value, name, search);
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return "\u2026";
  if (Array.isArray(value)) {
    let list2;
    for (const [place, one] of value.entries()) {
      const clean2 = deep(one, name, search, depth - 1);
      if (clean2 !== one) list2 ??= [...value];
      if (list2) list2[place] = clean2;
    }
    return list2 ?? value;
  }
  return deepObject(value, search, depth);
}
function deepObject(value, search, depth) {
  let changed3 = false;
  const names = /* @__PURE__ */ new Set();
  const fields = Object.entries(value).map(([name, one]) => {
    let key = redactedBy(search.finders, name);
    while (names.has(key)) key += "\u2032";
    names.add(key);
    const clean2 = deep(one, name, search, depth - 1);
    changed3 ||= clean2 !== one || key !== name;
    return [key, clean2];
  });
  return changed3 ? Object.fromEntries(fields) : value;
}
var TELLING_NAME = /passw|passphr|passcode|pwd|secret|token|credential|authorization|^_?auth$|cookie|(?:api|app|access|account|auth|private|signing|encryption|master|service|storage|license|shared|subscription|functions?)[_-]?key/i;
var ENV_FRAGMENT = /^(?:old|new)_?string$/i;
function named(text2, name, { finders, env }) {
  if (TELLING_NAME.test(name) && !text2.includes(MARK)) {
    const grade = gradeOf(name);
    if (grade === "authorization" || /cookie$/i.test(name)) return headerValue(name, text2);
    if (isSecret(text2, grade, { quoted: true, firm: false, alone: false })) return `${MARK}${kindOf(name, grade)}]`;
  }
  if (!env) return redactedBy(finders, text2);
  if (ENV_FRAGMENT.test(name) && isRandom(text2)) return `${MARK}env]`;
  return redact(redactEnvFile(text2));
}
function headerValue(name, text2) {
  const header = `${name}: `;
  const line = redact(header + text2);
  return line.startsWith(header) ? line.slice(header.length) : redact(text2);
}

// src/record/clean.ts
function withoutPrivateDeep(value) {
  if (typeof value === "string") return withoutPrivate(value);
  if (Array.isArray(value)) return value.map(withoutPrivateDeep);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutPrivateDeep(one)]));
}

// policies/default.yaml
var default_default = "# yaml-language-server: $schema=./policy.schema.json\n# The shipped policy. Every number says what it means; its unit and its range.\n# 000 and 003 are the numbers of the two designs this grew from; both ship as policies of their own: strength-classic, cycle-classic.\n# Relevance takes half of the ranking, the cycle\u2019s four terms (importance .4, recency .3, role .2, outcome .1) the other half.\n# To change some numbers, write a file of your own with `name`, `extends: default` and only those; choose it in config.yaml.\nname: default\n\n# Importance: how much a memory is worth keeping (003). Weights of its six terms, which add up to 1.\nimportance:\n  outcome: 0.25 # how telling the outcome is; weight, 0 to 1\n  reuse: 0.2 # how often it came back or was used; weight, 0 to 1\n  crossImpact: 0.2 # in how many other sessions its files or error turn up; weight, 0 to 1\n  novelty: 0.15 # how unlike what is known already; weight, 0 to 1\n  userSignal: 0.15 # what the person said of it; weight, 0 to 1\n  costSaved: 0.05 # the time it saves who knows it; weight, 0 to 1\n\n# Recall: what is said, and when silence is better.\nrecall:\n  # Ranking: score = sum of weight \xD7 feature, features being 0 to 1.\n  weights:\n    words: 0.3 # the cue's own words in the memory (BM25, divided by the best); weight, -1 to 2\n    window: 0.06 # the same in its neighbours of the same session; weight, -1 to 2\n    session: 0.06 # the same in its session's summary; weight, -1 to 2\n    files: 0.14 # files in common (BM25 over paths and names); weight, -1 to 2\n    command: 0.08 # the same command shape or family; weight, -1 to 2\n    error: 0.3 # the same error signature; weight, -1 to 2\n    branch: 0.1 # the same branch, if it is none of the main ones; weight, -1 to 2\n    importance: 0.2 # how much it is worth keeping (003); weight, -1 to 2\n    recency: 0.15 # how lately it was made or met (003); weight, -1 to 2\n    role: 0.1 # made by or for an agent of the reader's role (003); weight, -1 to 2\n    outcome: 0.05 # success 1, failure .6, unknown .4 (003); weight, -1 to 2\n    strength: 0.05 # consolidation by use, min(1, strength / 2) (000); weight, -1 to 2\n    kind: 0.1 # lesson 1, preference, decision and entry .9, consolidated .7, summary .5, experience .3; weight, -1 to 2\n    helped: 0.3 # its record of helping, -1 to 1, shrunk while it is short; weight, -1 to 2\n  # Boosts (003), each there or not.\n  boosts:\n    sameTask: 0.1 # same prompt, or same non-default branch (003); added to the score, 0 to 1\n    recentFailure: 0.05 # a failure of the last hours (003); added to the score, 0 to 1\n    successPattern: 0.05 # a lesson whose fix is known (003); added to the score, 0 to 1\n  recencyHalfLifeDays: 14 # days after which recency is one half; days, 1 to 365\n  recentFailureHours: 24 # how long a failure counts as recent; hours, 1 to 720\n  candidatesMax: 50 # memories ranked in one recall (000); memories, 10 to 500, whole\n  # What each moment may say: session start, prompt, tool call, failure, subagent start, somebody asking.\n  moments:\n    start:\n      topK: 8 # memories at most; memories, 1 to 50, whole\n      scoreMin: 0 # least score that is worth a word; score, -1 to 3\n      relevanceMin: 0 # least evidence that a memory is about the cue; share, 0 to 1\n      budgetTokens: 900 # length of all it says; tokens, 50 to 2400, whole\n      kinds: [lesson, preference, decision, entry, summary, consolidated] # what it may speak of\n    prompt:\n      topK: 4 # memories at most; memories, 1 to 50, whole\n      scoreMin: 0.45 # least score that is worth a word; score, -1 to 3\n      relevanceMin: 0.25 # least evidence that a memory is about the cue; share, 0 to 1\n      budgetTokens: 500 # length of all it says; tokens, 50 to 2400, whole\n      kinds: [lesson, preference, decision, entry, summary, consolidated, experience] # what it may speak of\n    call:\n      topK: 2 # memories at most; memories, 1 to 50, whole\n      scoreMin: 0.6 # least score that is worth a word; score, -1 to 3\n      relevanceMin: 0.55 # least evidence that a memory is about the cue; share, 0 to 1\n      budgetTokens: 250 # length of all it says; tokens, 50 to 2400, whole\n      kinds: [lesson, decision, entry, consolidated] # what it may speak of\n    failure:\n      topK: 2 # memories at most; memories, 1 to 50, whole\n      scoreMin: 0.5 # least score that is worth a word; score, -1 to 3\n      relevanceMin: 0.65 # least evidence that a memory is about the cue; share, 0 to 1\n      budgetTokens: 350 # length of all it says; tokens, 50 to 2400, whole\n      kinds: [lesson, entry, consolidated] # what it may speak of\n    agent:\n      topK: 4 # memories at most; memories, 1 to 50, whole\n      scoreMin: 0.4 # least score that is worth a word; score, -1 to 3\n      relevanceMin: 0.2 # least evidence that a memory is about the cue; share, 0 to 1\n      budgetTokens: 400 # length of all it says; tokens, 50 to 2400, whole\n      kinds: [lesson, preference, decision, entry, summary, consolidated, experience] # what it may speak of\n    ask:\n      topK: 10 # memories at most; memories, 1 to 50, whole\n      scoreMin: -1 # least score that is worth a word; score, -1 to 3\n      relevanceMin: 0 # least evidence that a memory is about the cue; share, 0 to 1\n      budgetTokens: 2000 # length of all it says; tokens, 50 to 2400, whole\n      kinds: [lesson, preference, decision, entry, summary, consolidated, experience] # what it may speak of\n  withholdShare: 0 # recalls ranked, logged and not shown, so that the effect of showing is measured; share, 0 to 0.5\n\n# Strength: how well a memory is consolidated by use (000).\nstrength:\n  initial: 1 # of a new memory; strength, 0.5 to 1.5\n  initialEducation: 0.5 # of one that was only read; strength, 0.3 to 0.8\n  incrementOnUse: 0.1 # gained by one use; strength, 0.05 to 0.2\n  perspectiveIncrement: 0.15 # gained by one use under a perspective, for that perspective; strength, 0.1 to 0.25\n  archiveAt: 0.1 # archived at or below; strength, 0.05 to 0.2\n  reactivated: 0.5 # of an archived memory that came back; strength, 0.3 to 0.7\n  impactRatio: 0.2 # what of an impact becomes strength; share, 0.1 to 0.3\n  impact:\n    userPositive: 2 # the person was content with it; impact, 1 to 3\n    taskSuccess: 1.5 # a task went well with it; impact, 1 to 2\n    preventedError: 2 # an error did not come back; impact, 1 to 3\n  levelUses: [0, 5, 15, 30, 60, 100] # uses from which each consolidation level begins, rising from 0; uses, 0 to 10000, whole\n  dailyRetention: [0.95, 0.97, 0.98, 0.99, 0.995, 0.998] # what each level keeps of strength a day; share, 0.5 to 1\n  tasksPerDay: 10 # the rate a task is the daily one ^ (1 / this); tasks, 5 to 50\n\n# Tiers (003): hot, warm, cold.\ntiers:\n  hotDays: 7 # a memory is hot to this age; days, 1 to 90\n  warmDays: 30 # and warm to this one, then cold; days, 2 to 365\n  keepWholeFrom: 0.35 # experiences of this importance stay whole in the warm tier; importance, 0 to 1\n  experiencesMax: 5000 # active experiences at most; the weakest beyond are archived; memories, 1000 to 10000, whole\n\n# Improving: what helped, and how fast the numbers above may move.\nimprove:\n  # Contribution: weights of its four parts (003).\n  contribution:\n    success: 0.35 # success rate up; weight, 0 to 1\n    time: 0.15 # time shortened; weight, 0 to 1\n    calls: 0.15 # fewer tool calls; weight, 0 to 1\n    errors: 0.35 # errors avoided; weight, 0 to 1\n  unusedCost: 0.05 # what showing a memory that was not used costs; contribution, 0 to 0.5\n  rate: 0.1 # how far one update goes towards the evidence; share, 0.01 to 0.5\n  stepMax: 0.05 # greatest change of a number in one update, of its range; share, 0.01 to 0.2\n  evidenceMin: 12 # judged recalls before anything moves; recalls, 5 to 200, whole\n  guardWindow: 400 # judged recalls the guard looks back on; recalls, 20 to 2000, whole\n  guardSigmas: 1.64 # standard errors of the guard's lower bound (1.64: one-sided 95 %); standard errors, 1 to 4\n\n# Privacy: released in time, private \u2192 agent-only \u2192 public (003).\nprivacy:\n  releaseDays:\n    privateToAgentOnly: 30 # private opens to agents of the same role; days, 1 to 3650, or never\n    agentOnlyToPublic: 14 # and that to every agent; days, 1 to 3650, or never\n";

// src/model/cue.ts
var MOMENTS = ["start", "prompt", "call", "failure", "agent", "ask"];

// src/model/policy.ts
var FEATURES = [
  "words",
  "window",
  "session",
  "files",
  "command",
  "error",
  "branch",
  "importance",
  "recency",
  "role",
  "outcome",
  "strength",
  "kind",
  "helped"
];
var NOTHING_LEARNED = { version: 0, values: {} };
function policyWith(shipped, learned) {
  const policy = structuredClone(shipped);
  for (const [path, value] of Object.entries(learned.values)) {
    const names = path.split(".");
    const last = names.pop();
    const holder = names.reduce((at, name) => isRecord(at) ? at[name] : void 0, policy);
    if (isRecord(holder) && typeof holder[last] === "number") holder[last] = value;
  }
  return policy;
}
function valueAt(policy, path) {
  const value = path.split(".").reduce((at, name) => isRecord(at) ? at[name] : void 0, policy);
  return typeof value === "number" ? value : void 0;
}
var isRecord = (value) => typeof value === "object" && value !== null;

// src/store/jsonRead.ts
function readJson(files, file) {
  const bytes = files.read(file);
  if (!bytes) return void 0;
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (cause) {
    throw new MemoryError("STORE_INVALID", `${file} is not the JSON it should be`, {
      mend: "Run `memctl rebuild`: it is derived from the log and written anew.",
      cause
    });
  }
}

// src/broker/policy.ts
var SHIPPED = default_default;

// src/broker/given.ts
var clean = (value) => redactDeep(withoutPrivateDeep(value));
var TERMS = { outcome: 0.1, reuse: 0, crossImpact: 0, novelty: 0.5, userSignal: 1, costSaved: 0 };
function memoryGiven(given) {
  const { id: id2, contentType: contentType2, retention, agentId, session, ttlSeconds, trust = "tools", now } = given;
  const { content: content2, tags: tags2, metadata: metadata2 } = clean({ content: given.content, tags: given.tags, metadata: given.metadata });
  const made = {
    ...{ id: id2, content: content2, contentType: contentType2, retention, metadata: metadata2, trust, session, agentId },
    kind: "entry",
    source: "manual",
    tags: once(tags2),
    importance: importanceOf(TERMS, SHIPPED.importance),
    importanceTerms: TERMS,
    created: new Date(now).toISOString(),
    expires: ttlSeconds === void 0 ? void 0 : expiry(now, ttlSeconds)
  };
  return newMemory(made, SHIPPED.strength.initial);
}
function changeGiven(change) {
  const { content: content2, tags: tags2, metadata: metadata2 } = change;
  const kept3 = clean({ content: content2, tags: tags2, metadata: metadata2 });
  return { ...change, ...kept3, tags: kept3.tags && once(kept3.tags) };
}
var LATEST_MS = 864e13;
var expiry = (now, seconds) => new Date(Math.min(LATEST_MS, now + 1e3 * seconds)).toISOString();
var once = (tags2) => [...new Set(tags2.map((tag) => tag.trim()).filter(Boolean))];

// src/tools/memory/store.ts
var STORE_FIELDS = {
  content,
  content_type: withDefault(contentType, "text"),
  memory_tier: withDefault(tier, "long_term"),
  tags: withDefault(tags, []),
  metadata: withDefault(metadata, {}),
  agent_id: optional(text("Who stores it")),
  ttl_seconds: optional(wholeNumber("Seconds until it expires; 0 at once", { min: 0 }))
};
var memoryStore = tool({
  name: "memory_store",
  title: "Store a memory",
  description: "Keep something worth knowing in later sessions. Found again by memory_search at once.",
  layer: "memory",
  core: true,
  coreFields: ["content", "memory_tier", "tags", "ttl_seconds"],
  effect: "writes",
  command: { words: "memory store", args: ["content"], stdin: "content" },
  input: STORE_FIELDS,
  handle(input, world2) {
    const memory = memoryFrom(input, world2);
    world2.tell({ kind: "memory.stored", memory });
    return { id: memory.id, content: memory.content, memory_tier: memory.retention, created_at: memory.created };
  }
});
var memoryFrom = (input, world2) => memoryGiven({
  id: world2.newId(),
  content: input.content,
  contentType: input.content_type,
  retention: input.memory_tier,
  tags: input.tags,
  metadata: input.metadata,
  agentId: input.agent_id,
  session: world2.session,
  ttlSeconds: input.ttl_seconds,
  now: world2.now()
});

// src/tools/memory/update.ts
var UPDATE_FIELDS = {
  id,
  content: optional(content),
  tags: optional(tags),
  metadata: optional(metadata),
  memory_tier: optional(tier)
};
var memoryUpdate = tool({
  name: "memory_update",
  title: "Update a memory",
  description: "Change a memory: tags are replaced, metadata is merged, memory_tier promotes or demotes.",
  layer: "memory",
  core: true,
  effect: "writes",
  command: { words: "memory update", args: ["id"], stdin: "content" },
  input: UPDATE_FIELDS,
  handle(input, world2) {
    const change = changeFrom(input, memoryOf(world2, input.id), world2);
    world2.tell({ kind: "memory.updated", change });
    return { id: change.memory, updated: true, updated_at: memoryOf(world2, change.memory).updated };
  }
});
function changeFrom(input, memory, world2) {
  const { content: content2, tags: tags2, metadata: metadata2, memory_tier: retention } = input;
  if ([content2, tags2, metadata2, retention].every((value) => value === void 0)) {
    throw invalid("There is nothing to update", "Give content, tags, metadata or memory_tier.");
  }
  return changeGiven({
    ...{ memory: memory.id, content: content2, tags: tags2, metadata: metadata2, retention },
    // What becomes long-term stays, whatever was said of its end before.
    ...retention === "long_term" ? { expires: null } : {},
    ...retention === "working" ? { session: world2.session } : {}
  });
}

// src/tools/memory/batch.ts
var ITEMS_MAX = 100;
var ON_ERROR = ["rollback", "continue", "stop"];
var onError = withDefault(
  text("At an item that is wrong: rollback stores none, continue leaves it out, stop keeps those before it", {
    choices: ON_ERROR
  }),
  "rollback"
);
var memoryBatchStore = tool({
  name: "memory_batch_store",
  title: "Store memories",
  description: "Store up to 100 memories at once.",
  layer: "memory",
  effect: "writes",
  command: { words: "memory batch-store", stdin: "items" },
  input: {
    items: roughList("The memories", schemaOf(STORE_FIELDS), { min: 1, max: ITEMS_MAX }),
    on_error: onError
  },
  handle({ items, on_error }, world2) {
    const { done, errors } = each(
      items,
      on_error,
      (item, i2) => memoryFrom(readInput(STORE_FIELDS, item, `items[${i2}]`), world2)
    );
    if (done.length > 0) world2.tell({ kind: "memory.batch", stored: done, changes: [] });
    const ids = done.map((memory) => memory.id);
    return { success: errors.length === 0, stored_count: ids.length, stored_ids: ids, errors };
  }
});
var memoryBatchUpdate = tool({
  name: "memory_batch_update",
  title: "Update memories",
  description: "Update up to 100 memories at once.",
  layer: "memory",
  effect: "writes",
  command: { words: "memory batch-update", stdin: "updates" },
  input: {
    updates: roughList("The changes", schemaOf(UPDATE_FIELDS), { min: 1, max: ITEMS_MAX }),
    on_error: onError
  },
  handle({ updates, on_error }, world2) {
    const { done, errors } = each(updates, on_error, (update2, i2) => {
      const input = readInput(UPDATE_FIELDS, update2, `updates[${i2}]`);
      return changeFrom(input, memoryOf(world2, input.id), world2);
    });
    if (done.length > 0) world2.tell({ kind: "memory.batch", stored: [], changes: done });
    const ids = done.map((change) => change.memory);
    return { success: errors.length === 0, updated_count: ids.length, updated_ids: ids, errors };
  }
});
function each(items, onError2, read) {
  const done = [];
  const errors = [];
  for (let index = 0; index < items.length; index++) {
    try {
      done.push(read(items[index], index));
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      const { error_type, message, mend } = failureOf(error);
      errors.push({ index, error_type, message, mend });
      if (onError2 === "stop") break;
    }
  }
  return { done: onError2 === "rollback" && errors.length > 0 ? [] : done, errors };
}

// src/text/excerpt.ts
function headAndTail(text2, charsMax) {
  if (text2.length <= charsMax) return text2;
  const note = (cut2) => `
\u2026 ${cut2} characters cut \u2026
`;
  const room = charsMax - note(text2.length).length;
  if (room <= 0) return text2.slice(0, wholeAt(text2, charsMax));
  const head = wholeAt(text2, Math.ceil(room * 2 / 3));
  const tail = text2.length - Math.floor(room / 3);
  const start = wholeAt(text2, tail) === tail ? tail : tail + 1;
  return text2.slice(0, head) + note(start - head) + text2.slice(start);
}
function firstLine(text2, charsMax) {
  const line = (/\S[^\n]*/.exec(text2)?.[0] ?? "").replace(/\s+/g, " ").trim();
  if (line.length <= charsMax) return line;
  return charsMax < 1 ? "" : `${line.slice(0, wholeAt(line, charsMax - 1))}\u2026`;
}
function sentencesOf(text2) {
  const prose = text2.replace(/(```|~~~)[\s\S]*?(?:\1|$)/g, "\n");
  const sentences = [];
  for (const line of prose.split("\n")) {
    const plain2 = line.replace(/^\s*(?:[-*>•]|\d+[.)])\s+/, "").trim();
    if (plain2 === "" || plain2.startsWith("#") || plain2.startsWith("|")) continue;
    for (const one of plain2.split(SENTENCE_END)) {
      const sentence2 = one.trim();
      if (sentence2 !== "") sentences.push(sentence2);
    }
  }
  return sentences;
}
var SENTENCE_END = /(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|Mrs?|Dr|St|[A-Z])\.)(?<=[.!?])\s+(?=[A-Za-z0-9\u00c0-\uffef"'`(])|(?<=[.!?]["')])\s+(?=[A-Z])|(?<=[。！？])(?![」』）。！？])/;
function wholeAt(text2, at) {
  if (at <= 0 || at >= text2.length) return Math.max(0, at);
  const before = text2.charCodeAt(at - 1);
  const after = text2.charCodeAt(at);
  return before >= 55296 && before <= 56319 && after >= 56320 && after <= 57343 ? at - 1 : at;
}

// src/text/similarity.ts
function jaccard(a, b) {
  const [one, other] = [setOf(a), setOf(b)];
  const shared = sharedOf(one, other);
  const all = one.size + other.size - shared;
  return all === 0 ? 0 : shared / all;
}
var setOf = (terms) => terms instanceof Set ? terms : new Set(terms);
function sharedOf(a, b) {
  let shared = 0;
  for (const term2 of a) if (b.has(term2)) shared++;
  return shared;
}

// src/text/stem.ts
var STEP_2 = {
  a: [
    ["ational", "ate"],
    ["tional", "tion"]
  ],
  c: [
    ["enci", "ence"],
    ["anci", "ance"]
  ],
  e: [["izer", "ize"]],
  l: [
    ["entli", "ent"],
    ["ousli", "ous"],
    ["abli", "able"],
    ["alli", "al"],
    ["eli", "e"]
  ],
  o: [
    ["ization", "ize"],
    ["ation", "ate"],
    ["ator", "ate"]
  ],
  s: [
    ["iveness", "ive"],
    ["fulness", "ful"],
    ["ousness", "ous"],
    ["alism", "al"]
  ],
  t: [
    ["biliti", "ble"],
    ["aliti", "al"],
    ["iviti", "ive"]
  ]
};
var STEP_3 = {
  a: [["ical", "ic"]],
  s: [["ness", ""]],
  t: [
    ["icate", "ic"],
    ["iciti", "ic"]
  ],
  u: [["ful", ""]],
  v: [["ative", ""]],
  z: [["alize", "al"]]
};
var STEP_4 = {
  a: [["al", ""]],
  c: [
    ["ance", ""],
    ["ence", ""]
  ],
  e: [["er", ""]],
  i: [["ic", ""]],
  l: [
    ["able", ""],
    ["ible", ""]
  ],
  n: [
    ["ement", ""],
    ["ment", ""],
    ["ant", ""],
    ["ent", ""]
  ],
  o: [
    ["sion", "s"],
    ["tion", "t"],
    ["ou", ""]
  ],
  s: [["ism", ""]],
  t: [
    ["ate", ""],
    ["iti", ""]
  ],
  u: [["ous", ""]],
  v: [["ive", ""]],
  z: [["ize", ""]]
};
function stem(word) {
  if (word.length < 3 || !isPlain2(word)) return word;
  return step5(ruled(ruled(ruled(step1(word), STEP_2, 0), STEP_3, 0), STEP_4, 1));
}
function isPlain2(word) {
  for (let i2 = 0; i2 < word.length; i2++) {
    const code = word.charCodeAt(i2);
    if (code < 97 || code > 122) return false;
  }
  return true;
}
function step1(word) {
  let w = word;
  if (w.endsWith("s") && !w.endsWith("ss")) w = w.slice(0, w.endsWith("sses") || w.endsWith("ies") ? -2 : -1);
  if (w.endsWith("eed")) {
    if (measure(w, w.length - 3) > 0) w = w.slice(0, -1);
  } else {
    const cut2 = w.endsWith("ed") ? 2 : w.endsWith("ing") ? 3 : 0;
    if (cut2 > 0 && hasVowel(w, w.length - cut2)) w = mended(w.slice(0, -cut2));
  }
  return w.endsWith("y") && hasVowel(w, w.length - 1) ? `${w.slice(0, -1)}i` : w;
}
function mended(w) {
  if (w.endsWith("at") || w.endsWith("bl") || w.endsWith("iz")) return `${w}e`;
  const last = w.length - 1;
  if (last > 0 && w[last] === w[last - 1] && !isVowel(w, last)) return "lsz".includes(w[last]) ? w : w.slice(0, -1);
  return measure(w, w.length) === 1 && endsShort(w, w.length) ? `${w}e` : w;
}
function ruled(w, rules, over) {
  const tried = rules[w[w.length - 2]];
  if (tried === void 0) return w;
  for (let i2 = 0; i2 < tried.length; i2++) {
    const ending = tried[i2][0];
    if (!w.endsWith(ending)) continue;
    const by = tried[i2][1];
    const end = w.length - ending.length;
    return measure(w, ending === "sion" || ending === "tion" ? end + 1 : end) > over ? w.slice(0, end) + by : w;
  }
  return w;
}
function step5(word) {
  let w = word;
  if (w.endsWith("e")) {
    const end = w.length - 1;
    const m = measure(w, end);
    if (m > 1 || m === 1 && !endsShort(w, end)) w = w.slice(0, end);
  }
  return w.endsWith("ll") && measure(w, w.length) > 1 ? w.slice(0, -1) : w;
}
function measure(w, end) {
  let m = 0;
  let vowel = false;
  for (let i2 = 0; i2 < end; i2++) {
    const code = w.charCodeAt(i2);
    const now = isAeiou(code) || code === 121 && i2 > 0 && !vowel;
    if (vowel && !now) m++;
    vowel = now;
  }
  return m;
}
function hasVowel(w, end) {
  for (let i2 = 0; i2 < end; i2++) {
    const code = w.charCodeAt(i2);
    if (isAeiou(code) || code === 121 && i2 > 0) return true;
  }
  return false;
}
var endsShort = (w, end) => end > 2 && !isVowel(w, end - 3) && isVowel(w, end - 2) && !isVowel(w, end - 1) && !"wxy".includes(w[end - 1]);
function isVowel(w, i2) {
  let start = i2;
  while (start > 0 && w.charCodeAt(start) === 121) start--;
  return isAeiou(w.charCodeAt(start)) === ((i2 - start) % 2 === 0);
}
var isAeiou = (code) => code === 97 || code === 101 || code === 105 || code === 111 || code === 117;

// src/text/words.ts
var RUN = /([\u0e00-\u0eff\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+)|(?:--?(?=[A-Za-z][A-Za-z0-9-]))?[A-Za-z0-9\u00c0-\u0dff\u0f00-\u1fff_$@][A-Za-z0-9\u00c0-\u0dff\u0f00-\u1fff_$@.\-/:+]*/g;
var JOINED = /[_$@.\-/:+]|[a-z0-9][A-Z]|[A-Z]{2}[a-z]/;
var VERSION = /^v?\d+(?:\.\d+)+(?:-[0-9A-Za-z.]+)?$/;
var PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z\u00c0-\u0dff\u0f00-\u1fff]+|\d+/g;
var RUN_CHARS_MAX = 160;
var QUERY_END_CHARS = 6e3;
var stopWords;
var STOP = "a about above after again against all am an and any are aren as at be because been before being below between both but by can cannot could couldn did didn do does doesn doing don down during each few for from further had hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself just let ll me more most mustn my myself no nor not now of off on once only or other ought our ours ourselves out over own re same shan she should shouldn so some such than that the their theirs them themselves then there these they this those through to too under until up ve very was wasn we were weren what when where which while who whom why will with won would wouldn you your yours yourself yourselves";
function termsOf(text2) {
  const terms = [];
  const normal = /[^\0-\x7f]/.test(text2) ? text2.normalize("NFKC") : text2;
  for (const match of normal.matchAll(RUN)) {
    if (match[1] !== void 0) pushWide(match[1], terms);
    else pushLatin(match[0], normal.charCodeAt(match.index + match[0].length), terms);
  }
  return terms;
}
function queryTermsOf(text2, termsMax = 64) {
  const long = text2.length > 2 * QUERY_END_CHARS;
  const counts = /* @__PURE__ */ new Map();
  for (const term2 of termsOf(long ? `${text2.slice(0, QUERY_END_CHARS)} ${text2.slice(-QUERY_END_CHARS)}` : text2))
    counts.set(term2, (counts.get(term2) ?? 0) + 1);
  if (counts.size <= termsMax) return counts;
  return new Map([...counts].sort(([a], [b]) => rarity(b) - rarity(a)).slice(0, Math.max(0, termsMax)));
}
var rarity = (term2) => (term2.charCodeAt(0) >= 12288 ? 5 * term2.length : term2.length) + (JOINED.test(term2) ? 20 : 0);
function pushWide(run2, terms) {
  for (let i2 = 0; i2 < run2.length; i2++) {
    const code = run2.charCodeAt(i2);
    if (code < 12353 || code > 12447) terms.push(run2[i2]);
    if (i2 + 1 < run2.length) terms.push(run2.slice(i2, i2 + 2));
  }
}
function pushLatin(given, next, terms) {
  const run2 = trimmed2(given);
  if (!JOINED.test(run2)) {
    const word = run2.toLowerCase();
    pushWord(word, terms);
    if ((next === 24180 || next === 26376 || next === 26085) && /^\d{1,4}$/.test(word))
      terms.push(word + String.fromCharCode(next));
    return;
  }
  const whole2 = run2.toLowerCase();
  if (run2.length < RUN_CHARS_MAX) {
    if (VERSION.test(run2)) {
      terms.push(whole2);
      return;
    }
    const file = whole2.slice(whole2.lastIndexOf("/") + 1);
    const parts = run2.match(PARTS);
    if (parts === null) return;
    terms.push(whole2);
    if (file !== whole2 && JOINED.test(file)) terms.push(file);
    for (const part of parts) pushWord(part.toLowerCase(), terms);
  } else for (const part of run2.match(PARTS) ?? []) pushWord(part.toLowerCase(), terms);
}
function trimmed2(run2) {
  let end = Math.min(run2.length, RUN_CHARS_MAX);
  while (end > 0 && ".-/:".includes(run2[end - 1])) end--;
  if (run2[end - 1] === "+" && run2[end - 2] !== "+") end--;
  return end === run2.length ? run2 : run2.slice(0, end);
}
function pushWord(word, terms) {
  stopWords ??= new Set(STOP.split(" "));
  if (stopWords.has(word) || word.length === 1 && !(word >= "0" && word <= "9")) return;
  terms.push(stemOf(word));
}
var STEMS_MAX = 4096;
var stems = /* @__PURE__ */ new Map();
function stemOf(word) {
  const known = stems.get(word);
  if (known !== void 0) return known;
  if (stems.size === STEMS_MAX) stems.clear();
  const made = stem(word);
  stems.set(word, made);
  return made;
}

// src/organize/extract.ts
var SENTENCE_CHARS_MAX = 400;
var SAME_FROM = 0.6;
function extracted(texts, charsMax) {
  const sentences = texts.flatMap(sentencesIn);
  const spread = spreadOf(sentences);
  const worth = new Map(sentences.map((one) => [one, worthOf(one, spread, texts.length)]));
  const ordered2 = sentences.toSorted((a, b) => worth.get(b) - worth.get(a));
  const best = texts.map((_, from) => ordered2.find((one) => one.from === from));
  const taken = [];
  let chars = 0;
  for (const one of [...best, ...ordered2]) {
    if (!one || taken.includes(one) || chars + one.words.length + 1 > charsMax) continue;
    if (taken.some((other) => other.words === one.words || jaccard(other.terms, one.terms) >= SAME_FROM)) continue;
    taken.push(one);
    chars += one.words.length + 1;
  }
  return taken.sort((a, b) => a.from - b.from || a.place - b.place).map((one) => one.words).join("\n");
}
function sentencesIn(text2, from) {
  const found = sentencesOf(text2);
  const told2 = found.length > 0 ? found : [text2];
  return told2.map((sentence2, place) => {
    const words = firstLine(sentence2, SENTENCE_CHARS_MAX);
    return { from, place, words, terms: new Set(termsOf(words)) };
  });
}
function spreadOf(sentences) {
  const texts = /* @__PURE__ */ new Map();
  for (const { from, terms } of sentences) {
    for (const term2 of terms) texts.set(term2, (texts.get(term2) ?? /* @__PURE__ */ new Set()).add(from));
  }
  return new Map([...texts].map(([term2, found]) => [term2, found.size]));
}
function worthOf({ terms }, spread, texts) {
  let sum2 = 0;
  for (const term2 of terms) sum2 += spread.get(term2) / texts;
  return sum2 / Math.sqrt(terms.size + 1);
}

// src/broker/consolidate.ts
var CHARS_MIN = 600;
var CHARS_MAX = 4e3;
function consolidated(originals, { id: id2, tags: tags2, metadata: metadata2, now }) {
  const texts = originals.map((memory) => memory.content);
  const chars = texts.reduce((sum2, text2) => sum2 + text2.length, 0);
  const content2 = extracted(texts, Math.min(CHARS_MAX, Math.max(CHARS_MIN, chars / 2)));
  const union2 = (of) => [...new Set(originals.flatMap(of))];
  const hidden = originals.reduce((most, one) => hiddenness(one) < hiddenness(most) ? one : most);
  const { privacy, role, agentId, session } = hidden;
  return newMemory(
    {
      ...{ id: id2, content: content2, privacy, role },
      kind: "consolidated",
      source: "manual",
      // Whose it is matters for what is hidden alone.
      ...privacy === "public" ? {} : { agentId, session },
      lessons: union2((memory) => memory.lessons),
      tags: tags2 ? clean([...new Set(tags2)]) : union2((memory) => memory.tags),
      metadata: { ...clean(metadata2 ?? {}), consolidated_from: originals.map((memory) => memory.id) },
      files: union2((memory) => memory.files).slice(0, 40),
      importance: Math.max(...originals.map((memory) => memory.importance)),
      trust: originals.some((memory) => memory.trust === "outside") ? "outside" : "tools",
      created: new Date(now).toISOString()
    },
    SHIPPED.strength.initial
  );
}
var hiddenness = (memory) => PRIVACIES.indexOf(memory.privacy);

// src/tools/memory/consolidate.ts
var memoryConsolidate = tool({
  name: "memory_consolidate",
  title: "Consolidate memories",
  description: "Make one memory of 2 to 50 related ones, from their most telling sentences.",
  layer: "memory",
  effect: "writes",
  command: { words: "consolidate", args: ["memory_ids"] },
  input: {
    memory_ids: list("IDs of the memories", id, { min: 2, max: 50 }),
    summary_strategy: withDefault(
      text("How its words are found: extractive takes the most telling sentences", { choices: ["extractive"] }),
      "extractive"
    ),
    preserve_originals: withDefault(flag("Keep the originals"), true),
    tags: optional(tags),
    metadata: optional(metadata)
  },
  handle({ memory_ids, preserve_originals, tags: tags2, metadata: metadata2 }, world2) {
    const distinct = [...new Set(memory_ids.map((one) => one.toLowerCase()))];
    if (distinct.length < 2) throw invalid("memory_ids names one memory only", "Give 2 to 50 different ids.");
    const originals = distinct.map((one) => memoryOf(world2, one));
    const memory = consolidated(originals, { id: world2.newId(), tags: tags2, metadata: metadata2, now: world2.now() });
    const from = originals.map((one) => one.id);
    world2.tell({ kind: "memory.consolidated", memory, from, preserved: preserve_originals });
    return {
      success: true,
      consolidated_memory_id: memory.id,
      original_count: from.length,
      preserved: preserve_originals,
      summary_length: memory.content.length
    };
  }
});

// src/tools/memory/delete.ts
var memoryDelete = tool({
  name: "memory_delete",
  title: "Delete memories",
  description: "Delete by id or ids; or by memory_tier and older_than, what tools have stored.",
  layer: "memory",
  core: true,
  coreFields: ["id", "ids"],
  effect: "destroys",
  command: { words: "memory delete", args: ["ids"] },
  input: {
    id: optional(id),
    ids: optional(list("Several IDs", id)),
    memory_tier: optional(tier),
    older_than: optional(moment("Created before this time, ISO 8601"))
  },
  handle(input, world2) {
    const { id: id2, ids, memory_tier, older_than } = input;
    if ([id2, ids, memory_tier, older_than].every((value) => value === void 0)) {
      throw invalid("Nothing says what to delete", "Give id, ids, memory_tier or older_than.");
    }
    const named3 = new Set([id2, ...ids ?? []].map((one) => one?.toLowerCase()));
    const swept = (memory) => (memory_tier !== void 0 || older_than !== void 0) && memory.source !== "task" && (memory_tier === void 0 || memory.retention === memory_tier) && (older_than === void 0 || memory.created < older_than);
    const gone = seenBy(world2.desk, eyesOf(world2)).filter((memory) => named3.has(memory.id) || swept(memory));
    const memories = gone.map((memory) => memory.id);
    if (memories.length > 0) world2.tell({ kind: "memory.deleted", memories });
    return { deleted_count: memories.length, deleted_ids: memories };
  }
});

// src/tools/memory/get.ts
var memoryGet = tool({
  name: "memory_get",
  title: "Get a memory",
  description: "One memory whole, by its id.",
  layer: "memory",
  core: true,
  effect: "reads",
  command: { words: "memory get", args: ["id"] },
  input: { id },
  handle(input, world2) {
    const memory = memoryOf(world2, input.id);
    world2.tell({ kind: "memory.accessed", memories: [memory.id] });
    return {
      id: memory.id,
      content: memory.content,
      content_type: memory.contentType,
      memory_tier: memory.retention,
      tags: memory.tags,
      metadata: memory.metadata,
      created_at: memory.created,
      updated_at: memory.updated,
      expires_at: memory.expires ?? null
    };
  }
});

// src/tools/memory/shape.ts
var BRIEF_CHARS = 240;
var listed = (memory) => ({
  id: memory.id,
  content: memory.content,
  content_type: memory.contentType,
  memory_tier: memory.retention,
  tags: memory.tags,
  created_at: memory.created
});
var briefly = (list2) => (answer) => ({ ...answer, [list2]: answer[list2].map(brief) });
function brief(shown2) {
  const content2 = String(shown2["content"]);
  if (content2.length <= BRIEF_CHARS) return shown2;
  return { ...shown2, content: `${content2.slice(0, BRIEF_CHARS).replace(/[\ud800-\udbff]$/, "")}\u2026`, whole: false };
}

// src/tools/memory/list.ts
var FILTER_FIELDS = {
  memory_tier: optional(tier),
  tags: optional(list("Only with all of these tags", text("Tag"))),
  content_type: optional(contentType),
  created_after: optional(createdAfter),
  created_before: optional(createdBefore)
};
var memoryList = tool({
  name: "memory_list",
  title: "List memories",
  description: "Memories by tier, tags, type and time, oldest first, page by page.",
  layer: "memory",
  effect: "reads",
  command: { words: "memory list" },
  brief: briefly("memories"),
  input: {
    ...FILTER_FIELDS,
    limit: withDefault(wholeNumber("How many", { min: 1, max: 1e3 }), 50),
    offset: withDefault(wholeNumber("How many to leave out", { min: 0 }), 0)
  },
  handle({ limit, offset, ...filter }, world2) {
    const found = seenBy(world2.desk, eyesOf(world2)).filter((memory) => passes(memory, filter));
    return { memories: found.slice(offset, offset + limit).map(listed), total: found.length, limit, offset };
  }
});
var passes = (memory, filter) => (filter.memory_tier === void 0 || memory.retention === filter.memory_tier) && (filter.content_type === void 0 || memory.contentType === filter.content_type) && (filter.created_after === void 0 || memory.created >= filter.created_after) && (filter.created_before === void 0 || memory.created < filter.created_before) && (filter.tags?.every((tag) => memory.tags.includes(tag)) ?? true);

// src/model/strength.ts
var DAY_MS = 864e5;
var daysBetween = (fromMs, toMs) => Math.max(0, (toMs - fromMs) / DAY_MS);
function decayed(strength, ageDays, dailyRetention) {
  return strength * dailyRetention ** Math.max(0, ageDays);
}
function levelOf(uses, levelUses) {
  let level = 0;
  for (let i2 = 0; i2 < levelUses.length; i2++) if (uses >= levelUses[i2]) level = i2;
  return level;
}
function impactValue(kind, policy) {
  switch (kind) {
    case "user_positive":
      return policy.impact.userPositive;
    case "task_success":
      return policy.impact.taskSuccess;
    case "prevented_error":
      return policy.impact.preventedError;
  }
}

// src/model/accessScore.ts
var OFTEN_HALF = 12;
var LATE_HALF_DAYS = 30;
function accessScoreOf(memory, now) {
  if (memory.pinned) return memory.importance;
  const days = daysBetween(Date.parse(memory.lastUsed ?? memory.created), now);
  const score = 0.5 * saturated(memory.accessCount, OFTEN_HALF) + 0.5 * 0.5 ** (days / LATE_HALF_DAYS);
  return Math.round(score * 1e4) / 1e4;
}

// src/tools/memory/score.ts
var memoryGetScore = tool({
  name: "memory_get_score",
  title: "Get importance",
  description: "A memory\u2019s importance, from how often and how lately it was opened, or as it was set.",
  layer: "memory",
  effect: "reads",
  command: { words: "score get", args: ["id"] },
  input: { id },
  handle(input, world2) {
    const memory = memoryOf(world2, input.id);
    return {
      success: true,
      memory_id: memory.id,
      importance_score: accessScoreOf(memory, world2.now()),
      access_count: memory.accessCount,
      last_accessed_at: memory.lastUsed ?? null
    };
  }
});
var memorySetScore = tool({
  name: "memory_set_score",
  title: "Set importance",
  description: "Pin a memory\u2019s importance; the reason is kept in the log.",
  layer: "memory",
  effect: "writes",
  command: { words: "score set", args: ["id", "score"] },
  input: {
    id,
    score: number("The new importance", { min: 0, max: 1 }),
    reason: withDefault(text("Why", { charsMax: 2e3 }), "Manual override")
  },
  handle({ id: id2, score, reason }, world2) {
    const memory = memoryOf(world2, id2);
    const previous = accessScoreOf(memory, world2.now());
    world2.tell({ kind: "memory.scored", memory: memory.id, score, previous, reason: clean(reason) });
    return { success: true, memory_id: memory.id, previous_score: previous, new_score: score };
  }
});

// src/broker/best.ts
var Best = class {
  #max;
  /** Below 0 where the first is the better one. */
  #compare;
  #heap = [];
  constructor(max, compare3) {
    this.#max = max;
    this.#compare = compare3;
  }
  /** Takes it if it is among the best so far. */
  offer(one) {
    const heap = this.#heap;
    if (heap.length < this.#max) {
      heap.push(one);
      this.#up(heap.length - 1);
    } else if (this.#max > 0 && this.#compare(one, heap[0]) < 0) {
      heap[0] = one;
      this.#down();
    }
  }
  /** Those taken, best first. */
  taken() {
    return this.#heap.toSorted(this.#compare);
  }
  #up(from) {
    const heap = this.#heap;
    for (let at = from; at > 0; ) {
      const above = at - 1 >> 1;
      if (this.#compare(heap[at], heap[above]) <= 0) return;
      this.#swap(at, above);
      at = above;
    }
  }
  #down() {
    const heap = this.#heap;
    for (let at = 0; ; ) {
      let worst = at;
      for (const below of [2 * at + 1, 2 * at + 2]) {
        if (below < heap.length && this.#compare(heap[below], heap[worst]) > 0) worst = below;
      }
      if (worst === at) return;
      this.#swap(at, worst);
      at = worst;
    }
  }
  #swap(a, b) {
    const heap = this.#heap;
    const one = heap[a];
    heap[a] = heap[b];
    heap[b] = one;
  }
};

// src/model/ports.ts
function unitVector(values) {
  const unit = Float32Array.from(values);
  let squares = 0;
  for (const value of unit) squares += value * value;
  if (squares === 0) return unit;
  const scale = 1 / Math.sqrt(squares);
  for (let i2 = 0; i2 < unit.length; i2++) unit[i2] *= scale;
  return unit;
}

// src/text/hash.ts
function hash32(text2) {
  let hash = 2166136261;
  for (let i2 = 0; i2 < text2.length; i2++) {
    const unit = text2.charCodeAt(i2);
    hash = Math.imul(hash ^ unit & 255, 16777619);
    hash = Math.imul(hash ^ unit >>> 8, 16777619);
  }
  return hash >>> 0;
}
function hashPair(text2) {
  let a = 2654435769 ^ text2.length;
  let b = 2246822507 ^ text2.length;
  for (let i2 = 0; i2 < text2.length; i2++) {
    const unit = text2.charCodeAt(i2);
    a = Math.imul(a ^ unit, 3432918353);
    a = a << 15 | a >>> 17;
    b = Math.imul(b ^ unit, 461845907);
    b = b << 13 | b >>> 19;
    b = b + a | 0;
  }
  return [mixed2(a ^ b >>> 16), mixed2(b ^ Math.imul(a, 5))];
}
function mixed2(word) {
  let h = word;
  h = Math.imul(h ^ h >>> 16, 2246822507);
  h = Math.imul(h ^ h >>> 13, 3266489909);
  return (h ^ h >>> 16) >>> 0;
}
var crcTable;
function crc32(bytes) {
  crcTable ??= makeTable();
  let crc = -1;
  for (let i2 = 0; i2 < bytes.length; i2++) crc = crc >>> 8 ^ crcTable[(crc ^ bytes[i2]) & 255];
  return ~crc >>> 0;
}
function makeTable() {
  const table = new Int32Array(256);
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? 3988292384 ^ c >>> 1 : c >>> 1;
    table[n] = c;
  }
  return table;
}

// src/embed/own.ts
var DIMENSIONS = 256;
var ONES = 6;
var HEIGHT = 1 / Math.sqrt(ONES);
function addOwn(sums, at, [high, low], weight2) {
  let bits = high;
  for (let one = 1; one <= ONES; one++) {
    bits = Math.imul(bits ^ bits >>> 16 ^ low + Math.imul(one, 2654435769), 2246822507);
    bits = Math.imul(bits ^ bits >>> 13, 3266489909);
    bits ^= bits >>> 16;
    sums[at + (bits & 255)] += (bits & 256 ? -HEIGHT : HEIGHT) * weight2;
  }
}

// src/embed/learned.ts
var MAGIC = 827802445;
var HEADER_BYTES = 16 + 4 * DIMENSIONS;
var rarityOf = (met, texts) => Math.log(1 + (texts - met + 0.5) / (met + 0.5));
function packWords(words, texts, mean2) {
  const sorted = [...words].sort((a, b) => a.hash[0] - b.hash[0] || a.hash[1] - b.hash[1]);
  const buffer = new ArrayBuffer(HEADER_BYTES + sorted.length * (16 + DIMENSIONS));
  const head = new Uint32Array(buffer, 0, 4);
  head.set([MAGIC, 0, texts, sorted.length]);
  const parts = partsOf(buffer, sorted.length);
  parts.mean.set(mean2);
  sorted.forEach(({ hash, rarity: rarity2, vector }, place) => {
    parts.high[place] = hash[0];
    parts.low[place] = hash[1];
    parts.rarity[place] = rarity2;
    const scale = greatest(vector) / 127;
    parts.scale[place] = scale;
    for (let i2 = 0; i2 < DIMENSIONS; i2++)
      parts.vectors[place * DIMENSIONS + i2] = scale > 0 ? Math.round(vector[i2] / scale) : 0;
  });
  head[1] = crc32(new Uint8Array(buffer, 8));
  return openWords(new Uint8Array(buffer));
}
function openWords(bytes) {
  const buffer = bytes.byteOffset % 4 === 0 ? bytes.buffer : Uint8Array.from(bytes).buffer;
  const start = bytes.byteOffset % 4 === 0 ? bytes.byteOffset : 0;
  const [magic, crc, texts, words] = bytes.length >= HEADER_BYTES ? new Uint32Array(buffer, start, 4) : [];
  const whole2 = magic === MAGIC && bytes.length === HEADER_BYTES + words * (16 + DIMENSIONS) && crc === crc32(bytes.subarray(8));
  if (!whole2) {
    throw new MemoryError("STORE_INVALID", "the learnt words are not whole", {
      mend: "Run `memctl rebuild`: they are learnt anew from the memories."
    });
  }
  const parts = partsOf(buffer, words, start);
  const unknown = rarityOf(0, texts);
  return {
    name: crc.toString(16).padStart(8, "0"),
    texts,
    words,
    mean: parts.mean,
    bytes,
    find: (hash) => placeOf(parts.high, parts.low, hash),
    rarity: (place) => place < 0 ? unknown : parts.rarity[place],
    addTo(sums, place, weight2) {
      const scale = weight2 * parts.scale[place];
      const from = place * DIMENSIONS;
      for (let i2 = 0; i2 < DIMENSIONS; i2++) sums[i2] += scale * parts.vectors[from + i2];
    }
  };
}
function partsOf(buffer, words, start = 0) {
  const from = start + HEADER_BYTES;
  return {
    mean: new Float32Array(buffer, start + 16, DIMENSIONS),
    high: new Uint32Array(buffer, from, words),
    low: new Uint32Array(buffer, from + 4 * words, words),
    rarity: new Float32Array(buffer, from + 8 * words, words),
    scale: new Float32Array(buffer, from + 12 * words, words),
    vectors: new Int8Array(buffer, from + 16 * words, words * DIMENSIONS)
  };
}
function placeOf(high, low, [wantedHigh, wantedLow]) {
  let from = 0;
  let to = high.length;
  while (from < to) {
    const middle = from + to >>> 1;
    if (high[middle] < wantedHigh || high[middle] === wantedHigh && low[middle] < wantedLow) from = middle + 1;
    else to = middle;
  }
  return high[from] === wantedHigh && low[from] === wantedLow ? from : -1;
}
var greatest = (vector) => vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

// src/embed/learn.ts
var TERMS_MAX = 1e6;
var WORDS_MAX = 32768;
var OWN_SHARE = 0.1;
function learnWords(texts) {
  const vocabulary = vocabularyOf(evenly([...texts]));
  const rarity2 = vocabulary.met.map((met) => rarityOf(met, vocabulary.texts.length));
  const places = placesOfKept(vocabulary);
  const learnt = contexts(vocabulary, rarity2, places);
  for (const [word, at] of places) addOwn(learnt, at, vocabulary.hashes[word], OWN_SHARE);
  const mean2 = meanText(vocabulary, rarity2, places, learnt);
  const words = [...places].map(([word, at]) => ({
    hash: vocabulary.hashes[word],
    rarity: rarity2[word],
    vector: learnt.subarray(at, at + DIMENSIONS)
  }));
  return packWords(words, vocabulary.texts.length, mean2);
}
var weightOf = (count, rarity2) => (1 + Math.log(count)) * rarity2;
function vocabularyOf(texts) {
  const numbers = /* @__PURE__ */ new Map();
  const met = [];
  const counted = texts.map((terms) => {
    const counts = /* @__PURE__ */ new Map();
    for (const term2 of terms) {
      const word = numbers.get(term2) ?? met.push(0) - 1;
      numbers.set(term2, word);
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    for (const word of counts.keys()) met[word]++;
    return { words: [...counts.keys()], counts: [...counts.values()] };
  });
  return { texts: counted, hashes: [...numbers.keys()].map(hashPair), met };
}
function placesOfKept({ met }) {
  const kept3 = [...met.keys()].sort((a, b) => met[b] - met[a]).slice(0, WORDS_MAX);
  return new Map(kept3.map((word, place) => [word, place * DIMENSIONS]));
}
function contexts(vocabulary, rarity2, places) {
  const sums = new Float32Array(places.size * DIMENSIONS);
  const shares = new Float32Array(places.size);
  const mean2 = new Float32Array(DIMENSIONS);
  for (const { words, counts } of vocabulary.texts) {
    const sum2 = new Float32Array(DIMENSIONS);
    words.forEach((word, i2) => addOwn(sum2, 0, vocabulary.hashes[word], weightOf(counts[i2], rarity2[word])));
    const text2 = unitVector(sum2);
    addInto(mean2, 0, text2, 0, 1 / vocabulary.texts.length);
    words.forEach((word, i2) => {
      const at = places.get(word);
      if (at === void 0) return;
      const share2 = weightOf(counts[i2], 1);
      addInto(sums, at, text2, 0, share2);
      shares[at / DIMENSIONS] += share2;
    });
  }
  for (const at of places.values()) {
    addInto(sums, at, mean2, 0, -shares[at / DIMENSIONS]);
    const unit = unitVector(sums.subarray(at, at + DIMENSIONS));
    for (let i2 = 0; i2 < DIMENSIONS; i2++) sums[at + i2] = (1 - OWN_SHARE) * unit[i2];
  }
  return sums;
}
function meanText(vocabulary, rarity2, places, learnt) {
  const mean2 = new Float32Array(DIMENSIONS);
  for (const { words, counts } of vocabulary.texts) {
    const text2 = new Float32Array(DIMENSIONS);
    words.forEach((word, i2) => {
      const weight2 = weightOf(counts[i2], rarity2[word]);
      const at = places.get(word);
      if (at === void 0) addOwn(text2, 0, vocabulary.hashes[word], weight2);
      else addInto(text2, 0, learnt, at, weight2);
    });
    addInto(mean2, 0, unitVector(text2), 0, 1 / vocabulary.texts.length);
  }
  return mean2;
}
function addInto(to, toAt, from, fromAt, weight2) {
  for (let i2 = 0; i2 < DIMENSIONS; i2++) to[toAt + i2] += weight2 * from[fromAt + i2];
}
function evenly(texts) {
  const terms = texts.reduce((sum2, text2) => sum2 + text2.length, 0);
  if (terms <= TERMS_MAX) return texts;
  const taken = Math.floor(texts.length * TERMS_MAX / terms);
  return Array.from({ length: taken }, (_, i2) => texts[Math.floor(i2 * texts.length / taken)]);
}

// src/embed/builtin.ts
var VERSION2 = 1;
var isBuiltin = (id2) => id2.startsWith("builtin-");
function builtinEmbedder(learned) {
  return {
    id: learned ? `builtin-${VERSION2}:${learned.name}` : `builtin-${VERSION2}`,
    dimensions: DIMENSIONS,
    embed: (texts) => texts.map((text2) => vectorOf(termsOf(text2), learned))
  };
}
function vectorOf(terms, learned) {
  const sums = new Float32Array(DIMENSIONS);
  const counts = /* @__PURE__ */ new Map();
  for (const term2 of terms) counts.set(term2, (counts.get(term2) ?? 0) + 1);
  for (const [term2, count] of counts) {
    const hash = hashPair(term2);
    const place = learned ? learned.find(hash) : -1;
    const weight2 = weightOf(count, learned ? learned.rarity(place) : 1);
    if (learned && place >= 0) learned.addTo(sums, place, weight2);
    else addOwn(sums, 0, hash, weight2);
  }
  const text2 = unitVector(sums);
  if (!learned || counts.size === 0) return text2;
  for (let i2 = 0; i2 < DIMENSIONS; i2++) text2[i2] -= learned.mean[i2];
  return unitVector(text2);
}

// src/model/tier.ts
var TIERS = ["hot", "warm", "cold"];
function tierOf(ageDays, policy) {
  if (ageDays < policy.hotDays) return "hot";
  return ageDays < policy.warmDays ? "warm" : "cold";
}

// src/store/vectorRows.ts
var ROWS_VERSION = 1;
var DROPPED_SHARE_MAX = 0.25;
function makeRows(dimensions, given, vectors) {
  const ids = [...given.ids];
  const keys = [...given.keys];
  const places = new Map(ids.flatMap((id2, row) => id2 === "" ? [] : [[id2, row]]));
  let data = vectors;
  const drop = (id2) => {
    const row = places.get(id2);
    if (row === void 0) return -1;
    places.delete(id2);
    ids[row] = "";
    keys[row] = "";
    data.fill(0, row * dimensions, (row + 1) * dimensions);
    return row;
  };
  return {
    dimensions,
    ids,
    keys,
    get count() {
      return ids.length;
    },
    get size() {
      return places.size;
    },
    put(id2, key, vector) {
      const row = ids.length;
      if ((row + 1) * dimensions > data.length) data = grown(data, (row + 1) * dimensions);
      data.set(vector, row * dimensions);
      places.set(id2, row);
      ids.push(id2);
      keys.push(key);
    },
    drop,
    rowOf: (id2) => places.get(id2),
    vectorAt: (row) => data.subarray(row * dimensions, (row + 1) * dimensions),
    data: () => data.subarray(0, ids.length * dimensions)
  };
}
var noRows = (dimensions) => makeRows(dimensions, { ids: [], keys: [] }, new Float32Array(0));
var isSparse = (rows) => rows.count - rows.size > DROPPED_SHARE_MAX * rows.count;
function together(rows) {
  const next = noRows(rows.dimensions);
  rows.ids.forEach((id2, row) => id2 !== "" && next.put(id2, rows.keys[row], rows.vectorAt(row)));
  return next;
}
function nearestRows(rows, vector, k, from = 0) {
  const best = [];
  const { dimensions } = rows;
  const data = rows.data();
  let least2 = Number.NEGATIVE_INFINITY;
  for (let row = from; row < rows.count; row++) {
    const id2 = rows.ids[row];
    if (id2 === "") continue;
    const similarity = dot(data, row * dimensions, vector);
    if (similarity < least2) continue;
    best.push({ id: id2, similarity });
    if (best.length > 2 * k + 64) least2 = cut(best, k);
  }
  cut(best, k);
  return best;
}
var nearer = (a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1);
function dot(data, at, vector) {
  let sum2 = 0;
  for (let i2 = 0; i2 < vector.length; i2++) sum2 += data[at + i2] * vector[i2];
  return sum2;
}
function saveRows(files, base, rows, model, graph) {
  const data = rows.data();
  files.replace(`${base}.f32`, Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  const { ids, keys, dimensions } = rows;
  const file = { version: ROWS_VERSION, model, dimensions, ids, keys, graph };
  files.replace(`${base}.json`, Buffer.from(`${JSON.stringify(file)}
`));
}
function readRows(files, base, model) {
  const file = rowsFile(files.read(`${base}.json`));
  const bytes = files.read(`${base}.f32`);
  if (file?.model !== model || bytes?.length !== file.ids.length * file.dimensions * 4) return void 0;
  const data = new Float32Array(file.ids.length * file.dimensions);
  bytes.copy(Buffer.from(data.buffer));
  return { rows: makeRows(file.dimensions, file, data), file };
}
function rowsFile(bytes) {
  if (!bytes) return void 0;
  try {
    const file = JSON.parse(bytes.toString("utf8"));
    return file.version === ROWS_VERSION && file.ids.length === file.keys.length ? file : void 0;
  } catch {
    return void 0;
  }
}
function grown(data, length) {
  const next = new Float32Array(Math.max(length, 2 * data.length, 64));
  next.set(data);
  return next;
}
function cut(best, k) {
  best.sort(nearer);
  best.length = Math.min(best.length, k);
  return best.length === k && k > 0 ? best[k - 1].similarity : Number.NEGATIVE_INFINITY;
}

// src/store/exactIndex.ts
function exactIndex(files, dimensions, given) {
  const rows = given ?? noRows(dimensions);
  return {
    dimensions,
    get size() {
      return rows.size;
    },
    ids: () => rows.ids.filter((id2) => id2 !== ""),
    add(id2, vector, key = "") {
      checkDimensions(vector, dimensions);
      rows.drop(id2);
      rows.put(id2, key, vector);
    },
    remove: (id2) => rows.drop(id2) >= 0,
    ...lookups(rows),
    nearest(vector, k) {
      checkDimensions(vector, dimensions);
      return k > 0 ? nearestRows(rows, vector, k) : [];
    },
    save: (base, model) => saveRows(files, base, isSparse(rows) ? together(rows) : rows, model)
  };
}
function openExact(files, base, model) {
  const read = readRows(files, base, model);
  return read && exactIndex(files, read.rows.dimensions, read.rows);
}
function lookups(rows) {
  return {
    vectorOf(id2) {
      const row = rows.rowOf(id2);
      return row === void 0 ? void 0 : rows.vectorAt(row).slice();
    },
    keyOf(id2) {
      const row = rows.rowOf(id2);
      return row === void 0 ? void 0 : rows.keys[row];
    }
  };
}
function checkDimensions(vector, dimensions) {
  if (vector.length === dimensions) return;
  throw new RangeError(`a vector of ${vector.length} numbers, where the index has ${dimensions}`);
}

// src/store/hnswIndex.ts
var GRAPH_FROM = 2e3;
var GROWN_MAX = 500;
var LINKS = 16;
var BUILD_BREADTH = 200;
var SEARCH_BREADTH = 400;
var SEED = 7;
function hnswIndex(files, hnsw, dimensions, given, graphGiven) {
  let rows = given ?? noRows(dimensions);
  let graph = graphGiven;
  const drop = (id2) => {
    const row = rows.drop(id2);
    if (graph && row >= 0 && row < graph.getCurrentCount()) graph.markDelete(row);
    return row >= 0;
  };
  return {
    dimensions,
    get size() {
      return rows.size;
    },
    ids: () => rows.ids.filter((id2) => id2 !== ""),
    add(id2, vector, key = "") {
      checkDimensions(vector, dimensions);
      drop(id2);
      rows.put(id2, key, vector);
    },
    remove: drop,
    vectorOf: (id2) => lookups(rows).vectorOf(id2),
    keyOf: (id2) => lookups(rows).keyOf(id2),
    nearest(vector, k) {
      checkDimensions(vector, dimensions);
      if (k <= 0) return [];
      const found = graph ? inGraph(graph, rows, vector, k) : [];
      const rest = nearestRows(rows, vector, k, graph?.getCurrentCount() ?? 0);
      return [...found, ...rest].sort(nearer).slice(0, k);
    },
    save(base, model) {
      if (isSparse(rows)) {
        rows = together(rows);
        graph = void 0;
      }
      graph = rows.count < GRAPH_FROM ? void 0 : extended(hnsw, graph, rows);
      saveRows(files, base, rows, model, graph && saveGraph(files, `${base}.hnsw`, graph));
    }
  };
}
function openHnsw(files, hnsw, base, model) {
  const read = readRows(files, base, model);
  if (!read) return void 0;
  return hnswIndex(files, hnsw, read.rows.dimensions, read.rows, readGraph(files, hnsw, base, read.file));
}
function inGraph(graph, rows, vector, k) {
  const count = graph.getCurrentCount();
  graph.setEf(Math.max(SEARCH_BREADTH, 2 * k));
  const { neighbors } = graph.searchKnn(Array.from(vector), Math.min(k, count));
  return neighbors.flatMap((row) => {
    const id2 = rows.ids[row];
    return id2 === "" ? [] : [{ id: id2, similarity: dot(rows.data(), row * rows.dimensions, vector) }];
  });
}
function extended(hnsw, given, rows) {
  const graph = given ?? new hnsw.HierarchicalNSW("ip", rows.dimensions);
  const from = given ? graph.getCurrentCount() : 0;
  const to = Math.min(rows.count, from + GROWN_MAX);
  if (!given) graph.initIndex(to, LINKS, BUILD_BREADTH, SEED);
  else if (graph.getMaxElements() < to) graph.resizeIndex(to);
  for (let row = from; row < to; row++) {
    graph.addPoint(Array.from(rows.vectorAt(row)), row);
    if (rows.ids[row] === "") graph.markDelete(row);
  }
  return graph;
}
function saveGraph(files, file, graph) {
  const aside = `${file}.${process.pid}.aside`;
  files.makeFolder(file.slice(0, file.lastIndexOf("/")));
  graph.writeIndexSync(aside);
  const bytes = files.read(aside);
  files.replace(file, bytes);
  files.remove(aside);
  return { rows: graph.getCurrentCount(), bytes: bytes.length, crc: crc32(bytes) };
}
function readGraph(files, hnsw, base, { dimensions, graph: told2 }) {
  if (!told2 || files.size(`${base}.hnsw`) !== told2.bytes) return void 0;
  try {
    if (crc32(files.read(`${base}.hnsw`)) !== told2.crc) return void 0;
    const graph = new hnsw.HierarchicalNSW("ip", dimensions);
    graph.readIndexSync(`${base}.hnsw`);
    return graph.getCurrentCount() === told2.rows ? graph : void 0;
  } catch {
    return void 0;
  }
}

// src/store/vectors.ts
var VECTORS_VERSION = 1;
var NO_VECTORS = { version: VECTORS_VERSION, generation: 0, model: "", dimensions: 0, tiers: {} };
function openVectors(files, layout, hnsw, known) {
  const current = readCurrent(files, layout);
  if (known && known.current.generation === current.generation && known.current.model === current.model) return known;
  const tiers = /* @__PURE__ */ new Map();
  for (const tier2 of TIERS) {
    const name = current.tiers[tier2];
    if (name === void 0) continue;
    const base = `${layout.vectors}/${name}`;
    const index = hnsw ? openHnsw(files, hnsw, base, current.model) : openExact(files, base, current.model);
    if (index) tiers.set(tier2, index);
  }
  return { current, tiers };
}
function writeVectors(layout, tier2, generation, index, model) {
  const name = `${tier2}.${generation}`;
  index.save(`${layout.vectors}/${name}`, model);
  return name;
}
function commitVectors(files, layout, current) {
  files.replace(`${layout.vectors}/${CURRENT}`, Buffer.from(`${JSON.stringify(current)}
`));
  const named3 = [
    ...Object.values(current.tiers).map((name) => `${name}.`),
    ...current.words ? [current.words.file] : []
  ];
  for (const name of files.list(layout.vectors)) {
    const counts = name === CURRENT || named3.some((start) => name.startsWith(start) && !name.endsWith(".aside"));
    if (!counts) files.remove(`${layout.vectors}/${name}`);
  }
}
var readWords = (files, layout, { words }) => words && files.read(`${layout.vectors}/${words.file}`);
function writeWords(files, layout, generation, bytes) {
  const file = `words.${generation}.bin`;
  files.replace(`${layout.vectors}/${file}`, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return file;
}
var CURRENT = "current.json";
function readCurrent(files, layout) {
  try {
    const current = readJson(files, `${layout.vectors}/${CURRENT}`);
    return current?.version === VECTORS_VERSION ? current : NO_VECTORS;
  } catch {
    return NO_VECTORS;
  }
}

// src/store/hnsw.ts
var library;
var loadedHnsw = () => library;

// src/broker/embedding.ts
function wantedOf(memories) {
  const wanted = [];
  for (const memory of memories) {
    if (memory.status !== "active") continue;
    const text2 = textOf2(memory);
    wanted.push({ id: memory.id, tier: memory.tier, text: text2, key: keyOf(text2) });
  }
  return wanted;
}
var keyOf = (text2) => hashPair(text2).map((word) => word.toString(36)).join(".");
var textOf2 = (memory) => [memory.content, ...memory.lessons, ...memory.tags].join("\n");
function missingOf(vectors, wanted, model) {
  const missing = /* @__PURE__ */ new Map();
  for (const one of wanted) if (!indexWith(vectors, one, model)) missing.set(one.key, one);
  return [...missing.values()];
}
function indexWith(vectors, { id: id2, key }, model) {
  if (vectors.current.model !== model) return void 0;
  for (const index of vectors.tiers.values()) if (index.keyOf(id2) === key) return index;
  return void 0;
}
function write(store2, vectors, wanted, { model, dimensions }, embedded, learnt) {
  const { files, layout } = store2;
  const generation = vectors.current.generation + 1;
  const same2 = vectors.current.model === model;
  const found = wanted.flatMap((one) => {
    const index = indexWith(vectors, one, model);
    if (index && index === vectors.tiers.get(one.tier)) return [one];
    const vector = embedded.get(one.key) ?? index?.vectorOf(one.id);
    return vector ? [{ ...one, vector }] : [];
  });
  const tiers = {};
  let changed3 = !same2 || learnt !== void 0 && learnt.file === void 0;
  for (const tier2 of TIERS) {
    const index = same2 && vectors.tiers.get(tier2) || emptyIndex(store2, dimensions);
    const differs = brought(
      index,
      found.filter((one) => one.tier === tier2)
    );
    changed3 ||= differs;
    if (index.size === 0) continue;
    const unchanged = same2 && !differs ? vectors.current.tiers[tier2] : void 0;
    tiers[tier2] = unchanged ?? writeVectors(layout, tier2, generation, index, model);
  }
  if (!changed3) return;
  const words = learnt && {
    file: learnt.file ?? writeWords(files, layout, generation, learnt.words.bytes),
    memories: learnt.memories
  };
  commitVectors(files, layout, { ...vectors.current, generation, model, dimensions, tiers, words });
}
function brought(index, found) {
  const kept3 = new Set(found.map((one) => one.id));
  const gone = index.ids().filter((id2) => !kept3.has(id2));
  const news = found.filter((one) => one.vector !== void 0);
  for (const id2 of gone) index.remove(id2);
  for (const { id: id2, key, vector } of news) index.add(id2, vector, key);
  return gone.length + news.length > 0;
}
function emptyIndex({ files }, dimensions) {
  const hnsw = loadedHnsw();
  return hnsw ? hnswIndex(files, hnsw, dimensions) : exactIndex(files, dimensions);
}

// src/broker/cardLiteral.ts
function literalNear(question, cards) {
  const asked = countedIn(question);
  const near = new Float32Array(cards.length);
  for (let i2 = 0; i2 < near.length; i2++) {
    const card = cards[i2];
    card.counted ??= countedIn(textOf2(card.memory));
    near[i2] = Math.sqrt(cosine(asked, card.counted));
  }
  return near;
}
function countedIn(text2) {
  const counts = /* @__PURE__ */ new Map();
  for (const term2 of termsOf(text2)) counts.set(term2, (counts.get(term2) ?? 0) + 1);
  let squares = 0;
  for (const [term2, count] of counts) {
    const weight2 = weightOf(count, 1);
    counts.set(term2, weight2);
    squares += weight2 * weight2;
  }
  return { weights: counts, length: Math.sqrt(squares) };
}
function cosine(asked, told2) {
  let sum2 = 0;
  for (const [term2, weight2] of asked.weights) sum2 += weight2 * (told2.weights.get(term2) ?? 0);
  return sum2 === 0 ? 0 : Math.min(1, sum2 / (asked.length * told2.length));
}

// src/broker/learnt.ts
var LEARN_FROM = 50;
var LEARN_GROWTH = 1.5;
function learntFor(store2, current, texts) {
  const before = learntBefore(store2, current);
  if (texts.length < Math.max(LEARN_FROM, LEARN_GROWTH * (before?.memories ?? 0))) return before;
  return { words: learnWords([...texts].sort().map(termsOf)), memories: texts.length };
}
function learntBefore(store2, current) {
  const bytes = readWords(store2.files, store2.layout, current);
  if (!bytes) return void 0;
  try {
    return { words: openWords(bytes), ...current.words };
  } catch {
    return void 0;
  }
}

// src/broker/cardMeanings.ts
var UNLEARNT = builtinEmbedder().id;
function cardMeanings(desk, given) {
  const { files, layout } = desk.store;
  let vectors;
  let embedder;
  const begin = () => {
    const now = openVectors(files, layout, void 0, vectors);
    if (now !== vectors || !embedder) {
      const { model } = now.current;
      const learnt = isBuiltin(model) ? learntBefore(desk.store, now.current) : void 0;
      embedder = given && given.id === model ? given : builtinEmbedder(learnt?.words);
      vectors = now;
    }
    return embedder;
  };
  const embedMissing = async (serving, cards) => {
    const missing = [];
    for (const card of cards) {
      if (card.vector?.model === serving.id) continue;
      const text2 = textOf2(card.memory);
      const values = vectorOnDisk(vectors, serving, card, text2);
      if (values) card.vector = { model: serving.id, values };
      else missing.push({ card, text: text2 });
    }
    if (missing.length === 0) return;
    const made = await serving.embed(
      missing.map((one) => one.text),
      "passage"
    );
    missing.forEach(({ card }, i2) => {
      card.vector = { model: serving.id, values: made[i2] };
    });
  };
  return {
    async ask(question, cards) {
      const serving = begin();
      if (serving.id === UNLEARNT) return literalNear(question, cards);
      await embedMissing(serving, cards);
      const [asked] = await serving.embed([question], "query");
      const near = new Float32Array(cards.length);
      for (let i2 = 0; i2 < near.length; i2++) near[i2] = Math.min(1, Math.max(0, dot2(asked, cards[i2].vector.values)));
      return near;
    }
  };
}
function vectorOnDisk({ current, tiers }, embedder, card, text2) {
  if (current.model !== embedder.id) return void 0;
  for (const index of tiers.values()) {
    const key = index.keyOf(card.memory.id);
    if (key !== void 0) return key === keyOf(text2) ? index.vectorOf(card.memory.id) : void 0;
  }
  return void 0;
}
function dot2(a, b) {
  let sum2 = 0;
  for (let i2 = 0; i2 < a.length; i2++) sum2 += a[i2] * b[i2];
  return sum2;
}

// src/broker/cards.ts
function cardsOf(desk) {
  let loaded;
  let cursor = "";
  let cards = [];
  let generation = 0;
  return {
    get generation() {
      return generation;
    },
    all() {
      const memories = desk.memories();
      if (loaded !== desk.loaded) {
        loaded = desk.loaded;
        cards = [];
        generation++;
      } else if (cursor === JSON.stringify(loaded.view.cursor)) return cards;
      cursor = JSON.stringify(loaded.view.cursor);
      cards = dealt(cards, memories);
      return cards;
    }
  };
}
function dealt(before, memories) {
  const cards = [];
  let byId;
  let shift = 0;
  for (const memory of memories.values()) {
    let card = before[cards.length + shift];
    while (card && card.memory.id !== memory.id && !memories.has(card.memory.id)) card = before[cards.length + ++shift];
    if (card && card.memory.id !== memory.id) {
      byId ??= new Map(before.map((one) => [one.memory.id, one]));
      card = byId.get(memory.id);
    }
    cards.push(card ? cardFor(memory, card) : { memory });
  }
  return cards;
}
function cardFor(memory, before) {
  if (before.memory === memory) return before;
  if (!hasSameWords(before.memory, memory)) return { memory };
  return { ...before, memory };
}
function hasSameWords(before, after) {
  return before.content === after.content && before.commandShape === after.commandShape && before.errorSignature === after.errorSignature && before.branch === after.branch && ["tags", "lessons", "files"].every(
    (name) => before[name] === after[name] || JSON.stringify(before[name]) === JSON.stringify(after[name])
  );
}

// src/text/shell.ts
var COMMAND_CHARS_MAX2 = 8192;
var TOKEN = /(&>>?\s*\S+|\d*(?:>[>|]?|<)&?[ \t]*(?:"[^"]*"|'[^']*'|[^\s;|&()<>]+))|(#[^\n]*)|(&&|\|[|&]?|[;&\n()])|(?:[^\s|;&()<>"'\\]|\\[\s\S]|"(?:\\[\s\S]|[^"\\])*"|'[^']*')+/g;
function simpleCommands(command) {
  const found = [];
  const outer = [];
  let words = [];
  let serving = false;
  let tailAt = -1;
  const close = (next) => {
    if (words.length > 0) found.push({ words, serving });
    words = [];
    serving = next || outer.at(-1)?.tail === true;
  };
  for (const match of plain(command).matchAll(TOKEN)) {
    const [token, redirection, comment, operator] = match;
    if (operator === "(") {
      const inside = words.at(-1)?.endsWith("$") === true;
      if (!inside) close(false);
      outer.push({ words, serving, tail: inside });
      words = [];
      serving = inside;
    } else if (operator === ")") {
      close(false);
      const around = outer.pop();
      if (around?.tail) {
        words = around.words;
        serving = around.serving;
        tailAt = match.index + 1;
      }
    } else if (operator !== void 0) close(operator === "|" || operator === "|&");
    else if (redirection === void 0 && comment === void 0 && match.index !== tailAt) words.push(unquoted2(token));
  }
  close(false);
  for (const around of outer.reverse()) if (around.words.length > 0) found.push(around);
  return found;
}
function plain(command) {
  const joined3 = command.slice(0, COMMAND_CHARS_MAX2).replace(/\\\r?\n/g, " ");
  if (!joined3.includes("<<")) return joined3;
  return joined3.replace(
    /(?<!<)<<-?[ \t]*(["']?)([A-Za-z_]\w*)\1([^\n]*)\n(?:[\s\S]*?\n)?[ \t]*\2(?=[\s)"'`;]|$)/g,
    "$3"
  );
}
var unquoted2 = (word) => /["'\\]/.test(word) ? word.replace(/\\([\s\S])|["']/g, "$1") : word;

// src/text/command.ts
function set(words) {
  const all = ` ${words} `;
  return { has: (word) => !word.includes(" ") && all.includes(` ${word} `) };
}
var WITH_SUBCOMMAND = set(
  "git npm pnpm yarn bun npx pnpx bunx uvx go cargo docker podman kubectl mise make pip poetry uv pipenv dotnet mvn mvnw gradle gradlew rails rake bundle terraform helm brew apt apt-get systemctl deno just task composer mix swift flutter dart turbo nx lerna ng next vite astro nuxt bazel zig stack cabal sbt hatch tox nox meson ninja xcodebuild pre-commit corepack memctl artisan"
);
var WITH_TWO = set("gh aws gcloud az");
var GROUPS = set("run exec x dlx run-script compose tool mod stash worktree remote submodule workspace pip task");
var VALUED = set(
  "-C -c --prefix --cwd --dir --filter -F -w --workspace -n --namespace -f --file --git-dir --work-tree --manifest-path --context --project --profile --region -p --package -pl -T -j --directory"
);
var WRAPPERS = {
  sudo: "ugpChU",
  time: "fo",
  timeout: "ks",
  gtimeout: "ks",
  nohup: "",
  env: "uCS",
  command: "",
  exec: "a",
  builtin: "",
  nice: "n",
  xargs: "nIPLsdEa",
  stdbuf: "ioe",
  "xvfb-run": "nse",
  "cross-env": "",
  dotenv: "e",
  watch: "n"
};
var KEYWORDS = set("then do else if elif while until ! { } done fi esac");
var BINDING = set("for case select function in");
var MOVING = set(
  "cd pushd popd echo printf export set source . true false sleep mkdir pwd unset trap exit : wait read local declare return break continue shift eval alias touch clear date kill"
);
var LOOKING = set(
  "ls cat head tail wc grep egrep fgrep rg ag find fd sed awk sort uniq tee less more which type file stat tree jq yq cut tr diff cmp test [ [[ du df ps basename dirname realpath readlink column comm xxd od strings man tldr whoami hostname uname nl seq"
);
var LOOKING_AT = set(
  "status log diff show branch view list ls ps get describe logs inspect blame grep reflog config remote rev-parse rev-list ls-files ls-tree cat-file merge-base for-each-ref shortlog check-ignore symbolic-ref checks env doc version help info outdated why search top"
);
var CHECKERS = set(
  "vitest jest mocha ava tap playwright cypress tsc vue-tsc svelte-check tsd eslint biome oxlint stylelint knip pytest ruff mypy pyright flake8 pylint unittest tox nox rspec rubocop phpunit phpstan pest psalm golangci-lint staticcheck gotestsum ginkgo shellcheck hadolint actionlint yamllint markdownlint ctest ktlint detekt swiftlint karma jasmine webpack rollup tsup esbuild pre-commit ninja xcodebuild"
);
var NAMED = set(
  "npm pnpm yarn bun go cargo docker podman make mise just task rake composer deno turbo nx lerna ng next vite astro nuxt dotnet swift flutter dart mix rails mvn mvnw gradle gradlew terraform helm zig stack cabal bazel sbt hatch meson artisan uv poetry"
);
var CHECK_NAME = /(?:^|[:_.-])(?:t|tst|tests?|spec|e2e|unit|integration|coverage|build|compile|lint|linter|check|checks|typecheck|types?|tsc|vet|verify|validate|analy[sz]e|clippy|nextest|assemble|ci)(?:$|[:_.-])|[a-z]Test$|[a-z]Check$/;
var FORMATTERS = set("prettier gofmt goimports rustfmt black isort shfmt clang-format fmt format");
var FORMAT_CHECKS = set(
  "--check -check -l -d --diff -c --list-different --verify-no-changes --dry-run -n --check-only --Werror"
);
var RUNNERS = set("npx pnpx bunx uvx exec x dlx run");
var CONTAINERS = set("docker podman kubectl");
var SHELLS = set("bash sh zsh dash fish");
var INTERPRETERS = set("python node ruby perl php deno tsx ts-node bash sh zsh dash fish");
function commandShape(command) {
  const words = tellingWords(command);
  const head = headOf(words);
  const end = words.indexOf("--");
  const flags = /* @__PURE__ */ new Set();
  for (const word of end === -1 ? words : words.slice(0, end)) {
    const name = flagName(word);
    if (name !== void 0 && !head.includes(name)) flags.add(name);
  }
  return [...head, ...[...flags].sort()].join(" ");
}
var commandFamily = (command) => headOf(tellingWords(command)).join(" ");
var isCheckCommand = (command) => commandsOf(command).some(({ words }) => isCheck(words));
function flagName(word) {
  const name = /^--?[A-Za-z][\w-]*/.exec(word)?.[0];
  if (name === void 0 || /^-[A-Za-z]\d+$/.test(name)) return name?.slice(0, 2);
  return /\s/.test(word) && !name.startsWith("--") ? name.slice(0, 2) : name;
}
function tellingWords(command) {
  let best = [];
  let bestRank = 0;
  for (const { words, serving } of commandsOf(command)) {
    const full = rankOf(words);
    const rank = !serving ? full : full >= 3 ? 2.5 : 0.5;
    if (rank > bestRank || rank === bestRank && rank >= 3) {
      best = words;
      bestRank = rank;
    }
  }
  return best;
}
function commandsOf(command, depth = 0) {
  return simpleCommands(command).flatMap(({ words, serving }) => {
    const own = unwrapped(words);
    if (own.length === 0 || own[0].startsWith("-")) return [];
    if (depth < 2 && SHELLS.has(own[0])) {
      const at = own.findIndex((word) => /^-\w*c$/.test(word));
      if (at > 0 && own[at + 1] !== void 0) return commandsOf(own[at + 1], depth + 1);
    }
    return [{ words: own, serving }];
  });
}
function unwrapped(words) {
  let i2 = 0;
  while (i2 < words.length) {
    const word = words[i2];
    if (BINDING.has(word)) return [];
    const valued = Object.hasOwn(WRAPPERS, word) ? WRAPPERS[word] : void 0;
    if (valued === void 0 && !KEYWORDS.has(word) && !/^[A-Za-z_]\w*\+?=/.test(word)) break;
    i2++;
    while (valued !== void 0 && words[i2]?.startsWith("-")) {
      const flag2 = words[i2++];
      if (flag2.length === 2 && valued.includes(flag2[1])) i2++;
    }
    if (word.endsWith("timeout")) i2++;
  }
  const program = words[i2];
  const end = words.indexOf("--", i2);
  if (end > 0 && /^(?:exec|x)$/.test(words[i2 + 1] ?? "") && !CONTAINERS.has(program))
    return unwrapped(words.slice(end + 1));
  const name = program === void 0 ? "" : programOf(program);
  return name === "" ? [] : [name, ...words.slice(i2 + 1)];
}
function programOf(word) {
  const path = (/^[^\s=]*/.exec(word.trim())?.[0] ?? "").replaceAll("\\", "/");
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.(?:exe|cmd)$/, "");
  return /^(?:python|pip)[\d.]+$/.test(name) ? name.replace(/[\d.]+$/, "") : name;
}
function rankOf(words) {
  const program = words[0];
  if (isCheck(words)) return 4;
  if (MOVING.has(program)) return 1;
  if (LOOKING.has(program)) return 2;
  return headOf(words).slice(1).some((word) => LOOKING_AT.has(word)) ? 2 : 3;
}
function headOf(words) {
  const program = words[0];
  if (program === void 0) return [];
  if (INTERPRETERS.has(program) && !WITH_SUBCOMMAND.has(program)) return interpreted(program, words);
  let left = WITH_TWO.has(program) ? 2 : WITH_SUBCOMMAND.has(program) ? 1 : 0;
  const head = [program];
  for (let i2 = 1; i2 < words.length && left > 0; i2++) {
    const word = words[i2];
    if (word === "--" && !GROUPS.has(head.at(-1))) break;
    if (VALUED.has(word)) i2++;
    else if (/^[-+]/.test(word) || word.includes("=") || word === "clean" && /^[:a-z]/.test(words[i2 + 1] ?? ""))
      continue;
    else {
      if (RUNNERS.has(head.at(-1)) ? !NAME.test(word) : !/^[A-Za-z:][\w:.@-]*$/.test(word)) break;
      head.push(/^[/~]/.test(word) ? programOf(word) : RUNNERS.has(program) ? unversioned(word) : word);
      if (!(GROUPS.has(word) && head.length < 4 && !CONTAINERS.has(program)) && word !== "compose") left--;
    }
  }
  return head;
}
var NAME = /^[^\s=]+$/;
var unversioned = (word) => word.replace(/(?<=.)@[\w.^~-]+$/, "");
function interpreted(program, words) {
  for (let i2 = 1; i2 < words.length; i2++) {
    const word = words[i2];
    if (word === "-m") return [program, "-m", ...words.slice(i2 + 1, i2 + 2).filter((name) => NAME.test(name))];
    if (/^(?:-[ecp]|--eval|--print|--test|--check)$/.test(word)) return [program, word];
    if (/^(?:-r|--require|--import|--loader|--env-file|-W|-X)$/.test(word)) i2++;
    else if (!word.startsWith("-"))
      return NAME.test(word) ? [program, /^[/~$]/.test(word) ? programOf(word) : word] : [program];
  }
  return [program];
}
function isCheck(words) {
  const program = words[0];
  const head = headOf(words);
  const last = head.at(-1);
  if (program === "npm" && head[1] === "ci") return false;
  if (head.length > 1 && (RUNNERS.has(program) || RUNNERS.has(head.at(-2)))) {
    const inner = words.slice(words.findIndex((word) => unversioned(word) === last || word === last));
    if (inner.length < words.length && isCheck([programOf(last), ...inner.slice(1)])) return true;
  }
  if (head[1] === "-m") return head[2] !== void 0 && isCheck(words.slice(words.indexOf("-m") + 1));
  if (last === "--test" || last === "--check") return INTERPRETERS.has(program);
  const writes = FORMATTERS.has(program) || FORMATTERS.has(head[1] ?? "") || words[1] === "format" && CHECKERS.has(program);
  if (writes) return words.some((word) => FORMAT_CHECKS.has(word));
  if (CHECKERS.has(program))
    return !/^(?:install|open|codegen|init|migrate|--version|--help|-h|-v)$/.test(words[1] ?? "");
  if (!NAMED.has(program)) return false;
  if (program === "make" && head.length === 1) return true;
  if (/^(?:mvnw?|gradlew?)$/.test(program))
    return words.some(
      (word, i2) => i2 > 0 && /^(?:install|package)$|(?:^|:)(?:test|check|verify|build|compile)/.test(word)
    );
  return head.length > 1 && CHECK_NAME.test(last);
}

// src/recall/terms.ts
function indexedTerms(memory) {
  const terms = /* @__PURE__ */ new Map();
  const words = termsOf([memory.content, ...memory.lessons, ...memory.tags].join("\n"));
  for (const word of words) terms.set(word, (terms.get(word) ?? 0) + 1);
  for (const term2 of fieldTerms(memory)) terms.set(term2, 1);
  return { terms, length: words.length };
}
function fieldTerms(of) {
  const terms = of.files.flatMap((file) => [`f:${file}`, `n:${file.slice(file.lastIndexOf("/") + 1)}`]);
  if (of.commandShape) terms.push(`c:${of.commandShape}`, `m:${commandFamily(of.commandShape)}`);
  if (of.errorSignature) terms.push(`e:${of.errorSignature}`);
  if (of.branch && !isTrunk(of.branch)) terms.push(`b:${of.branch}`);
  return terms;
}
var isTrunk = (branch) => /^(main|master|trunk|develop)$/.test(branch);

// src/store/index/format.ts
var DOCUMENTS_MAX = 2 ** 24;
var DOCUMENT_MASK = DOCUMENTS_MAX - 1;
var COUNT_MAX = 255;
var COUNT_SHIFT = 24;
var HEADER_BYTES2 = 64;
var SLOT_BYTES = 16;
var SLOT_WORDS = 4;
var POSTING_BYTES = 4;
var MAGIC2 = 2019844973;
var VERSION3 = 1;
var CHECKSUM_WORD = 15;
function sectionsOf(header) {
  const table = HEADER_BYTES2 + Math.ceil(header.documents / 16) * 16;
  const postings = table + header.slots * SLOT_BYTES;
  return { norms: HEADER_BYTES2, table, postings, end: postings + header.postings * POSTING_BYTES };
}
function homeOf(high, homes) {
  return Math.floor(high * homes / 2 ** 32);
}
function writeHeader(words, header) {
  words[0] = MAGIC2;
  words[1] = VERSION3;
  words[2] = header.documents;
  words[3] = header.lengthTotal % 2 ** 32;
  words[4] = Math.floor(header.lengthTotal / 2 ** 32);
  words[5] = header.terms;
  words[6] = header.homes;
  words[7] = header.slots;
  words[8] = header.probe;
  words[9] = header.postings;
  words[10] = header.bodyChecksum;
  words[CHECKSUM_WORD] = checksum(words.subarray(0, CHECKSUM_WORD));
}
function readHeader(words, size, file) {
  if (words.length * 4 !== HEADER_BYTES2 || words[0] !== MAGIC2) throw damaged(file, "does not begin as one");
  if (words[CHECKSUM_WORD] !== checksum(words.subarray(0, CHECKSUM_WORD))) throw damaged(file, "has a damaged header");
  const version = words[1];
  if (version > VERSION3) {
    throw new MemoryError("STORE_NEWER", `${file} has index format ${version}, this memctl reads ${VERSION3}`, {
      mend: "Update memctl, or run `memctl rebuild` to write the index anew from the log."
    });
  }
  if (version < VERSION3) throw damaged(file, `has the old format ${version}`);
  const header = {
    documents: words[2],
    lengthTotal: words[3] + words[4] * 2 ** 32,
    terms: words[5],
    homes: words[6],
    slots: words[7],
    probe: words[8],
    postings: words[9],
    bodyChecksum: words[10]
  };
  const { end } = sectionsOf(header);
  if (end !== size) throw damaged(file, `has ${size} bytes instead of ${end}`);
  return header;
}
function checksum(words) {
  let hash = 2166136261;
  for (let i2 = 0; i2 < words.length; i2++) hash = Math.imul(hash ^ words[i2], 16777619);
  return hash >>> 0;
}
function damaged(file, what) {
  return new MemoryError("STORE_INVALID", `Index file ${file} ${what}`, {
    mend: "Run `memctl rebuild`: the index is written anew from the log, nothing is lost."
  });
}

// src/store/index/tallyCode.ts
var BLOCK = 2;
var LOOP = 3;
var IF = 4;
var NOTHING = 64;
var END2 = 11;
var BR = 12;
var BR_IF = 13;
var GET = 32;
var SET = 33;
var TEE = 34;
var I32_LOAD = 40;
var F32_LOAD = 42;
var F64_LOAD = 43;
var I32_LOAD8_U = 45;
var I32_LOAD16_U = 47;
var I32_STORE = 54;
var F32_STORE = 56;
var F64_STORE = 57;
var I32_STORE16 = 59;
var I32_CONST = 65;
var F32_CONST = 67;
var F64_CONST = 68;
var I32_EQZ = 69;
var I32_GE_U = 79;
var F32_LT = 93;
var I32_ADD = 106;
var I32_MUL = 108;
var I32_SHL = 116;
var I32_SHR_U = 118;
var F32_ADD = 146;
var F64_ADD = 160;
var F64_MUL = 162;
var F64_DIV = 163;
var F32_DEMOTE_F64 = 182;
var F64_CONVERT_I32_U = 184;
var I32 = 127;
var F32 = 125;
var F64 = 124;
function tallyModule() {
  const bytes = [0, 97, 115, 109, 1, 0, 0, 0].concat(
    section(1, [2].concat(ADD_TYPE, KEYS_TYPE)),
    section(3, [2, 0, 1]),
    // two functions, of the first and the second type
    section(5, [1, 0, 0]),
    // one memory
    section(7, [3].concat(named2("memory", 2, 0), named2("add", 0, 0), named2("keys", 0, 1))),
    section(10, [2].concat(sized(ADD), sized(KEYS)))
  );
  return new Uint8Array(bytes);
}
var section = (id2, content2) => [id2].concat(sized(content2));
var sized = (content2) => [content2.length & 127 | 128, content2.length >>> 7].concat(content2);
function named2(name, kind, index) {
  const bytes = [name.length];
  for (let i2 = 0; i2 < name.length; i2++) bytes.push(name.charCodeAt(i2));
  bytes.push(kind, index);
  return bytes;
}
var ADD_TYPE = [96, 12, F64, I32, I32, I32, I32, I32, I32, I32, I32, I32, I32, I32, 1, I32];
var GAIN = 0;
var FROM = 1;
var TO = 2;
var NORMS = 3;
var ROWS = 4;
var DOCUMENTS = 5;
var BASE = 6;
var TABLE = 7;
var STRIDE = 8;
var COLUMN = 9;
var ADMIT = 10;
var TOUCHED = 11;
var DOC = 12;
var ROW = 13;
var AT = 14;
var COUNT = 15;
var SCORE = 16;
var ADD = [
  3,
  3,
  I32,
  1,
  F64,
  1,
  F32,
  // three kinds of locals, and how many of each
  BLOCK,
  NOTHING,
  LOOP,
  NOTHING,
  GET,
  FROM,
  GET,
  TO,
  I32_GE_U,
  BR_IF,
  1,
  // doc: the low 24 bits of the posting
  GET,
  FROM,
  I32_LOAD,
  2,
  0,
  I32_CONST,
  8,
  I32_SHL,
  I32_CONST,
  8,
  I32_SHR_U,
  SET,
  DOC,
  // count: its fourth byte
  GET,
  FROM,
  I32_LOAD8_U,
  0,
  3,
  F64_CONVERT_I32_U,
  SET,
  COUNT,
  GET,
  FROM,
  I32_CONST,
  4,
  I32_ADD,
  SET,
  FROM,
  GET,
  DOC,
  GET,
  DOCUMENTS,
  I32_GE_U,
  BR_IF,
  0,
  // row = rows[doc]
  GET,
  ROWS,
  GET,
  DOC,
  I32_CONST,
  1,
  I32_SHL,
  I32_ADD,
  TEE,
  AT,
  I32_LOAD16_U,
  1,
  0,
  TEE,
  ROW,
  I32_EQZ,
  IF,
  NOTHING,
  GET,
  ADMIT,
  I32_EQZ,
  BR_IF,
  1,
  // rows[doc] = row = touched += 1
  GET,
  AT,
  GET,
  TOUCHED,
  I32_CONST,
  1,
  I32_ADD,
  TEE,
  TOUCHED,
  TEE,
  ROW,
  I32_STORE16,
  1,
  0,
  // table[row].document = base + doc
  GET,
  TABLE,
  GET,
  ROW,
  GET,
  STRIDE,
  I32_MUL,
  I32_ADD,
  GET,
  BASE,
  GET,
  DOC,
  I32_ADD,
  I32_STORE,
  2,
  8,
  END2,
  // score = gain * count / (count + penalties[norms[doc]])
  GET,
  GAIN,
  GET,
  COUNT,
  F64_MUL,
  GET,
  COUNT,
  GET,
  NORMS,
  GET,
  DOC,
  I32_ADD,
  I32_LOAD8_U,
  0,
  0,
  I32_CONST,
  3,
  I32_SHL,
  F64_LOAD,
  3,
  0,
  F64_ADD,
  F64_DIV,
  F32_DEMOTE_F64,
  SET,
  SCORE,
  // table[row].total += score
  GET,
  TABLE,
  GET,
  ROW,
  GET,
  STRIDE,
  I32_MUL,
  I32_ADD,
  TEE,
  AT,
  GET,
  AT,
  F32_LOAD,
  2,
  0,
  GET,
  SCORE,
  F32_ADD,
  F32_STORE,
  2,
  0,
  // table[row].matched += 1
  GET,
  AT,
  GET,
  AT,
  F32_LOAD,
  2,
  4,
  F32_CONST,
  0,
  0,
  128,
  63,
  F32_ADD,
  F32_STORE,
  2,
  4,
  // table[row][column] += score
  GET,
  AT,
  GET,
  COLUMN,
  I32_ADD,
  TEE,
  AT,
  GET,
  AT,
  F32_LOAD,
  2,
  0,
  GET,
  SCORE,
  F32_ADD,
  F32_STORE,
  2,
  0,
  BR,
  0,
  END2,
  END2,
  GET,
  TOUCHED,
  END2
];
var KEYS_TYPE = [96, 5, I32, I32, I32, I32, F32, 1, I32];
var KEYS_TABLE = 0;
var KEYS_STRIDE = 1;
var KEYS_TOUCHED = 2;
var KEYS_INTO = 3;
var KEYS_FLOOR = 4;
var KEYS_ROW = 5;
var KEYS = [
  1,
  1,
  I32,
  BLOCK,
  NOTHING,
  LOOP,
  NOTHING,
  GET,
  KEYS_ROW,
  GET,
  KEYS_TOUCHED,
  I32_GE_U,
  BR_IF,
  1,
  GET,
  KEYS_ROW,
  I32_CONST,
  1,
  I32_ADD,
  SET,
  KEYS_ROW,
  GET,
  KEYS_TABLE,
  GET,
  KEYS_STRIDE,
  I32_ADD,
  TEE,
  KEYS_TABLE,
  F32_LOAD,
  2,
  0,
  GET,
  KEYS_FLOOR,
  F32_LT,
  BR_IF,
  0,
  // bits of the total * 2 ** 16 + row
  GET,
  KEYS_INTO,
  GET,
  KEYS_TABLE,
  I32_LOAD,
  2,
  0,
  F64_CONVERT_I32_U,
  F64_CONST,
  0,
  0,
  0,
  0,
  0,
  0,
  240,
  64,
  F64_MUL,
  GET,
  KEYS_ROW,
  F64_CONVERT_I32_U,
  F64_ADD,
  F64_STORE,
  3,
  0,
  GET,
  KEYS_INTO,
  I32_CONST,
  8,
  I32_ADD,
  SET,
  KEYS_INTO,
  BR,
  0,
  END2,
  END2,
  GET,
  KEYS_INTO,
  END2
];

// src/store/index/tallyLoops.ts
var TOTAL = 0;
var MATCHED = 1;
var DOCUMENT = 2;
var GROUPS2 = 3;
function tallyLoops(bytes) {
  if (!engine) return plainLoops(bytes);
  try {
    return compiledLoops(engine, bytes);
  } catch {
    return plainLoops(bytes);
  }
}
function compiledLoops(engine2, bytes) {
  const { memory, add, keys } = new engine2.Instance(new engine2.Module(tallyModule())).exports;
  memory.grow(Math.ceil(bytes / 65536));
  return { memory: memory.buffer, add, keys };
}
var engine = globalThis.WebAssembly;
function plainLoops(bytes) {
  const memory = new ArrayBuffer(Math.ceil(bytes / 8) * 8);
  const halves = new Uint16Array(memory);
  const words = new Uint32Array(memory);
  const floats = new Float32Array(memory);
  const doubles = new Float64Array(memory);
  const octets = new Uint8Array(memory);
  return {
    memory,
    add(gain, from, to, norms, rows, documents, base, table, stride, column, admit, touched) {
      let rowsTaken = touched;
      for (let posting = from; posting < to; posting += 4) {
        const doc = words[posting >>> 2] & DOCUMENT_MASK;
        const count = words[posting >>> 2] >>> COUNT_SHIFT;
        if (doc >= documents) continue;
        let row = halves[(rows >>> 1) + doc];
        if (row === 0) {
          if (!admit) continue;
          row = ++rowsTaken;
          halves[(rows >>> 1) + doc] = row;
          words[(table + row * stride >>> 2) + DOCUMENT] = base + doc;
        }
        const score = Math.fround(gain * count / (count + doubles[octets[norms + doc]]));
        const at = table + row * stride >>> 2;
        floats[at + TOTAL] += score;
        floats[at + MATCHED] += 1;
        floats[at + (column >>> 2)] += score;
      }
      return rowsTaken;
    },
    keys(table, stride, touched, into, floor) {
      let key = into >>> 3;
      for (let row = 1; row <= touched; row++) {
        const at = table + row * stride >>> 2;
        if (floats[at] < floor) continue;
        doubles[key++] = words[at] * 2 ** 16 + row;
      }
      return key << 3;
    }
  };
}

// src/store/index/tally.ts
var PENALTIES_BYTES = 256 * 8;
var ROW_BITS = 16;
var ROWS_MAX = 2 ** ROW_BITS - 1;
var Tally = class {
  /** The table, as floats and as integers: a row has this many `columns`. */
  values;
  words;
  columns;
  /** For each segment, the number of its document 0 over all segments. */
  bases = [];
  #documents;
  #hasNorms = [];
  #touchedMax;
  #loops;
  #at;
  #rows;
  #touched = 0;
  #totalMax = 0;
  constructor(shape, penalties) {
    let documents = 0;
    for (const count of shape.documents) {
      this.bases.push(documents);
      documents += count;
    }
    this.#documents = shape.documents;
    this.columns = GROUPS2 + shape.groups;
    this.#touchedMax = Math.min(documents, shape.touchedMax, ROWS_MAX);
    const words = (this.#touchedMax + 1) * this.columns;
    this.#at = placed(documents, words, Math.max(shape.postingsMax, 2 * this.#touchedMax));
    this.#loops = tallyLoops(this.#at.end);
    const { memory } = this.#loops;
    this.#rows = new Uint16Array(memory, this.#at.rows, documents);
    this.words = new Uint32Array(memory, this.#at.table, words);
    this.values = new Float32Array(memory, this.#at.table, words);
    new Float64Array(memory, 0, 256).set(penalties);
  }
  /** How many documents have a score. */
  get touched() {
    return this.#touched;
  }
  /** No total is higher. */
  get totalMax() {
    return this.#totalMax;
  }
  /** Whether there is room for `count` more documents, should they all be new. Room for all there are is always room. */
  hasRoom(count) {
    return this.#touched + count <= this.#touchedMax || this.#touchedMax === this.#rows.length;
  }
  /**
   * Adds gain · count / (count + penalty of the norm) for a term's postings in one segment. Unless `admit`, only to
   * documents that have a score.
   */
  add(segment, postings, norms, gain, group, admit) {
    const at = this.#at;
    const { memory } = this.#loops;
    const base = this.bases[segment];
    if (!this.#hasNorms[segment]) new Uint8Array(memory, at.norms + base, norms.length).set(norms);
    this.#hasNorms[segment] = true;
    new Uint32Array(memory, at.scratch, postings.length).set(postings);
    this.#totalMax += gain;
    this.#touched = this.#loops.add(
      gain,
      at.scratch,
      at.scratch + 4 * postings.length,
      at.norms + base,
      at.rows + 2 * base,
      norms.length,
      base,
      at.table,
      4 * this.columns,
      4 * (GROUPS2 + group),
      admit ? 1 : 0,
      this.#touched
    );
  }
  /** Where a document's scores stand in `values`; at a row of zeros where it has none or there is no such document. */
  at(segment, doc) {
    const known = doc >= 0 && doc < this.#documents[segment];
    return (known ? this.#rows[this.bases[segment] + doc] * this.columns : 0) + GROUPS2;
  }
  /** A key for each row whose total is `floor` or more: keys order as the totals do. They last until the next call. */
  keysFrom(floor) {
    const { scratch, table } = this.#at;
    const end = this.#loops.keys(table, 4 * this.columns, this.#touched, scratch, floor);
    return new Float64Array(this.#loops.memory, scratch, (end - scratch) / 8);
  }
};
function rowOfKey(key) {
  return key % 2 ** ROW_BITS;
}
function placed(documents, tableWords, scratchWords) {
  const after = (start, bytes) => Math.ceil((start + bytes) / 8) * 8;
  const rows = PENALTIES_BYTES;
  const norms = after(rows, 2 * documents);
  const table = after(norms, documents);
  const scratch = after(table, 4 * tableWords);
  return { rows, norms, table, scratch, end: after(scratch, 4 * scratchWords) };
}

// src/store/index/best.ts
function bestOf(tally, resultsMax, alive) {
  if (resultsMax <= 0) return [];
  for (let wanted = resultsMax; ; wanted *= 4) {
    const keys = bestKeys(tally, wanted);
    const found = inOrder(tally, keys, resultsMax, alive);
    if (found.length === resultsMax || keys.length === tally.touched) return found;
  }
}
function bestKeys(tally, wanted) {
  let low = 0;
  let high = tally.totalMax;
  let count = tally.touched;
  for (let tries = 0; tries < 16 && count > 2 * wanted; tries++) {
    const middle = (low + high) / 2;
    const fewer = tally.keysFrom(middle).length;
    if (fewer >= wanted) {
      low = middle;
      count = fewer;
    } else {
      high = middle;
    }
  }
  return tally.keysFrom(low).sort();
}
function inOrder(tally, keys, resultsMax, alive) {
  const { values, words, columns, bases } = tally;
  const found = [];
  let segment = 0;
  for (let end = keys.length; end > 0 && found.length < resultsMax; ) {
    const score = values[rowOfKey(keys[end - 1]) * columns + TOTAL];
    let start = end - 1;
    while (start > 0 && values[rowOfKey(keys[start - 1]) * columns + TOTAL] === score) start--;
    if (end - start > 1) sortByAge(keys.subarray(start, end), words, columns);
    for (let i2 = end - 1; i2 >= start && found.length < resultsMax; i2--) {
      const at = rowOfKey(keys[i2]) * columns;
      const document = words[at + DOCUMENT];
      while (segment > 0 && bases[segment] > document) segment--;
      while (segment + 1 < bases.length && bases[segment + 1] <= document) segment++;
      const doc = document - bases[segment];
      if (!alive || alive(segment, doc)) found.push({ segment, doc, score, matched: values[at + MATCHED] });
    }
    end = start;
  }
  return found;
}
function sortByAge(keys, words, columns) {
  const documentOf = (key) => words[rowOfKey(key) * columns + DOCUMENT];
  keys.sort((a, b) => documentOf(a) - documentOf(b));
}

// src/store/index/norm.ts
var STEPS_PER_DOUBLING = 16;
var STEPS = Array.from({ length: STEPS_PER_DOUBLING }, (_, step) => 2 ** (step / STEPS_PER_DOUBLING));
function encodeLength(length) {
  return Math.min(255, Math.round(STEPS_PER_DOUBLING * Math.log2(1 + length)));
}
function decodeLength(norm) {
  return Math.round(STEPS[norm & 15] * (1 << (norm >> 4))) - 1;
}

// src/store/index/search.ts
var GROUPS_MAX = 8;
var TOUCHED_MAX = 8e3;
function scores(segments, query, options) {
  for (const { term: term2, group } of query) {
    if (!(group >= 0 && group < GROUPS_MAX)) throw new RangeError(`Group ${group} of term ${term2} is not from 0 to 7`);
  }
  const found = foundTerms(segments, query);
  const { read, skipped } = withinBudget(found, options.postingsMax);
  let documents = 0;
  let lengthTotal = 0;
  for (const segment of segments) {
    documents += segment.documents;
    lengthTotal += segment.lengthTotal;
  }
  const shape = {
    documents: segments.map((segment) => segment.documents),
    groups: GROUPS_MAX,
    touchedMax: options.touchedMax ?? TOUCHED_MAX,
    postingsMax: read.at(-1)?.df ?? 0
  };
  const tally = new Tally(shape, penaltiesOf(options, lengthTotal / documents));
  for (const { term: term2, hits, df } of read) {
    const gain = gainOf(term2, df, documents, options);
    const admit = tally.hasRoom(df);
    for (let i2 = 0; i2 < segments.length; i2++) {
      const segment = segments[i2];
      const hit = hits[i2];
      if (hit) tally.add(i2, segment.postings(hit), segment.norms(), gain, term2.group, admit);
    }
  }
  return {
    skipped,
    values: tally.values,
    at: (segment, doc) => tally.at(segment, doc),
    nowhere: tally.at(0, -1),
    scoreOf: (segment, doc, group) => tally.values[tally.at(segment, doc) + group],
    greatestIn(group) {
      let sum2 = 0;
      for (const { term: term2, df } of found) if (term2.group === group) sum2 += gainOf(term2, df, documents, options);
      return sum2;
    },
    best: (resultsMax, alive) => bestOf(tally, resultsMax, alive)
  };
}
var gainOf = (term2, df, documents, { k1 }) => term2.weight * Math.log(1 + (documents - df + 0.5) / (df + 0.5)) * (k1 + 1);
function foundTerms(segments, query) {
  const terms = query.map(({ term: term2 }) => term2);
  const hashes = terms.map(hashPair);
  const bySegments = segments.map((segment) => segment.find(terms, hashes));
  const found = [];
  for (let i2 = 0; i2 < query.length; i2++) {
    const hits = bySegments.map((bySegment) => bySegment[i2]);
    let df = 0;
    for (const hit of hits) df += hit ? hit.df : 0;
    found.push({ term: query[i2], hits, df });
  }
  return found;
}
function withinBudget(found, postingsMax) {
  const known = found.filter(({ term: term2, df }) => df > 0 && term2.weight > 0);
  known.sort((a, b) => a.df - b.df);
  const read = [];
  const skipped = [];
  let left = postingsMax;
  for (const one of known) {
    if (one.df > left) {
      skipped.push(one.term.term);
    } else {
      read.push(one);
      left -= one.df;
    }
  }
  return { read, skipped };
}
function penaltiesOf({ k1, b }, lengthAverage) {
  const penalties = new Float64Array(256);
  if (!(lengthAverage > 0)) return penalties.fill(k1);
  for (let norm = 0; norm < 256; norm++) penalties[norm] = k1 * (1 - b + b * decodeLength(norm) / lengthAverage);
  return penalties;
}

// src/store/index/segment.ts
var RESIDENT_BYTES_MAX = 524288;
function openSegment(files, path) {
  const file = files.open(path);
  if (!file) return void 0;
  try {
    return segmentIn(file, path);
  } catch (error) {
    file.close();
    throw error;
  }
}
function segmentIn(file, path) {
  const resident = file.size <= RESIDENT_BYTES_MAX ? file.readAt(0, file.size) : void 0;
  const read = (position, length) => {
    const bytes = resident ? resident.subarray(position, position + length) : file.readAt(position, length);
    if (bytes.length < length) throw damaged(path, "was cut short");
    return bytes;
  };
  const header = readHeader(wordsOf(read(0, Math.min(HEADER_BYTES2, file.size))), file.size, path);
  const at = sectionsOf(header);
  let norms;
  return {
    documents: header.documents,
    lengthTotal: header.lengthTotal,
    norms() {
      norms ??= read(at.norms, header.documents);
      return norms;
    },
    find(terms, hashes = terms.map(hashPair)) {
      const hits = [];
      for (let i2 = 0; i2 < terms.length; i2++) {
        const hit = header.terms === 0 ? void 0 : lookUp(read, header, at, terms[i2], hashes[i2]);
        if (hit && (hit.df > header.documents || hit.first + hit.df > header.postings)) {
          throw damaged(path, "has a damaged term table");
        }
        hits.push(hit);
      }
      return hits;
    },
    postings(hit, max = hit.df) {
      const count = Math.min(hit.df, max);
      const first = hit.first + hit.df - count;
      return wordsOf(read(at.postings + first * POSTING_BYTES, count * POSTING_BYTES));
    },
    whole() {
      const body = wordsOf(read(HEADER_BYTES2, at.end - HEADER_BYTES2));
      if (checksum(body) !== header.bodyChecksum) throw damaged(path, "has a wrong checksum");
      return {
        table: body.subarray((at.table - HEADER_BYTES2) / 4, (at.postings - HEADER_BYTES2) / 4),
        postings: body.subarray((at.postings - HEADER_BYTES2) / 4)
      };
    },
    close: () => file.close()
  };
}
function lookUp(read, header, at, term2, hash) {
  const [high, low] = hash;
  const home = homeOf(high, header.homes);
  const slots = Math.min(header.probe, header.slots - home);
  const words = wordsOf(read(at.table + home * SLOT_BYTES, slots * SLOT_BYTES));
  for (let i2 = 0; i2 < words.length; i2 += SLOT_WORDS) {
    const df = words[i2 + 2];
    if (df === 0 || words[i2] > high) return void 0;
    if (words[i2] === high && words[i2 + 1] === low) return { term: term2, df, first: words[i2 + 3] };
  }
  return void 0;
}
function wordsOf(bytes) {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >>> 2);
}

// src/store/index/layout.ts
var HOMES_PER_TERM = 1.5;
function segmentBytes(parts) {
  const { norms, lengthTotal, terms, postings } = parts;
  const homes = Math.ceil(terms.count * HOMES_PER_TERM);
  const { slots, probe } = placed2(terms, homes, () => {
  });
  const shape = {
    documents: norms.length,
    lengthTotal,
    terms: terms.count,
    homes,
    slots,
    probe,
    postings: postings.length
  };
  const at = sectionsOf(shape);
  const bytes = new ArrayBuffer(at.end);
  new Uint8Array(bytes, at.norms, norms.length).set(norms);
  writeTable(new Uint32Array(bytes, at.table, slots * SLOT_WORDS), terms, homes);
  new Uint32Array(bytes, at.postings, postings.length).set(postings);
  const header = { ...shape, bodyChecksum: checksum(new Uint32Array(bytes, HEADER_BYTES2)) };
  writeHeader(new Uint32Array(bytes, 0, HEADER_BYTES2 / 4), header);
  return Buffer.from(bytes);
}
function writeTable(table, terms, homes) {
  let first = 0;
  placed2(terms, homes, (term2, slot) => {
    const at = slot * SLOT_WORDS;
    table[at] = terms.high[term2];
    table[at + 1] = terms.low[term2];
    table[at + 2] = terms.frequency[term2];
    table[at + 3] = first;
    first += terms.frequency[term2];
  });
}
function placed2(terms, homes, put) {
  let next = 0;
  let probe = 0;
  for (let term2 = 0; term2 < terms.count; term2++) {
    const home = homeOf(terms.high[term2], homes);
    const slot = Math.max(home, next);
    put(term2, slot);
    probe = Math.max(probe, slot - home + 1);
    next = slot + 1;
  }
  return { slots: Math.max(homes, next), probe };
}

// src/store/index/termSet.ts
var TermSet = class {
  count = 0;
  high = new Uint32Array(1024);
  low = new Uint32Array(1024);
  frequency = new Uint32Array(1024);
  /** One past the term's newest posting. */
  lastPosting = new Uint32Array(1024);
  #slots = new Uint32Array(2048);
  idOf(high, low) {
    const mask = this.#slots.length - 1;
    let slot = low & mask;
    for (let found = this.#slots[slot]; found !== 0; found = this.#slots[slot]) {
      if (this.low[found - 1] === low && this.high[found - 1] === high) return found - 1;
      slot = slot + 1 & mask;
    }
    if (this.count === this.high.length) {
      this.#grow();
      return this.idOf(high, low);
    }
    this.high[this.count] = high;
    this.low[this.count] = low;
    this.#slots[slot] = ++this.count;
    return this.count - 1;
  }
  /** Ids by ascending hash: a counting sort by home, where about one term meets another, then insertion. */
  inHashOrder() {
    const ends = new Uint32Array(this.count + 1);
    for (let id2 = 0; id2 < this.count; id2++) ends[homeOf(this.high[id2], this.count) + 1]++;
    for (let i2 = 1; i2 < ends.length; i2++) ends[i2] += ends[i2 - 1];
    const order = new Uint32Array(this.count);
    for (let id2 = 0; id2 < this.count; id2++) order[ends[homeOf(this.high[id2], this.count)]++] = id2;
    for (let i2 = 1; i2 < order.length; i2++) {
      const id2 = order[i2];
      let at = i2;
      for (; at > 0 && this.#before(id2, order[at - 1]); at--) order[at] = order[at - 1];
      order[at] = id2;
    }
    return order;
  }
  columns(order) {
    const pick = (from) => {
      const picked = new Uint32Array(order.length);
      for (let i2 = 0; i2 < order.length; i2++) picked[i2] = from[order[i2]];
      return picked;
    };
    return { count: this.count, high: pick(this.high), low: pick(this.low), frequency: pick(this.frequency) };
  }
  #before(a, b) {
    return this.high[a] < this.high[b] || this.high[a] === this.high[b] && this.low[a] < this.low[b];
  }
  #grow() {
    const capacity = 2 * this.high.length;
    this.high = grown2(this.high, new Uint32Array(capacity));
    this.low = grown2(this.low, new Uint32Array(capacity));
    this.frequency = grown2(this.frequency, new Uint32Array(capacity));
    this.lastPosting = grown2(this.lastPosting, new Uint32Array(capacity));
    this.#slots = new Uint32Array(2 * capacity);
    const mask = this.#slots.length - 1;
    for (let id2 = 0; id2 < this.count; id2++) {
      let slot = this.low[id2] & mask;
      while (this.#slots[slot] !== 0) slot = slot + 1 & mask;
      this.#slots[slot] = id2 + 1;
    }
  }
};
function grown2(from, into) {
  into.set(from);
  return into;
}

// src/store/index/writer.ts
function writeSegment(documents) {
  const terms = new TermSet();
  const postings = new Collected();
  let norms = new Uint8Array(1024);
  let lengthTotal = 0;
  let document = 0;
  for (const { terms: counted, length } of documents) {
    if (document === DOCUMENTS_MAX) throw tooMany();
    if (document === norms.length) norms = grown2(norms, new Uint8Array(2 * document));
    norms[document] = encodeLength(length);
    lengthTotal += decodeLength(norms[document]);
    const start = postings.count;
    for (const [text2, count] of counted) {
      if (count >= 1) collect(terms, postings, text2, document, Math.min(COUNT_MAX, count), start);
    }
    document++;
  }
  const order = terms.inHashOrder();
  return segmentBytes({
    norms: norms.subarray(0, document),
    lengthTotal,
    terms: terms.columns(order),
    postings: byTerm(terms, postings, order)
  });
}
function tooMany() {
  return new MemoryError("INPUT_INVALID", `An index segment holds at most ${DOCUMENTS_MAX} documents`, {
    mend: "Write the documents as several segments."
  });
}
function collect(terms, postings, text2, document, count, start) {
  const [high, low] = hashPair(text2);
  const term2 = terms.idOf(high, low);
  const before = terms.lastPosting[term2] - 1;
  if (before >= start) {
    const sum2 = Math.min(COUNT_MAX, (postings.postingAt(before) >>> COUNT_SHIFT) + count);
    postings.replaceAt(before, postings.postingAt(before) & DOCUMENT_MASK | sum2 << COUNT_SHIFT);
    return;
  }
  postings.push(term2, document | count << COUNT_SHIFT);
  terms.lastPosting[term2] = postings.count;
  terms.frequency[term2]++;
}
function byTerm(terms, postings, order) {
  const next = new Uint32Array(terms.count);
  let first = 0;
  for (let i2 = 0; i2 < order.length; i2++) {
    next[order[i2]] = first;
    first += terms.frequency[order[i2]];
  }
  const sorted = new Uint32Array(postings.count);
  postings.forEachChunk((ids, values, length) => {
    for (let i2 = 0; i2 < length; i2++) sorted[next[ids[i2]]++] = values[i2];
  });
  return sorted;
}
var CHUNK_BITS = 18;
var CHUNK = 2 ** CHUNK_BITS;
var Collected = class {
  count = 0;
  #ids = [];
  #values = [];
  push(term2, posting) {
    const within = this.count & CHUNK - 1;
    if (within === 0) {
      this.#ids.push(new Uint32Array(CHUNK));
      this.#values.push(new Uint32Array(CHUNK));
    }
    const chunk = this.count >>> CHUNK_BITS;
    this.#ids[chunk][within] = term2;
    this.#values[chunk][within] = posting;
    this.count++;
  }
  postingAt(at) {
    return this.#values[at >>> CHUNK_BITS][at & CHUNK - 1];
  }
  replaceAt(at, posting) {
    this.#values[at >>> CHUNK_BITS][at & CHUNK - 1] = posting;
  }
  forEachChunk(visit) {
    for (let chunk = 0; chunk < this.#ids.length; chunk++) {
      visit(this.#ids[chunk], this.#values[chunk], Math.min(CHUNK, this.count - chunk * CHUNK));
    }
  }
};

// src/store/index/merge.ts
function mergeSegments(inputs) {
  const { norms, lengthTotal, renumbered } = keptDocuments(inputs);
  const sources = inputs.map(({ segment }, i2) => new Source(segment, renumbered[i2]));
  const termsMax = sources.reduce((sum2, source) => sum2 + source.table.length / SLOT_WORDS, 0);
  const high = new Uint32Array(termsMax);
  const low = new Uint32Array(termsMax);
  const frequency = new Uint32Array(termsMax);
  const postings = new Uint32Array(sources.reduce((sum2, source) => sum2 + source.postings.length, 0));
  let count = 0;
  let written = 0;
  for (let next = least(sources); next; next = least(sources)) {
    const { high: termHigh, low: termLow } = next;
    const start = written;
    for (const source of sources) {
      if (source.high === termHigh && source.low === termLow) written = source.take(postings, written);
    }
    if (written === start) continue;
    inOrder2(postings.subarray(start, written));
    high[count] = termHigh;
    low[count] = termLow;
    frequency[count++] = written - start;
  }
  return segmentBytes({
    norms,
    lengthTotal,
    terms: { count, high, low, frequency },
    postings: postings.subarray(0, written)
  });
}
var GONE = 2 ** 32 - 1;
function keptDocuments(inputs) {
  const all = new Uint8Array(inputs.reduce((sum2, { segment }) => sum2 + segment.documents, 0));
  let lengthTotal = 0;
  let kept3 = 0;
  const renumbered = inputs.map(({ segment, keep, place }) => {
    const numbers = new Uint32Array(segment.documents).fill(GONE);
    const norms = segment.norms();
    for (let doc = 0; doc < segment.documents; doc++) {
      if (!keep(doc)) continue;
      const number2 = place ? place(doc) : kept3;
      lengthTotal += decodeLength(norms[doc]);
      all[number2] = norms[doc];
      numbers[doc] = number2;
      kept3++;
    }
    return numbers;
  });
  if (kept3 > DOCUMENTS_MAX) throw tooMany();
  return { norms: all.subarray(0, kept3), lengthTotal, renumbered };
}
function inOrder2(postings) {
  let last = -1;
  for (let i2 = 0; i2 < postings.length; i2++) {
    const document = postings[i2] & DOCUMENT_MASK;
    if (document < last) {
      for (let j = 0; j < postings.length; j++) postings[j] = postings[j] << 8 | postings[j] >>> COUNT_SHIFT;
      postings.sort();
      for (let j = 0; j < postings.length; j++) postings[j] = postings[j] >>> 8 | postings[j] << COUNT_SHIFT;
      return;
    }
    last = document;
  }
}
function least(sources) {
  let found;
  for (const source of sources) {
    if (source.done) continue;
    if (!found || source.high < found.high || source.high === found.high && source.low < found.low) found = source;
  }
  return found;
}
var Source = class {
  table;
  postings;
  #numbers;
  #at = -SLOT_WORDS;
  /** The hash of the term at hand; -1 when there is none, which no hash is. */
  high = -1;
  low = -1;
  constructor(segment, numbers) {
    const { table, postings } = segment.whole();
    this.table = table;
    this.postings = postings;
    this.#numbers = numbers;
    this.#advance();
  }
  get done() {
    return this.#at >= this.table.length;
  }
  /** Copies the kept postings of the term at hand, goes on to the next term; returns the new end. */
  take(into, at) {
    const first = this.table[this.#at + 3];
    const end = first + this.table[this.#at + 2];
    let written = at;
    for (let i2 = first; i2 < end; i2++) {
      const posting = this.postings[i2];
      const number2 = this.#numbers[posting & DOCUMENT_MASK];
      if (number2 !== GONE) into[written++] = posting & ~DOCUMENT_MASK | number2;
    }
    this.#advance();
    return written;
  }
  #advance() {
    do
      this.#at += SLOT_WORDS;
    while (!this.done && this.table[this.#at + 2] === 0);
    this.high = this.done ? -1 : this.table[this.#at];
    this.low = this.done ? -1 : this.table[this.#at + 1];
  }
};

// src/store/row.ts
var ROW_BYTES = 144;
function writeRow(rows, row, memory, text2, rank) {
  const at = row * ROW_BYTES;
  const bytes = [
    STATUSES.indexOf(memory.status),
    KINDS.indexOf(memory.kind),
    PRIVACIES.indexOf(memory.privacy),
    TIERS.indexOf(memory.tier),
    RETENTIONS.indexOf(memory.retention),
    memory.consolidationLevel,
    OUTCOMES.indexOf(memory.outcome),
    TRUSTS.indexOf(memory.trust)
  ];
  bytes.forEach((byte, i2) => rows.setUint8(at + i2, byte));
  rows.setUint32(at + 8, nameHash(memory.session));
  rows.setUint32(at + 12, nameHash(memory.role));
  rows.setUint32(at + 16, nameHash(memory.agentId));
  rows.setFloat64(at + 20, text2.at);
  rows.setUint32(at + 28, text2.bytes);
  const floats = [
    memory.importance,
    memory.strength,
    memory.impactScore,
    memory.help.contribution,
    ms(memory.updated),
    ms(memory.lastUsed),
    ms(memory.lastDecayed),
    ms(memory.expires)
  ];
  floats.forEach((value, i2) => rows.setFloat64(at + 32 + 8 * i2, value));
  const counts = [memory.accessCount, memory.candidateCount, memory.help.shown, memory.help.used];
  counts.forEach((count, i2) => rows.setUint32(at + 96 + 4 * i2, count));
  rows.setUint32(at + 128, memory.meetings);
  rows.setUint32(at + 132, nameHash(memory.branch));
  rows.setUint32(at + 136, nameHash(memory.taskId));
  rows.setUint32(at + 140, rank);
  const id2 = memory.id.replaceAll("-", "");
  for (let i2 = 0; i2 < 4; i2++) rows.setUint32(at + 112 + 4 * i2, Number.parseInt(id2.slice(8 * i2, 8 * i2 + 8), 16));
}
var nameHash = (name) => name === void 0 ? 0 : hash32(name) || 1;
var textOfRow = (rows, row) => ({
  at: rows.getFloat64(row * ROW_BYTES + 20),
  bytes: rows.getUint32(row * ROW_BYTES + 28)
});
var rankOfRow = (rows, row) => rows.getUint32(row * ROW_BYTES + 140);
function withRow(text2, rows, row) {
  const at = row * ROW_BYTES;
  const float = (i2) => rows.getFloat64(at + 32 + 8 * i2);
  const count = (i2) => rows.getUint32(at + 96 + 4 * i2);
  return {
    ...text2,
    status: STATUSES[rows.getUint8(at)] ?? "archived",
    privacy: PRIVACIES[rows.getUint8(at + 2)] ?? "private",
    tier: TIERS[rows.getUint8(at + 3)] ?? "cold",
    retention: RETENTIONS[rows.getUint8(at + 4)] ?? "working",
    consolidationLevel: rows.getUint8(at + 5),
    outcome: OUTCOMES[rows.getUint8(at + 6)] ?? "unknown",
    importance: float(0),
    strength: float(1),
    impactScore: float(2),
    help: { shown: count(2), used: count(3), contribution: float(3) },
    updated: iso(float(4)) ?? text2.updated,
    lastUsed: iso(float(5)),
    lastDecayed: iso(float(6)),
    expires: iso(float(7)),
    meetings: rows.getUint32(at + 128),
    accessCount: count(0),
    candidateCount: count(1)
  };
}
var ROW_FIELDS = /* @__PURE__ */ new Set([
  "privacy",
  "tier",
  "retention",
  "consolidationLevel",
  "outcome",
  "importance",
  "meetings",
  "strength",
  "impactScore",
  "help",
  "updated",
  "lastUsed",
  "lastDecayed",
  "expires",
  "accessCount",
  "candidateCount"
]);
var ms = (iso2) => iso2 === void 0 ? Number.NaN : Date.parse(iso2);
var iso = (value) => Number.isNaN(value) ? void 0 : new Date(value).toISOString();

// src/store/memoryRead.ts
var rowsView = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
function readMemories(files, folder, entry) {
  const text2 = files.read(`${folder}/${entry.name}.txt`) ?? Buffer.alloc(0);
  const rows = files.read(`${folder}/${entry.rows}`) ?? Buffer.alloc(0);
  const view = rowsView(rows);
  const placed3 = [];
  for (let row = 0; row < rows.length / ROW_BYTES; row++) {
    const place = textOfRow(view, row);
    const json = text2.toString("utf8", place.at, place.at + place.bytes);
    const memory = withRow(JSON.parse(json), view, row);
    placed3.push({ memory, segment: entry.name, row, rank: rankOfRow(view, row) });
  }
  return { placed: placed3, rows };
}

// src/store/memorySegment.ts
var ARCHIVE_MARK = "a";
function writeMemories(files, folder, name, generation, members, old, indexed) {
  const before = old && {
    text: files.read(`${folder}/${old.name}.txt`),
    rows: rowsView(files.read(`${folder}/${old.rows}`))
  };
  const rows = Buffer.alloc(members.length * ROW_BYTES);
  const view = rowsView(rows);
  const lines = [];
  let at = 0;
  members.forEach(({ memory, rank, from }, row) => {
    const line = from === void 0 ? Buffer.from(`${JSON.stringify(memory)}
`) : lineAt2(before, from);
    writeRow(view, row, memory, { at, bytes: line.length - 1 }, rank);
    lines.push(line);
    at += line.length;
  });
  files.replace(`${folder}/${name}.txt`, Buffer.concat(lines));
  files.replace(`${folder}/${name}.idx`, indexOf(files, folder, members, old, indexed));
  return writeRows(files, folder, name, generation, rows);
}
function writeRows(files, folder, name, generation, rows) {
  const file = `${name}.${generation}.row`;
  files.replace(`${folder}/${file}`, rows);
  const entry = { name, rows: file, memories: rows.length / ROW_BYTES };
  return name.endsWith(ARCHIVE_MARK) ? { ...entry, archive: true } : entry;
}
function changedRows(rows, changed3) {
  const next = Buffer.from(rows);
  const view = rowsView(next);
  for (const { memory, row, rank } of changed3) writeRow(view, row, memory, textOfRow(view, row), rank);
  return next;
}
function lineAt2(before, row) {
  const place = textOfRow(before.rows, row);
  return before.text.subarray(place.at, place.at + place.bytes + 1);
}
function indexOf(files, folder, members, old, indexed) {
  const news = members.flatMap(({ memory, from }, place) => from === void 0 ? [{ memory, place }] : []);
  const fresh = writeSegment(news.map(({ memory }) => indexed(memory)));
  if (!old) return fresh;
  const places = new Map(members.flatMap(({ from }, place) => from === void 0 ? [] : [[from, place]]));
  const kept3 = openSegment(files, `${folder}/${old.name}.idx`);
  try {
    const inputs = [
      { segment: kept3, keep: (doc) => places.has(doc), place: (doc) => places.get(doc) },
      { segment: inMemory(fresh), keep: () => true, place: (doc) => news[doc].place }
    ];
    return mergeSegments(inputs);
  } finally {
    kept3.close();
  }
}
function inMemory(bytes) {
  const file = {
    size: bytes.length,
    readAt: (position, length) => bytes.subarray(position, position + length),
    close: () => {
    }
  };
  return openSegment({ open: () => file }, "a segment in memory");
}

// src/broker/cardWords.ts
var TAILS_MAX = 8;
var BM25 = { k1: 1.2, b: 0.75 };
var NO_LIMIT = { postingsMax: 4e6, touchedMax: 65535 };
var NOTHING2 = { score: 0, coverage: 0 };
function cardWords(desk, cards) {
  let generation = 0;
  let parts = [];
  const begin = (all) => {
    for (const { segment } of parts) segment.close();
    generation = cards.generation;
    parts = [];
    const { store: store2, loaded } = desk;
    const byName = /* @__PURE__ */ new Map();
    for (const entry of loaded.manifest.segments) {
      const segment = entry.archive ? void 0 : openSegment(store2.files, `${store2.layout.segments}/${entry.name}.idx`);
      if (segment) byName.set(entry.name, added({ segment, at: parts.length }));
    }
    for (const card of all) {
      const place = loaded.places.get(card.memory.id);
      const part = place && byName.get(place.segment);
      if (part && hasSameWords(place.memory, card.memory)) card.words = { part, doc: place.row };
    }
  };
  const added = (part) => {
    parts.push(part);
    return part;
  };
  const addTail = (fresh, documents) => {
    const part = added({ segment: inMemory(writeSegment(documents)), at: parts.length, documents });
    fresh.forEach((card, doc) => {
      card.words = { part, doc };
    });
  };
  const refresh = (all) => {
    if (generation !== cards.generation) begin(all);
    const fresh = all.filter((card) => card.words === void 0 && card.memory.status === "active");
    if (fresh.length > 0)
      addTail(
        fresh,
        fresh.map((card) => indexedTerms(card.memory))
      );
    if (parts.filter((part) => part.documents).length > TAILS_MAX) putTogether(all);
  };
  const putTogether = (all) => {
    parts = parts.filter((part) => !part.documents);
    const live = all.filter((card) => card.words && card.words.part.documents);
    addTail(
      live,
      live.map((card) => card.words.part.documents[card.words.doc])
    );
  };
  return {
    ask(question, all) {
      refresh(all);
      if (parts.length === 0) return () => NOTHING2;
      const query = [...queryTermsOf(question)].map(([term2, weight2]) => ({ term: term2, weight: weight2, group: 0 }));
      const segments = parts.map((part) => part.segment);
      const found = scores(segments, query, { ...BM25, ...NO_LIMIT });
      const greatest2 = found.greatestIn(0) / (BM25.k1 + 1);
      return ({ words }) => {
        if (!words) return NOTHING2;
        const score = found.values[found.at(words.part.at, words.doc)];
        return score === 0 ? NOTHING2 : { score, coverage: Math.min(1, score / greatest2) };
      };
    }
  };
}

// src/broker/seek.ts
var SEARCH_MODES = ["semantic", "keyword", "hybrid"];
var SEARCH_SORTS = ["relevance", "importance", "created_at"];
var kept = /* @__PURE__ */ new WeakMap();
async function seek(desk, sought, embedder) {
  const { cards, words, meanings } = keptFor(desk, embedder);
  const { mode, query, keywordWeight: share2, similarityMin } = sought;
  const all = cards.all();
  const maySee2 = sees(sought);
  const admitted = all.filter(({ memory }) => maySee2(memory) && sought.passes(memory));
  const said = mode === "semantic" ? void 0 : words.ask(query, all);
  const near = mode === "keyword" ? void 0 : await meanings.ask(query, admitted);
  const best = new Best(sought.topK, compare);
  for (let place = 0; place < admitted.length; place++) {
    const card = admitted[place];
    const worded = said?.(card);
    const coverage = worded?.coverage ?? 0;
    const similarity = !near ? coverage : !said ? near[place] : share2 * coverage + (1 - share2) * near[place];
    if (similarity <= 0 || similarity < similarityMin) continue;
    const worth = worthOf2(card.memory, similarity, sought);
    best.offer({ memory: card.memory, similarity, worth, score: worded?.score ?? 0, place });
  }
  return ordered(best.taken(), sought).map(({ memory, similarity }) => ({ memory, similarity: rounded(similarity) }));
}
function keptFor(desk, embedder) {
  const before = kept.get(desk);
  if (before) return before;
  const cards = cardsOf(desk);
  const made = { cards, words: cardWords(desk, cards), meanings: cardMeanings(desk, embedder) };
  kept.set(desk, made);
  return made;
}
var worthOf2 = (memory, similarity, { importanceWeight, now }) => importanceWeight === 0 ? similarity : (1 - importanceWeight) * similarity + importanceWeight * accessScoreOf(memory, now);
var compare = (a, b) => b.worth - a.worth || b.score - a.score || byAge(a, b);
var byAge = (a, b) => a.memory.created < b.memory.created ? 1 : a.memory.created > b.memory.created ? -1 : b.place - a.place;
function ordered(best, { sortBy, now }) {
  switch (sortBy) {
    case "relevance":
      return best;
    case "importance":
      return best.toSorted((a, b) => accessScoreOf(b.memory, now) - accessScoreOf(a.memory, now) || compare(a, b));
    case "created_at":
      return best.toSorted(byAge);
  }
}
var rounded = (similarity) => Math.round(similarity * 1e4) / 1e4;

// src/tools/memory/search.ts
var share = (description) => number(description, { min: 0, max: 1 });
var memorySearch = tool({
  name: "memory_search",
  title: "Search memories",
  description: "What is known from earlier sessions: ids and how each memory begins, best first. memory_get gives one whole.",
  layer: "memory",
  core: true,
  coreFields: ["query", "top_k", "tags", "search_mode"],
  effect: "reads",
  command: { words: "memory search", args: ["query"], stdin: "query" },
  brief: briefly("results"),
  input: {
    query: text("What to look for"),
    top_k: withDefault(wholeNumber("How many", { min: 1, max: 1e3 }), 10),
    ...FILTER_FIELDS,
    min_similarity: withDefault(share("Least similarity"), 0),
    search_mode: withDefault(text("How to match", { choices: SEARCH_MODES }), "semantic"),
    keyword_weight: withDefault(share("Part of keywords in hybrid"), 0.3),
    sort_by: withDefault(text("Order of the results", { choices: SEARCH_SORTS }), "relevance"),
    importance_weight: withDefault(share("Part of importance in ranking"), 0),
    agent_id: optional(text("Only stored by this agent")),
    kind: optional(text("Only of this kind", { choices: KINDS })),
    age_tier: optional(text("Only of this age: hot up to 7 days, warm up to 30, cold", { choices: TIERS }))
  },
  async handle(input, world2) {
    const hits = await seek(world2.desk, {
      ...eyesOf(world2),
      query: input.query,
      mode: input.search_mode,
      keywordWeight: input.keyword_weight,
      topK: input.top_k,
      similarityMin: input.min_similarity,
      sortBy: input.sort_by,
      importanceWeight: input.importance_weight,
      passes: (memory) => passes(memory, input) && (input.agent_id === void 0 || memory.agentId === input.agent_id) && (input.kind === void 0 || memory.kind === input.kind) && (input.age_tier === void 0 || memory.tier === input.age_tier)
    });
    const results = hits.map(({ memory, similarity }) => ({
      id: memory.id,
      content: memory.content,
      similarity,
      memory_tier: memory.retention,
      tags: memory.tags,
      created_at: memory.created
    }));
    return { results, total: results.length };
  }
});

// src/tools/memory/tools.ts
var MEMORY_TOOLS = [
  ...[
    memoryStore,
    memorySearch,
    memoryGet,
    memoryUpdate,
    memoryDelete,
    memoryList,
    memoryBatchStore,
    memoryBatchUpdate
  ],
  ...[memoryGetScore, memorySetScore, memoryConsolidate]
];

// src/tools/registry.ts
var TOOLS2 = [...MEMORY_TOOLS];
var toolNamed = (name) => TOOLS2.find((tool2) => tool2.name === name);

// src/tools/world.ts
import { randomUUID } from "node:crypto";

// src/model/limits.ts
var SNAPSHOT_TAIL_BYTES = 1048576;
var LOG_FILE_BYTES_MAX = 8388608;
var SESSION_SILENT_MS = 30 * 6e4;
var CONTENT_CHARS_MAX = 2e3;

// src/model/event.ts
var KINDS_KNOWN = /* @__PURE__ */ new Set([
  "session.started",
  "prompt",
  "call.started",
  "call.succeeded",
  "call.failed",
  "answer",
  "agent.started",
  "agent.stopped",
  "compaction",
  "session.ended",
  "recalled",
  "session.improved",
  "session.organized",
  "policy.changed",
  "policy.chosen",
  "policy.frozen",
  "memory.stored",
  "memory.restored",
  "memory.updated",
  "memory.batch",
  "memory.deleted",
  "memory.accessed",
  "memory.scored",
  "memory.consolidated",
  "other"
]);
var DEFAULTS = { role: "main", outcome: "unknown", privacy: "public" };
var LISTS = {
  prompt: ["signals"],
  "call.started": ["files"],
  "call.succeeded": ["files"],
  "call.failed": ["files"],
  recalled: ["shown", "others"],
  "memory.restored": ["memories"],
  "memory.batch": ["stored", "changes"],
  "memory.deleted": ["memories"],
  "memory.accessed": ["memories"],
  "memory.consolidated": ["from"]
};
var FLAGS = {
  "call.failed": "interrupted",
  recalled: "withheld",
  "memory.consolidated": "preserved",
  "policy.frozen": "frozen"
};
function eventFields(event) {
  const fields = {};
  for (const [name, value] of Object.entries(event)) {
    if (value === void 0 || value === DEFAULTS[name] || Array.isArray(value) && value.length === 0) continue;
    if (value === false && FLAGS[event.kind] === name) continue;
    fields[name] = value;
  }
  return fields;
}
function parseEvent(fields) {
  if (typeof fields !== "object" || fields === null) return void 0;
  const event = { ...fields };
  for (const name of ["id", "at", "session", "kind"]) if (typeof event[name] !== "string") return void 0;
  event["role"] ??= DEFAULTS["role"];
  event["outcome"] ??= DEFAULTS["outcome"];
  event["privacy"] ??= DEFAULTS["privacy"];
  if (Number.isNaN(Date.parse(event["at"]))) return void 0;
  if (!Array.isArray(event["lessons"])) event["lessons"] = [];
  const kind = event["kind"];
  if (!KINDS_KNOWN.has(kind)) return { ...event, kind: "other", name: kind };
  for (const name of LISTS[kind] ?? []) if (!Array.isArray(event[name])) event[name] = [];
  const flag2 = FLAGS[kind];
  if (flag2 !== void 0) event[flag2] = event[flag2] === true;
  if (kind.startsWith("call.") && (typeof event["input"] !== "object" || event["input"] === null)) event["input"] = {};
  return event;
}
var timeOf = (event) => Date.parse(event.at);
var isCallEnded = (event) => event.kind === "call.succeeded" || event.kind === "call.failed";
var commandOf = (call2) => typeof call2.input["command"] === "string" ? call2.input["command"] : "";

// src/store/logLine.ts
var LOG_VERSION = 1;
var LOG_HEADER = `{"memctl":"log","version":${LOG_VERSION}}
`;
var CLOSING_BYTES = ',"crc":"00000000"}'.length;
var CLOSING_START = Buffer.from(',"crc":"');
var EVENT_START = Buffer.from('{"id":"');
var EVENT_TIME = Buffer.from('","at":"');
var ID_END = EVENT_START.length + 16;
var SPACE = 32;
function lineOf(event) {
  const body = Buffer.from(JSON.stringify(eventFields(event)).slice(0, -1));
  const crc = crc32(body).toString(16).padStart(8, "0");
  return Buffer.concat([body, Buffer.from(`,"crc":"${crc}"}
`)]);
}
function readLine(bytes, checksum3 = crc32) {
  if (bytes.length === 0 || bytes[0] === SPACE && isBlank(bytes)) return { kind: "blank" };
  const bodyEnd2 = bytes.length - CLOSING_BYTES;
  if (!isClosed(bytes, bodyEnd2)) return headerOf(bytes) ?? { kind: "torn" };
  const event = eventIn(bytes, 0, bodyEnd2, checksum3);
  return event ? { kind: "event", event, tornBytes: 0 } : behindTorn(bytes, bodyEnd2, checksum3) ?? { kind: "rotten" };
}
var isBlank = (bytes) => bytes.every((byte) => byte === SPACE);
var isClosed = (bytes, bodyEnd2) => bodyEnd2 >= 1 && bytes.compare(CLOSING_START, 0, CLOSING_START.length, bodyEnd2, bodyEnd2 + CLOSING_START.length) === 0;
function eventIn(bytes, start, bodyEnd2, checksum3) {
  const written = bytes.toString("latin1", bodyEnd2 + CLOSING_START.length, bytes.length - 2);
  const body = bytes.subarray(start, bodyEnd2);
  if (checksum3(body).toString(16).padStart(8, "0") !== written) return void 0;
  return parseEvent(parsed(`${body.toString("utf8")}}`));
}
function behindTorn(bytes, bodyEnd2, checksum3) {
  for (let at = bytes.lastIndexOf(EVENT_START, bodyEnd2); at > 0; at = bytes.lastIndexOf(EVENT_START, at - 1)) {
    if (!bytes.subarray(at + ID_END, at + ID_END + EVENT_TIME.length).equals(EVENT_TIME)) continue;
    const event = eventIn(bytes, at, bodyEnd2, checksum3);
    if (event) return { kind: "event", event, tornBytes: at };
  }
  return void 0;
}
function headerOf(bytes) {
  const value = parsed(bytes.toString("utf8"));
  if (typeof value !== "object" || value === null || !("memctl" in value) || !("version" in value)) return void 0;
  return typeof value.version === "number" ? { kind: "header", version: value.version } : void 0;
}
function parsed(text2) {
  try {
    return JSON.parse(text2);
  } catch {
    return void 0;
  }
}

// src/store/log.ts
var NEWLINE = 10;
var FILE_NAME = /^(\d{6})\.jsonl$/;
var LOG_START = { file: 0, offset: 0, previous: 0 };
var logFileName = (file) => `${String(file).padStart(6, "0")}.jsonl`;
function openLogFiles(files, folder) {
  const numbers = [];
  for (const name of files.list(folder)) {
    const match = FILE_NAME.exec(name);
    if (match) numbers.push(Number(match[1]));
  }
  return numbers;
}
function appendEvents(files, folder, events, sync = false) {
  const lines = events.map(lineOf);
  const file = currentFile(files, folder);
  const size = files.size(file) ?? 0;
  const torn = size > 0 && files.readAt(file, size - 1, 1)[0] !== NEWLINE;
  files.append(file, Buffer.concat(torn ? [Buffer.of(NEWLINE), ...lines] : lines), sync);
}
function bytesPast(files, folder, from) {
  let bytes = 0;
  for (const file of openLogFiles(files, folder)) {
    if (file >= from.file)
      bytes += Math.max(0, (files.size(`${folder}/${logFileName(file)}`) ?? 0) - (file === from.file ? from.offset : 0));
  }
  return bytes;
}
function currentFile(files, folder) {
  const last = openLogFiles(files, folder).at(-1);
  if (last !== void 0) {
    const name = `${folder}/${logFileName(last)}`;
    if ((files.size(name) ?? 0) < LOG_FILE_BYTES_MAX) return name;
  }
  const next = `${folder}/${logFileName(nextNumber(files, folder))}`;
  files.create(next, Buffer.from(LOG_HEADER));
  return next;
}
function nextNumber(files, folder) {
  let last = 0;
  for (const name of files.list(folder)) last = Math.max(last, Number.parseInt(name, 10) || 0);
  return last + 1;
}

// src/broker/hookConfig.ts
var hookConfigFile = (home) => `${home}/config.json`;
function syncChoice({ files, home }) {
  if (home === void 0 || files.size(hookConfigFile(home)) === void 0) return "session";
  try {
    return readJson(files, hookConfigFile(home))?.log?.sync === "always" ? "always" : "session";
  } catch {
    return "session";
  }
}

// src/store/json.ts
import { LowSync } from "lowdb";
var writeJsonFile = (files, file, data) => lowOf(files, file, data).write();
function lowOf(files, file, data) {
  const adapter = {
    read: () => readJson(files, file) ?? null,
    write: (value) => files.replace(file, Buffer.from(`${JSON.stringify(value)}
`))
  };
  return new LowSync(adapter, data);
}

// src/store/manifest.ts
var STORE_VERSION = 1;
var NO_MANIFEST = {
  version: STORE_VERSION,
  generation: 0,
  cursor: LOG_START,
  segments: [],
  written: ""
};

// src/store/shelf.ts
function readManifest(files, layout) {
  const manifest = readJson(files, layout.manifest) ?? NO_MANIFEST;
  if (manifest.version > STORE_VERSION) {
    throw new MemoryError(
      "STORE_NEWER",
      `${layout.manifest} has version ${manifest.version}, this memctl reads ${STORE_VERSION}`,
      {
        mend: "Update memctl, or run `memctl rebuild` to write the view anew from the log."
      }
    );
  }
  return manifest;
}

// src/model/policyBase.ts
var SHIPPED_BASE = { name: "default", values: {} };
function basedOn(shipped, base) {
  if (base.name === shipped.name && Object.keys(base.values).length === 0) return shipped;
  const policy = structuredClone(shipped);
  for (const [path, value] of Object.entries(base.values)) {
    const names = path.split(".");
    const last = names.pop();
    const holder = names.reduce(
      (at, name) => isTree(at) && Object.hasOwn(at, name) ? at[name] : void 0,
      policy
    );
    if (isTree(holder) && Object.hasOwn(holder, last) && Array.isArray(holder[last]) === Array.isArray(value))
      holder[last] = value;
  }
  return { ...policy, name: base.name };
}
var isTree = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// src/model/policyNumbers.ts
var quantity = (meaning, unit, min, max) => ({ meaning, unit, min, max });
var whole = (meaning, unit, min, max) => ({
  ...{ meaning, unit, min, max },
  whole: true
});
var weight = (meaning) => quantity(meaning, "weight", -1, 2);
var boost = (meaning) => quantity(meaning, "added to the score", 0, 1);
var term = (meaning) => quantity(meaning, "weight", 0, 1);
var release = (meaning) => ({ ...quantity(meaning, "days", 1, 3650), never: true });
var moment2 = {
  topK: whole("memories at most", "memories", 1, 50),
  scoreMin: quantity("least score that is worth a word", "score", -1, 3),
  relevanceMin: quantity("least evidence that a memory is about the cue", "share", 0, 1),
  budgetTokens: whole("length of all it says", "tokens", 50, 2400),
  kinds: { meaning: "what it may speak of", names: KINDS }
};
var NUMBERS = {
  importance: {
    outcome: term("how telling the outcome is"),
    reuse: term("how often it came back or was used"),
    crossImpact: term("in how many other sessions its files or error turn up"),
    novelty: term("how unlike what is known already"),
    userSignal: term("what the person said of it"),
    costSaved: term("the time it saves who knows it")
  },
  recall: {
    weights: {
      words: weight("the cue's own words in the memory (BM25, divided by the best)"),
      window: weight("the same in its neighbours of the same session"),
      session: weight("the same in its session's summary"),
      files: weight("files in common (BM25 over paths and names)"),
      command: weight("the same command shape or family"),
      error: weight("the same error signature"),
      branch: weight("the same branch, if it is none of the main ones"),
      importance: weight("how much it is worth keeping (003)"),
      recency: weight("how lately it was made or met (003)"),
      role: weight("made by or for an agent of the reader's role (003)"),
      outcome: weight("success 1, failure .6, unknown .4 (003)"),
      strength: weight("consolidation by use, min(1, strength / 2) (000)"),
      kind: weight("lesson 1, preference, decision and entry .9, consolidated .7, summary .5, experience .3"),
      helped: weight("its record of helping, -1 to 1, shrunk while it is short")
    },
    boosts: {
      sameTask: boost("same prompt, or same non-default branch (003)"),
      recentFailure: boost("a failure of the last hours (003)"),
      successPattern: boost("a lesson whose fix is known (003)")
    },
    recencyHalfLifeDays: quantity("days after which recency is one half", "days", 1, 365),
    recentFailureHours: quantity("how long a failure counts as recent", "hours", 1, 720),
    candidatesMax: whole("memories ranked in one recall (000)", "memories", 10, 500),
    moments: { start: moment2, prompt: moment2, call: moment2, failure: moment2, agent: moment2, ask: moment2 },
    withholdShare: quantity(
      "recalls ranked, logged and not shown, so that the effect of showing is measured",
      "share",
      0,
      0.5
    )
  },
  strength: {
    initial: quantity("of a new memory", "strength", 0.5, 1.5),
    initialEducation: quantity("of one that was only read", "strength", 0.3, 0.8),
    incrementOnUse: quantity("gained by one use", "strength", 0.05, 0.2),
    perspectiveIncrement: quantity(
      "gained by one use under a perspective, for that perspective",
      "strength",
      0.1,
      0.25
    ),
    archiveAt: quantity("archived at or below", "strength", 0.05, 0.2),
    reactivated: quantity("of an archived memory that came back", "strength", 0.3, 0.7),
    impactRatio: quantity("what of an impact becomes strength", "share", 0.1, 0.3),
    impact: {
      userPositive: quantity("the person was content with it", "impact", 1, 3),
      taskSuccess: quantity("a task went well with it", "impact", 1, 2),
      preventedError: quantity("an error did not come back", "impact", 1, 3)
    },
    levelUses: whole("uses from which each consolidation level begins, rising from 0", "uses", 0, 1e4),
    dailyRetention: quantity("what each level keeps of strength a day", "share", 0.5, 1),
    tasksPerDay: quantity("the rate a task is the daily one ^ (1 / this)", "tasks", 5, 50)
  },
  tiers: {
    hotDays: quantity("a memory is hot to this age", "days", 1, 90),
    warmDays: quantity("and warm to this one, then cold", "days", 2, 365),
    keepWholeFrom: quantity("experiences of this importance stay whole in the warm tier", "importance", 0, 1),
    experiencesMax: whole("active experiences at most; the weakest beyond are archived", "memories", 1e3, 1e4)
  },
  improve: {
    contribution: {
      success: term("success rate up"),
      time: term("time shortened"),
      calls: term("fewer tool calls"),
      errors: term("errors avoided")
    },
    unusedCost: quantity("what showing a memory that was not used costs", "contribution", 0, 0.5),
    rate: quantity("how far one update goes towards the evidence", "share", 0.01, 0.5),
    stepMax: quantity("greatest change of a number in one update, of its range", "share", 0.01, 0.2),
    evidenceMin: whole("judged recalls before anything moves", "recalls", 5, 200),
    guardWindow: whole("judged recalls the guard looks back on", "recalls", 20, 2e3),
    guardSigmas: quantity("standard errors of the guard's lower bound (1.64: one-sided 95 %)", "standard errors", 1, 4)
  },
  privacy: {
    releaseDays: {
      privateToAgentOnly: release("private opens to agents of the same role"),
      agentOnlyToPublic: release("and that to every agent")
    }
  }
};
var isQuantity = (one) => typeof one === "object" && one !== null && "min" in one;
var isNames = (one) => typeof one === "object" && one !== null && "names" in one;
function describedAt(path) {
  let at = NUMBERS;
  for (const name of path.split(".")) {
    if (isQuantity(at) && /^\d+$/.test(name)) return at;
    at = typeof at === "object" && at !== null && Object.hasOwn(at, name) ? at[name] : void 0;
  }
  return at;
}
function quantityAt(path) {
  const found = describedAt(path);
  return isQuantity(found) ? found : void 0;
}
var rangeText = ({ min, max, whole: whole2, never }) => `${min} to ${max}${whole2 ? ", whole" : ""}${never ? ", or never" : ""}`;
var isWithin = (value, quantity2) => value === null ? quantity2.never === true : typeof value === "number" && value >= quantity2.min && value <= quantity2.max && (quantity2.whole !== true || Number.isInteger(value));

// src/model/policyFaults.ts
function faultsOf(policy) {
  const faults = faultsIn(policy, NUMBERS, "");
  return faults.length > 0 ? faults : contradictionsIn(policy);
}
function faultsIn(given, described, above) {
  return Object.entries(described).flatMap(([name, one]) => {
    const path = above === "" ? name : `${above}.${name}`;
    const value = isTree2(given) ? given[name] : void 0;
    if (isQuantity(one)) {
      const holds = Array.isArray(value) ? value.length > 0 && value.every((each2) => isWithin(each2, one)) : isWithin(value, one);
      return holds || one.never && value === void 0 ? [] : [outOfRange(path, value)];
    }
    if (isNames(one)) {
      const holds = Array.isArray(value) && value.every((word) => one.names.includes(word));
      return holds ? [] : [{ path, what: `${path} is ${told(value)}`, mend: `Use a list of ${one.names.join(", ")}` }];
    }
    return faultsIn(value, one, path);
  });
}
function contradictionsIn(policy) {
  const { strength, tiers, improve: improve2 } = policy;
  const { levelUses, dailyRetention } = strength;
  const faults = [];
  const unless = (holds, path, what, mend) => {
    if (!holds) faults.push({ path, what: `${path} ${what}`, mend });
  };
  const rising = levelUses.every((uses, i2) => i2 === 0 ? uses === 0 : uses > levelUses[i2 - 1]);
  unless(
    rising,
    "strength.levelUses",
    `is ${told(levelUses)}`,
    "Begin with 0 and let each be greater than the one before"
  );
  unless(
    dailyRetention.length === levelUses.length,
    "strength.dailyRetention",
    `has ${dailyRetention.length} numbers for ${levelUses.length} levels`,
    "Give as many as in strength.levelUses"
  );
  unless(
    tiers.warmDays > tiers.hotDays,
    "tiers.warmDays",
    `is ${tiers.warmDays}`,
    `Use more than hotDays, ${tiers.hotDays}`
  );
  const parts = improve2.contribution;
  const total = parts.success + parts.time + parts.calls + parts.errors;
  unless(total > 0, "improve.contribution", "has only zeros", "Give at least one part a weight");
  return faults;
}
function valueFaults(values) {
  return Object.entries(values).flatMap(([path, value]) => {
    const about = describedAt(path);
    if (isNames(about)) {
      const holds2 = Array.isArray(value) && value.every((word) => about.names.includes(word));
      return holds2 ? [] : [{ path, what: `${path} is ${told(value)}`, mend: `Use a list of ${about.names.join(", ")}` }];
    }
    if (!isQuantity(about)) return [{ path, what: `${path} is no number of a policy`, mend: "Leave it out" }];
    const holds = Array.isArray(value) ? value.every((each2) => isWithin(each2, about)) : isWithin(value, about);
    return holds ? [] : [outOfRange(path, value)];
  });
}
var outOfRange = (path, value) => ({
  path,
  what: `${path} is ${value === void 0 ? "missing" : told(value)}`,
  mend: `Allowed is ${rangeText(quantityAt(path))}`
});
var told = (value) => JSON.stringify(value) ?? String(value);
var isTree2 = (value) => typeof value === "object" && value !== null;

// src/broker/foldPolicy.ts
var HISTORY_MAX = 200;
var chosenIn = (view, shipped) => basedOn(shipped, view.base);
var servingIn = (view, shipped) => policyWith(chosenIn(view, shipped), view.learned);
function changePolicy(view, event) {
  const state = view.sessions.get(event.session);
  if (state && event.by === "improve") view.sessions.set(state.id, { ...state, stepped: true });
  if (event.by === "improve" && (view.frozen || event.version <= view.learned.version)) return;
  const version = Math.max(event.version, view.learned.version + 1);
  const refused = valueFaults(event.values)[0];
  const values = refused ? {} : event.values;
  view.learned = { version, values };
  const { reason, evidence, by } = event;
  noted(view, event, {
    ...{ version, by, values },
    reason: refused ? `refused, the policy serves as chosen: ${reason}` : reason,
    evidence: refused ? { ...evidence, refused: `${refused.what}. ${refused.mend}` } : evidence
  });
}
function choosePolicy(view, event, shipped) {
  const { name, values } = event;
  if (JSON.stringify([view.base.name, view.base.values]) === JSON.stringify([name, values])) return;
  const version = view.learned.version + 1;
  const refused = valueFaults(values)[0] ?? faultsOf(basedOn(shipped, { name, values }))[0];
  if (!refused) {
    view.base = { name, values };
    view.learned = { version, values: {} };
  }
  noted(view, event, {
    ...{ version: view.learned.version, by: "person", values: view.learned.values },
    reason: refused ? `refused the policy ${name}` : `chose the policy ${name}`,
    evidence: refused ? { refused: `${refused.what}. ${refused.mend}` } : {}
  });
}
function freezePolicy(view, event) {
  if (view.frozen === event.frozen) return;
  view.frozen = event.frozen;
  const { version, values } = view.learned;
  noted(view, event, { version, values, by: "person", reason: event.frozen ? "frozen" : "thawed", evidence: {} });
}
function noted(view, event, change) {
  view.history = [...view.history, { at: event.at, base: view.base.name, ...change }].slice(-HISTORY_MAX);
}

// src/broker/hot.ts
var STANDING_MAX = {
  preference: 24,
  decision: 16,
  entry: 16,
  lesson: 24,
  summary: 6,
  consolidated: 4
};
var TOLD_SESSIONS_MAX = 20;
function hotOf(view, generation) {
  const sessions = [...view.sessions.values()].sort((a, b) => a.lastAt < b.lastAt ? 1 : -1);
  return {
    generation,
    standing: standingOf2(view),
    told: Object.fromEntries(sessions.slice(0, TOLD_SESSIONS_MAX).map((session) => [session.id, session.told])),
    open: sessions.filter((session) => session.pending.length > 0).map(({ id: id2, lastAt, ended }) => ({ id: id2, lastAt, ended }))
  };
}
function standingOf2(view) {
  const byKind = /* @__PURE__ */ new Map();
  for (const memory of view.memories.values()) {
    if (memory.status !== "active" || STANDING_MAX[memory.kind] === void 0) continue;
    const list2 = byKind.get(memory.kind);
    if (list2) list2.push(memory);
    else byKind.set(memory.kind, [memory]);
  }
  return [...byKind].flatMap(([kind, list2]) => {
    const newest = (a, b) => a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : a.id < b.id ? -1 : 1;
    list2.sort((a, b) => kind === "summary" ? newest(a, b) : b.importance - a.importance || newest(a, b));
    return list2.slice(0, STANDING_MAX[kind]).map(short);
  });
}
var short = (memory) => memory.content.length <= CONTENT_CHARS_MAX ? memory : { ...memory, content: headAndTail(memory.content, CONTENT_CHARS_MAX) };

// src/broker/saveMemories.ts
function saveMemories(store2, loaded, generation, indexed) {
  const members = { active: [], archived: [] };
  let rank = 0;
  for (const memory of loaded.view.memories.values()) {
    const place = loaded.places.get(memory.id);
    rank = Math.max(rank, place?.rank ?? rank);
    const keepsText = place !== void 0 && place.memory.status === memory.status && sameText(place.memory, memory);
    members[memory.status].push({ memory, rank: place?.rank ?? rank, from: keepsText ? place.row : void 0 });
    rank++;
  }
  const name = String(generation).padStart(6, "0");
  return [
    ...saved(store2, loaded, members.active, name, generation, indexed),
    ...saved(store2, loaded, members.archived, `${name}${ARCHIVE_MARK}`, generation, indexed)
  ];
}
function saved(store2, loaded, members, name, generation, indexed) {
  const folder = store2.layout.segments;
  const archive = name.endsWith(ARCHIVE_MARK);
  const old = loaded.manifest.segments.find((entry2) => (entry2.archive ?? false) === archive);
  if (members.length === 0) return [];
  if (old && old.memories === members.length && members.every(({ from }, row) => from === row)) {
    const changed3 = members.map((member, row) => ({ ...member, row })).filter(({ memory }) => loaded.places.get(memory.id).memory !== memory);
    if (changed3.length === 0) return [old];
    const rows = changedRows(loaded.rows.get(old.name), changed3);
    return [noted2(loaded, writeRows(store2.files, folder, old.name, generation, rows), members, rows)];
  }
  const entry = writeMemories(store2.files, folder, name, generation, members, old, indexed);
  return [noted2(loaded, entry, members, store2.files.read(`${folder}/${entry.rows}`))];
}
function noted2(loaded, entry, members, rows) {
  loaded.rows.set(entry.name, rows);
  members.forEach(({ memory, rank }, row) => {
    loaded.places.set(memory.id, { memory, segment: entry.name, row, rank });
  });
  return entry;
}
function sameText(before, after) {
  if (before === after) return true;
  const fields = /* @__PURE__ */ new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const field of fields) {
    if (ROW_FIELDS.has(field) || before[field] === after[field]) continue;
    if (JSON.stringify(before[field]) !== JSON.stringify(after[field])) return false;
  }
  return true;
}
function removeUnnamed(store2, segments) {
  const named3 = new Set(segments.flatMap((entry) => [`${entry.name}.txt`, `${entry.name}.idx`, entry.rows]));
  for (const name of store2.files.list(store2.layout.segments)) {
    if (!named3.has(name)) store2.files.remove(`${store2.layout.segments}/${name}`);
  }
}

// src/improve/baseline.ts
var NO_BASELINES = { success: {}, mendMs: {}, mendCalls: {} };
var ALL = "*";
var COUNT_MAX2 = 50;
var KINDS_MAX = 400;
var PRIOR = 5;
function usual(means, kind) {
  const all = means[ALL];
  const own = means[kind];
  if (!all) return own?.mean;
  if (!own) return all.mean;
  return (own.n * own.mean + PRIOR * all.mean) / (own.n + PRIOR);
}
function observed(means, kind, value) {
  const next = { ...means, [kind]: with1(means[kind], value) };
  if (kind !== ALL) next[ALL] = with1(means[ALL], value);
  const names = Object.keys(next);
  if (names.length > KINDS_MAX) delete next[names.find((name) => name !== ALL)];
  return next;
}
function with1(mean2, value) {
  const n = Math.min(COUNT_MAX2, (mean2?.n ?? 0) + 1);
  return { n, mean: (mean2?.mean ?? 0) + (value - (mean2?.mean ?? 0)) / n };
}

// src/broker/view.ts
var emptyView = () => ({
  cursor: LOG_START,
  memories: /* @__PURE__ */ new Map(),
  sessions: /* @__PURE__ */ new Map(),
  base: SHIPPED_BASE,
  learned: NOTHING_LEARNED,
  frozen: false,
  history: [],
  judged: [],
  moves: [],
  baselines: NO_BASELINES
});

// src/broker/save.ts
function readWork({ files, layout }, { generation }) {
  const work = readJson(files, layout.work(generation));
  if (!work) throw lost(layout.work(generation));
  return work;
}
var lost = (file) => new MemoryError("STORE_INVALID", `${file} is not there, or not as the manifest says`, {
  mend: "Run `memctl rebuild`: the view is written anew from the log, nothing is lost."
});
function load(store2) {
  const manifest = readManifest(store2.files, store2.layout);
  const view = emptyView();
  const loaded = { view, manifest, places: /* @__PURE__ */ new Map(), rows: /* @__PURE__ */ new Map() };
  if (manifest.generation === 0) return loaded;
  const placed3 = manifest.segments.flatMap((entry) => {
    const read = readMemories(store2.files, store2.layout.segments, entry);
    if (read.rows.length !== entry.memories * ROW_BYTES) throw lost(`${store2.layout.segments}/${entry.rows}`);
    loaded.rows.set(entry.name, read.rows);
    return read.placed;
  });
  for (const one of placed3.sort((a, b) => a.rank - b.rank)) {
    view.memories.set(one.memory.id, one.memory);
    loaded.places.set(one.memory.id, one);
  }
  const { sessions, ...carried } = readWork(store2, manifest);
  for (const session of sessions) view.sessions.set(session.id, session);
  Object.assign(view, carried);
  view.cursor = manifest.cursor;
  return loaded;
}
function save(store2, loaded, shipped, indexed, now) {
  const { view } = loaded;
  const generation = loaded.manifest.generation + 1;
  const segments = saveMemories(store2, loaded, generation, indexed);
  const { files, layout } = store2;
  const { judged, moves, baselines, base, learned, frozen, history } = view;
  const sessions = [...view.sessions.values()];
  const work = { sessions, judged, moves, baselines, base, learned, frozen, history };
  writeJsonFile(files, layout.work(generation), work);
  writeJsonFile(files, layout.policy, {
    ...{ name: base.name, base, learned, frozen, compiled: servingIn(view, shipped) }
  });
  writeJsonFile(files, layout.hot, hotOf(view, generation));
  const manifest = {
    version: STORE_VERSION,
    generation,
    cursor: view.cursor,
    segments,
    written: new Date(now).toISOString()
  };
  writeJsonFile(files, layout.manifest, manifest);
  loaded.manifest = manifest;
  removeUnnamed(store2, segments);
  removeOldWork(store2, generation);
}
function removeOldWork({ files, layout }, generation) {
  for (const name of files.list(layout.folder)) {
    const number2 = Number(/^work\.(\d+)\.json$/.exec(name)?.[1] ?? generation);
    if (number2 < generation - 1 || number2 > generation) files.remove(`${layout.folder}/${name}`);
  }
}

// src/model/score.ts
var BOOSTS = ["sameTask", "recentFailure", "successPattern"];
function breakdownOf(features, policy) {
  const breakdown = {};
  for (const name of FEATURES) breakdown[name] = policy.weights[name] * (features[name] ?? 0);
  for (const name of BOOSTS) if (features[name]) breakdown[name] = policy.boosts[name] * features[name];
  return breakdown;
}
function scoreOf(breakdown) {
  let score = 0;
  for (const part of Object.values(breakdown)) score += part;
  return score;
}

// src/improve/guard.ts
function advantageOf(judged, shipped, candidate) {
  const differences = judged.map((one) => worthUnder(one, candidate) - worthUnder(one, shipped));
  const n = differences.length;
  if (n < 2) return { recalls: n, mean: 0, lower: Number.NEGATIVE_INFINITY };
  const mean2 = differences.reduce((sum2, value) => sum2 + value, 0) / n;
  const variance = differences.reduce((sum2, value) => sum2 + (value - mean2) ** 2, 0) / (n - 1);
  return { recalls: n, mean: mean2, lower: mean2 - shipped.improve.guardSigmas * Math.sqrt(variance / n) };
}
function worthUnder(judged, policy) {
  const { topK, scoreMin } = policy.recall.moments[judged.moment];
  const order = judged.memories.map((memory) => ({ score: scoreOf(breakdownOf(memory.features, policy.recall)), worth: memory.contribution })).filter((memory) => judged.moment === "start" || memory.score >= scoreMin).sort((a, b) => b.score - a.score).slice(0, topK);
  return order.reduce((sum2, memory, place) => sum2 + memory.worth / Math.log2(place + 2), 0);
}

// src/improve/learn.ts
var WEIGHT_RANGE = { min: -1, max: 2 };
var BOOST_RANGE = { min: 0, max: 1 };
var SCORE_RANGE = { min: 0, max: 2 };
var MOMENT_EVIDENCE_MIN = 8;
var CHANCE_SIGMAS = 3.5;
var CHANGE_MIN = 1e-3;
function nextStep(judged, shipped, learned) {
  const { evidenceMin, guardWindow } = shipped.improve;
  const seen = judged.filter((one) => one.memories.length > 0).slice(-guardWindow);
  if (seen.length < evidenceMin) return void 0;
  const serving = policyWith(shipped, learned);
  const kept3 = advantageOf(seen, shipped, serving);
  if (Object.keys(learned.values).length > 0 && kept3.lower <= 0) {
    return {
      values: {},
      reason: "rolled back: no longer surely better than the shipped policy",
      evidence: evidenceOf(kept3)
    };
  }
  const values = changed(
    { ...learned.values, ...weightSteps(seen, serving), ...thresholdSteps(seen, serving) },
    shipped
  );
  if (same(values, learned.values)) return void 0;
  const candidate = advantageOf(seen, shipped, policyWith(shipped, { version: 0, values }));
  if (candidate.lower <= 0 || candidate.mean < kept3.mean) return void 0;
  return { values, reason: `learned from ${seen.length} recalls`, evidence: evidenceOf(candidate) };
}
function weightSteps(judged, policy) {
  const steps = {};
  for (const [name, path, range] of learnable()) {
    const slope = tellingSlope(judged, name);
    if (slope !== void 0) steps[path] = stepped(valueAt(policy, path), policy.improve.rate * slope, range, policy);
  }
  return steps;
}
function tellingSlope(judged, name) {
  const shown2 = judged.flatMap((one) => one.memories);
  const featureOf = (memory) => memory.features[name] ?? 0;
  const meanValue = mean(shown2.map(featureOf));
  const meanContribution = mean(shown2.map((memory) => memory.contribution));
  const spread = sum(shown2.map((memory) => (featureOf(memory) - meanValue) ** 2));
  if (spread < 1e-4 * shown2.length) return void 0;
  const slope = sum(shown2.map((memory) => (memory.contribution - meanContribution) * (featureOf(memory) - meanValue))) / spread;
  const pulls = judged.map(
    (one) => sum(
      one.memories.map((memory) => {
        const distance = featureOf(memory) - meanValue;
        return distance * (memory.contribution - meanContribution - slope * distance);
      })
    )
  );
  const error = Math.sqrt(sum(pulls.map((pull) => pull ** 2))) / spread;
  return Math.abs(slope) > CHANCE_SIGMAS * error ? slope : void 0;
}
function thresholdSteps(judged, policy) {
  const steps = {};
  for (const moment3 of MOMENTS) {
    const own = judged.filter((one) => one.moment === moment3 && !one.withheld);
    if (moment3 === "start" || own.length < MOMENT_EVIDENCE_MIN) continue;
    const yields = own.map((one) => one.memories.at(-1).contribution);
    const yieldOfLast = mean(yields);
    const error = Math.sqrt(sum(yields.map((value) => (value - yieldOfLast) ** 2))) / yields.length;
    if (Math.abs(yieldOfLast) <= CHANCE_SIGMAS * error) continue;
    const path = `recall.moments.${moment3}.scoreMin`;
    steps[path] = stepped(valueAt(policy, path), -policy.improve.rate * yieldOfLast, SCORE_RANGE, policy);
  }
  return steps;
}
function* learnable() {
  for (const name of FEATURES) yield [name, `recall.weights.${name}`, WEIGHT_RANGE];
  for (const name of BOOSTS) yield [name, `recall.boosts.${name}`, BOOST_RANGE];
}
function stepped(value, change, range, policy) {
  const most = policy.improve.stepMax * (range.max - range.min);
  const next = value + Math.min(most, Math.max(-most, change));
  return Math.round(Math.min(range.max, Math.max(range.min, next)) * 1e4) / 1e4;
}
function changed(values, shipped) {
  return Object.fromEntries(
    Object.entries(values).filter(([path, value]) => Math.abs((valueAt(shipped, path) ?? value) - value) >= CHANGE_MIN)
  );
}
function same(a, b) {
  const paths = /* @__PURE__ */ new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...paths].every((path) => Math.abs((a[path] ?? Number.NaN) - (b[path] ?? Number.NaN)) < CHANGE_MIN);
}
var evidenceOf = (bound) => ({
  recalls: bound.recalls,
  advantage: Math.round(bound.mean * 1e4) / 1e4,
  lowerBound: Math.round(bound.lower * 1e4) / 1e4
});
var sum = (values) => values.reduce((total, value) => total + value, 0);
var mean = (values) => values.length === 0 ? 0 : sum(values) / values.length;

// src/store/lock.ts
import { readFileSync as readFileSync3, renameSync as renameSync2, rmSync as rmSync2 } from "node:fs";
function takeLock(files, file) {
  const own = { pid: process.pid, started: startOf(process.pid) };
  const bytes = Buffer.from(`${JSON.stringify(own)}
`);
  for (let attempt = 0; attempt < 3; attempt++) {
    if (files.create(file, bytes)) return { release: () => releaseIfOwn(files, file, own) };
    const held = files.read(file);
    const owner = held && ownerIn(held);
    if (owner && isAlive(owner)) return void 0;
    if (held && !movedAside(files, file, held)) return void 0;
  }
  return void 0;
}
function ownerOf(files, file) {
  const bytes = files.read(file);
  return bytes && ownerIn(bytes);
}
function ownerIn(bytes) {
  try {
    const { pid, started } = JSON.parse(bytes.toString("utf8"));
    return Number.isInteger(pid) ? { pid, started } : void 0;
  } catch {
    return void 0;
  }
}
function isAlive(owner) {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (codeOf(error) !== "EPERM") return false;
  }
  const started = startOf(owner.pid);
  return owner.started === void 0 || started === void 0 || owner.started === started;
}
function startOf(pid) {
  try {
    const stat = readFileSync3(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return void 0;
  }
}
function movedAside(files, file, dead) {
  const aside = `${file}.${process.pid}.dead`;
  try {
    renameSync2(file, aside);
    const moved2 = readFileSync3(aside);
    if (moved2.equals(dead)) return true;
    files.create(file, moved2);
    return false;
  } catch {
    return false;
  } finally {
    rmSync2(aside, { force: true });
  }
}
function releaseIfOwn(files, file, own) {
  const owner = ownerOf(files, file);
  if (owner?.pid === own.pid && owner.started === own.started) files.remove(file);
}

// src/store/logCold.ts
import { gzipSync } from "node:zlib";

// src/store/logFiles.ts
import zlib from "node:zlib";
var NEWLINE2 = 10;
var FILE_NAME2 = /^(\d{6})\.jsonl(\.gz)?$/;
var checksum2 = typeof zlib.crc32 === "function" ? zlib.crc32 : crc32;
var compressedName = (file) => `${logFileName(file)}.gz`;
var nameOf = (file) => file.plain ? logFileName(file.number) : compressedName(file.number);
function logFiles(files, folder) {
  const found = /* @__PURE__ */ new Map();
  for (const name of files.list(folder)) {
    const match = FILE_NAME2.exec(name);
    if (!match) continue;
    const number2 = Number(match[1]);
    const known = found.get(number2) ?? { number: number2, plain: false, compressed: false };
    found.set(number2, match[2] ? { ...known, compressed: true } : { ...known, plain: true });
  }
  return [...found.values()].sort((a, b) => a.number - b.number);
}
function bytesOf(files, folder, file, start = 0) {
  const plain2 = file.plain ? files.open(`${folder}/${logFileName(file.number)}`) : void 0;
  try {
    const from = (at) => plain2?.readAt(at, Math.max(0, plain2.size - at)) ?? Buffer.alloc(0);
    if (plain2 && (!file.compressed || startsWithHeader(plain2))) return from(start);
    const packed = inflated(files, `${folder}/${compressedName(file.number)}`).subarray(start);
    return plain2 ? Buffer.concat([packed, from(0)]) : packed;
  } finally {
    plain2?.close();
  }
}
function understood(files, folder, file, start = 0) {
  const bytes = bytesOf(files, folder, file, start);
  const end = start === 0 ? bytes.indexOf(NEWLINE2) : -1;
  const first = end === -1 ? void 0 : readLine(bytes.subarray(0, end));
  if (first?.kind === "header" && first.version > LOG_VERSION) {
    throw new MemoryError(
      "STORE_NEWER",
      `${folder}/${nameOf(file)} has version ${first.version}, this memctl reads ${LOG_VERSION}`,
      { mend: "Update memctl. Until then hooks go on recording, and nothing is lost." }
    );
  }
  return bytes;
}
function* linesIn(bytes) {
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE2); end !== -1; end = bytes.indexOf(NEWLINE2, start)) {
    yield { start, end, line: readLine(bytes.subarray(start, end), checksum2) };
    start = end + 1;
  }
}
function startsWithHeader(file) {
  const bytes = file.readAt(0, HEADER_BYTES_MAX);
  const end = bytes.indexOf(NEWLINE2);
  return end !== -1 && readLine(bytes.subarray(0, end)).kind === "header";
}
var HEADER_BYTES_MAX = 256;
function inflated(files, name) {
  const bytes = files.read(name);
  if (!bytes) return Buffer.alloc(0);
  try {
    return zlib.gunzipSync(bytes);
  } catch (cause) {
    throw new MemoryError("STORE_INVALID", `${name} is damaged`, {
      mend: "Put it back from a backup, or run `memctl log repair`, which keeps what can still be read.",
      cause
    });
  }
}

// src/store/logCold.ts
var FILES_BEHIND_MIN = 2;
var COLD_AFTER_MS = 7 * 864e5;
var FILES_AT_ONCE_MAX = 3;
var NEWEST_TAIL_BYTES = 65536;
function compressCold(files, folder, cursor, now) {
  const done = [];
  for (const file of logFiles(files, folder)) {
    if (file.number > cursor.file - FILES_BEHIND_MIN || done.length === FILES_AT_ONCE_MAX) break;
    if (file.plain && isCold(files, folder, file, now) && compress(files, folder, file)) done.push(file.number);
  }
  return done;
}
function isCold(files, folder, file, now) {
  const name = `${folder}/${logFileName(file.number)}`;
  const size = files.size(name) ?? 0;
  const from = Math.max(0, size - NEWEST_TAIL_BYTES);
  const newest = newestIn(files.readAt(name, from, size - from)) ?? newestIn(files.read(name) ?? Buffer.alloc(0));
  return newest === void 0 || now - newest > COLD_AFTER_MS;
}
function newestIn(bytes) {
  let newest;
  for (const { line } of linesIn(bytes)) {
    if (line.kind === "header" && line.version > LOG_VERSION) return Number.POSITIVE_INFINITY;
    if (line.kind === "event") newest = Math.max(newest ?? 0, timeOf(line.event));
  }
  return newest;
}
function compress(files, folder, file) {
  const plain2 = `${folder}/${logFileName(file.number)}`;
  const packed = `${folder}/${compressedName(file.number)}`;
  const size = files.size(plain2);
  const bytes = bytesOf(files, folder, file);
  files.replace(packed, gzipSync(bytes));
  const copy = { ...file, plain: false, compressed: true };
  if (!bytesOf(files, folder, copy).equals(bytes) || files.size(plain2) !== size) return false;
  files.sync(folder);
  files.remove(plain2);
  return true;
}

// src/store/logRead.ts
function readLog(files, folder, from = LOG_START) {
  const found = { events: [], torn: 0, rotten: 0 };
  let end = from;
  let late = false;
  for (const file of logFiles(files, folder)) {
    const { number: number2 } = file;
    if (number2 < from.file - 1) continue;
    const start = number2 === from.file ? from.offset : number2 === from.file - 1 ? from.previous : 0;
    const read = readLines(understood(files, folder, file, start), found);
    if (number2 < from.file && read > 0) late = true;
    if (number2 > end.file)
      end = { file: number2, offset: start + read, previous: end.file === number2 - 1 ? end.offset : 0 };
    else if (number2 === end.file) end = { ...end, offset: start + read };
    else end = { ...end, previous: start + read };
  }
  return { ...found, end, late };
}
function readLines(bytes, found) {
  let read = 0;
  for (const { end, line } of linesIn(bytes)) {
    if (line.kind === "event") found.events.push(line.event);
    if (line.kind === "torn" || line.kind === "event" && line.tornBytes > 0) found.torn++;
    else if (line.kind === "rotten") found.rotten++;
    read = end + 1;
  }
  return read;
}

// src/store/logSync.ts
function syncLog(files, folder, from) {
  for (const file of openLogFiles(files, folder)) {
    if (file >= from.file - 1) files.sync(`${folder}/${logFileName(file)}`);
  }
}

// src/store/sweep.ts
var ASIDE = /\.(\d+)(?:\.\d+\.aside|\.dead)$/;
function sweep(files, folder) {
  let swept = 0;
  for (const name of files.list(folder)) {
    const match = ASIDE.exec(name);
    if (!match || isAlive({ pid: Number(match[1]) })) continue;
    files.remove(`${folder}/${name}`);
    swept++;
  }
  return swept;
}

// src/model/contribution.ts
function contributionOf(parts, weights, used) {
  const total = weights.success + weights.time + weights.calls + weights.errors;
  if (total <= 0) return 0;
  const sum2 = weights.success * parts.success + weights.time * parts.time + weights.calls * parts.calls + weights.errors * parts.errors;
  return Math.min(1, Math.max(-1, used * sum2 / total));
}

// src/improve/used.ts
var CONFIDENCE = {
  /** A command the memory names in backticks was run. */
  command: 0.8,
  /** The failed call's aim passed afterwards, without the memory's error coming back. */
  errorGone: 0.5,
  /** A file of the memory was changed afterwards. */
  file: 0.4,
  /** Seed 000's way: a third of the memory's own words turn up in what was said or run afterwards. */
  words: 0.3
};
var WORDS_SHARE = 0.34;
var EDITING = /* @__PURE__ */ new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"]);
function useOf(memory, after, cue) {
  const calls = after.filter(isCallEnded);
  const traces = [];
  if (ranItsCommand(memory, calls)) traces.push("command");
  if (errorGone(memory, calls)) traces.push("errorGone");
  if (calls.some((call2) => EDITING.has(call2.tool) && call2.files.some((file) => memory.files.includes(file))))
    traces.push("file");
  if (echoed(memory, after, cue)) traces.push("words");
  return { confidence: 1 - traces.reduce((doubt, trace) => doubt * (1 - CONFIDENCE[trace]), 1), traces };
}
function ranItsCommand(memory, calls) {
  const text2 = memory.lessons.length > 0 ? memory.lessons.join("\n") : memory.content;
  const shapes = new Set([...text2.matchAll(/`([^`\n]{2,200})`/g)].map((match) => commandShape(match[1])));
  if (memory.commandShape) shapes.delete(memory.commandShape);
  return calls.some(
    (call2) => call2.kind === "call.succeeded" && call2.commandShape !== void 0 && shapes.has(call2.commandShape)
  );
}
function errorGone(memory, calls) {
  if (!memory.errorSignature || !memory.commandShape) return false;
  const passed = calls.findIndex((call2) => call2.kind === "call.succeeded" && call2.commandShape === memory.commandShape);
  if (passed === -1) return false;
  return !calls.slice(0, passed).some((call2) => call2.kind === "call.failed" && call2.errorSignature === memory.errorSignature);
}
function echoed(memory, after, cue) {
  const asked = new Set(termsOf(cue));
  const own = new Set(termsOf(memory.content.slice(0, 1e3)).filter((term2) => isTelling(term2) && !asked.has(term2)));
  if (own.size < 4) return false;
  const said = new Set(after.flatMap((event) => termsOf(wordsAfter(event))));
  let found = 0;
  for (const term2 of own) if (said.has(term2)) found++;
  return found / own.size >= WORDS_SHARE;
}
var isTelling = (term2) => term2.length > 2 || /^(?![\u3041-\u309f]{2})[^\0-\u2e7f]{2}$/.test(term2);
function wordsAfter(event) {
  if (event.kind === "answer" || event.kind === "agent.stopped") return event.text;
  if (!isCallEnded(event)) return "";
  const { command, new_string, content: content2, description } = event.input;
  return [command, new_string, content2, description].filter((text2) => typeof text2 === "string").join("\n");
}

// src/improve/judge.ts
var SAID = /* @__PURE__ */ new Set(["preference", "decision", "entry"]);
function judge(events, memories, baselines, policy) {
  return events.flatMap((event, at) => {
    if (event.kind !== "recalled" || event.shown.length === 0) return [];
    const after = afterwards(events, at);
    const judged = event.shown.flatMap((shown2) => {
      const memory = memories.get(shown2.memory);
      return memory ? [judgeOne(memory, shown2.features, event, after, baselines, policy)] : [];
    });
    return [{ recall: event.id, moment: event.moment, at: event.at, withheld: event.withheld, memories: judged }];
  });
}
function judgeOne(memory, features, recalled, after, baselines, policy) {
  const use = useOf(memory, after, recalled.cue);
  const parts = partsOf2(memory, recalled, after, baselines);
  const helped = contributionOf(parts, policy.contribution, use.confidence);
  const unused = SAID.has(memory.kind) ? 0 : -policy.unusedCost;
  const contribution = use.traces.length === 0 ? unused : helped;
  return { memory: memory.id, features, used: use.confidence, traces: use.traces, parts, contribution };
}
function partsOf2(memory, recalled, after, baselines) {
  const calls = after.filter(isCallEnded);
  const kind = workKind(memory);
  const ended = endOf(calls);
  const success = ended === void 0 ? 0 : (ended ? 1 : 0) - (usual(baselines.success, ALL) ?? 0.5);
  const passed = passAfter(memory, calls);
  const ms2 = passed ? timeOf(passed) - timeOf(recalled) : void 0;
  const steps = passed ? calls.indexOf(passed) + 1 : void 0;
  return {
    success: clipped(2 * success),
    time: saved2(usual(baselines.mendMs, kind), ms2),
    calls: saved2(usual(baselines.mendCalls, kind), steps),
    errors: errorsAvoided(memory, calls)
  };
}
var workKind = (memory) => memory.commandShape ?? memory.files[0] ?? "task";
function endOf(calls) {
  const check = calls.findLast((call2) => isCheckCommand(commandOf(call2)));
  return check ? check.kind === "call.succeeded" : void 0;
}
function passAfter(memory, calls) {
  if (!memory.commandShape || !memory.errorSignature) return void 0;
  return calls.find((call2) => call2.kind === "call.succeeded" && call2.commandShape === memory.commandShape);
}
function errorsAvoided(memory, calls) {
  if (!memory.errorSignature) return 0;
  const again = calls.filter(
    (call2) => call2.kind === "call.failed" && call2.errorSignature === memory.errorSignature
  ).length;
  if (again > 0) return again === 1 ? -0.5 : -1;
  return passAfter(memory, calls) ? 1 : 0;
}
function saved2(usualValue, now) {
  if (usualValue === void 0 || now === void 0 || usualValue + now <= 0) return 0;
  return clipped((usualValue - now) / (usualValue + now));
}
function afterwards(events, at) {
  const recalled = events[at];
  const rest = events.slice(at + 1);
  if (recalled.moment === "start") return rest;
  const own = recalled.moment === "prompt" ? rest.findIndex((event) => event.kind === "prompt" && event.at === recalled.at) : -1;
  const next = rest.findIndex((event, i2) => i2 > own && event.kind === "prompt");
  return next === -1 ? rest : rest.slice(0, next);
}
var clipped = (value) => Math.min(1, Math.max(-1, value));

// src/improve/observe.ts
function baselinesAfter(baselines, events) {
  const calls = events.filter(isCallEnded);
  let { success, mendMs, mendCalls } = baselines;
  calls.forEach((call2, at) => {
    if (!call2.commandShape) return;
    if (isCheckCommand(commandOf(call2))) {
      success = observed(success, call2.commandShape, call2.kind === "call.succeeded" ? 1 : 0);
    }
    if (call2.kind !== "call.failed" || failedBefore(calls, at)) return;
    const passed = calls.findIndex(
      (other, i2) => i2 > at && other.kind === "call.succeeded" && other.commandShape === call2.commandShape
    );
    if (passed === -1) return;
    mendMs = observed(mendMs, call2.commandShape, timeOf(calls[passed]) - timeOf(call2));
    mendCalls = observed(mendCalls, call2.commandShape, passed - at);
  });
  return { success, mendMs, mendCalls };
}
function failedBefore(calls, at) {
  const before = calls.slice(0, at).findLast((other) => other.commandShape === calls[at].commandShape);
  return before?.kind === "call.failed";
}

// src/improve/reinforce.ts
var USED_FROM = 0.5;
function reinforced(memory, verdict, at, policy) {
  const help = {
    shown: memory.help.shown + 1,
    used: memory.help.used + (verdict.used >= USED_FROM ? 1 : 0),
    contribution: memory.help.contribution + verdict.contribution
  };
  const candidate = { ...memory, help, candidateCount: memory.candidateCount + 1 };
  if (verdict.used < USED_FROM) return candidate;
  const accessCount = memory.accessCount + 1;
  const impact = impactOf(verdict, policy);
  return {
    ...candidate,
    accessCount,
    lastUsed: at,
    impactScore: memory.impactScore + impact,
    strength: memory.strength + policy.incrementOnUse + policy.impactRatio * impact,
    consolidationLevel: levelOf(accessCount, policy.levelUses)
  };
}
function impactOf(verdict, policy) {
  if (verdict.parts.errors > 0) return impactValue("prevented_error", policy);
  return verdict.parts.success > 0 ? impactValue("task_success", policy) : 0;
}

// src/model/id.ts
function memoryIdOf(bits) {
  const hex2 = bits.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  const variant = (Number.parseInt(hex2[16], 16) & 3 | 8).toString(16);
  const text2 = `${hex2.slice(0, 8)}-${hex2.slice(8, 12)}-8${hex2.slice(13, 16)}-${variant}${hex2.slice(17, 20)}-${hex2.slice(20, 32)}`;
  return text2;
}

// src/organize/identity.ts
function derivedId(...parts) {
  const key = parts.join("\0");
  const [a, b] = hashPair(key);
  const [c, d] = hashPair(`${key}\0memory`);
  return memoryIdOf([a, b, c, d]);
}

// src/organize/month.ts
var TOLD_MAX = 16;
var FILES_MAX = 40;
function monthsFolded(known, changed3, now) {
  const months = /* @__PURE__ */ new Set();
  for (const memory of changed3.values()) if (isFolded(memory)) months.add(monthOf(memory));
  if (months.size === 0) return [];
  const byMonth = /* @__PURE__ */ new Map();
  for (const memory of known.values()) {
    const current = changed3.get(memory.id) ?? memory;
    if (!isFolded(current) || !months.has(monthOf(current))) continue;
    const list2 = byMonth.get(monthOf(current));
    if (list2) list2.push(current);
    else byMonth.set(monthOf(current), [current]);
  }
  return [...byMonth].map(([month, folded]) => summed(month, folded, known, now));
}
var isFolded = (memory) => fades(memory) && memory.status === "archived" && memory.tier === "cold" && memory.privacy === "public" && memory.retention === "long_term";
var monthOf = (memory) => memory.created.slice(0, 7);
function summed(month, folded, known, now) {
  const id2 = derivedId("month", month);
  const inOrder3 = [...folded].sort(
    (a, b) => a.created < b.created ? -1 : a.created > b.created ? 1 : a.id < b.id ? -1 : 1
  );
  const weight2 = (memory) => memory.importance + memory.help.contribution;
  const told2 = new Set([...inOrder3].sort((a, b) => weight2(b) - weight2(a)).slice(0, TOLD_MAX));
  const lines = inOrder3.flatMap(
    (memory) => told2.has(memory) ? [`${memory.created.slice(0, 10)}: ${firstLine(memory.content, 160)}`] : []
  );
  const head = `${month}: ${inOrder3.length} tasks${inOrder3.length > told2.size ? `, the ${told2.size} weightiest` : ""}`;
  const made = newMemory({
    id: id2,
    kind: "consolidated",
    content: headAndTail([head, ...lines].join("\n"), CONTENT_CHARS_MAX),
    created: inOrder3[0].created,
    updated: inOrder3.at(-1).created,
    tier: "cold",
    files: commonest(inOrder3.flatMap((memory) => memory.files)).slice(0, FILES_MAX),
    importance: Math.max(...inOrder3.map((memory) => memory.importance)),
    tags: ["month"],
    metadata: { month, folded: inOrder3.length },
    lastDecayed: new Date(now).toISOString()
  });
  const before = known.get(id2);
  return before ? {
    ...before,
    content: made.content,
    files: made.files,
    updated: made.updated,
    importance: made.importance,
    metadata: made.metadata
  } : made;
}
function commonest(names) {
  const counts = /* @__PURE__ */ new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

// src/organize/age.ts
var DECAY_STEP_DAYS = 1;
var WORKING_DAYS = 7;
var DAY_MS2 = 864e5;
function aged(known, policy, now) {
  const changed3 = /* @__PURE__ */ new Map();
  for (const memory of known.values()) {
    const later = agedOne(memory, policy, now);
    if (later !== memory) changed3.set(memory.id, later);
  }
  for (const memory of overTheCap(known, changed3, policy, now)) changed3.set(memory.id, memory);
  for (const memory of monthsFolded(known, changed3, now)) changed3.set(memory.id, memory);
  return [...changed3.values()];
}
function agedOne(memory, policy, now) {
  let later = moved(memory, policy, now);
  if (memory.status === "archived") return later;
  if (memory.expires !== void 0 && Date.parse(memory.expires) <= now) return archived(later, now);
  if (memory.retention === "working" && daysBetween(Date.parse(memory.updated), now) >= WORKING_DAYS) {
    return archived(later, now);
  }
  if (!fades(memory)) return later;
  later = weakened(later, policy, now);
  if (isKept(memory)) return later;
  const folded = later.tier === "cold" || later.tier === "warm" && later.importance < policy.tiers.keepWholeFrom;
  return folded || later.strength <= policy.strength.archiveAt ? archived(later, now) : later;
}
function moved(memory, policy, now) {
  const tier2 = tierOf(daysBetween(Date.parse(memory.created), now), policy.tiers);
  const { releaseDays } = policy.privacy;
  const since = privacySince(memory);
  const privacy = released(memory.privacy, daysBetween(since, now), releaseDays);
  if (privacy === memory.privacy) return tier2 === memory.tier ? memory : { ...memory, tier: tier2 };
  if (privacy === "public") return { ...memory, tier: tier2, privacy };
  const opened = new Date(since + releaseDays.privateToAgentOnly * DAY_MS2).toISOString();
  return { ...memory, tier: tier2, privacy, metadata: { ...memory.metadata, privacySince: opened } };
}
function privacySince(memory) {
  const set2 = memory.metadata["privacySince"];
  const since = typeof set2 === "string" ? Date.parse(set2) : Number.NaN;
  return Number.isNaN(since) ? Date.parse(memory.created) : since;
}
var isKept = (memory) => memory.metadata["kept"] === true;
function weakened(memory, policy, now) {
  const since = Date.parse(memory.lastDecayed ?? memory.lastUsed ?? memory.created);
  const days = Math.floor(daysBetween(since, now) / DECAY_STEP_DAYS) * DECAY_STEP_DAYS;
  if (days < DECAY_STEP_DAYS) return memory;
  const level = levelOf(memory.accessCount, policy.strength.levelUses);
  return {
    ...memory,
    strength: decayed(memory.strength, days, policy.strength.dailyRetention[level]),
    consolidationLevel: level,
    // Whole days only: the part of a day that is left counts at the next look.
    lastDecayed: new Date(since + days * DAY_MS2).toISOString()
  };
}
function overTheCap(known, changed3, policy, now) {
  const active = [];
  for (const memory of known.values()) {
    const current = changed3.get(memory.id) ?? memory;
    if (fades(current) && current.status === "active" && !isKept(current)) active.push(current);
  }
  const surplus = active.length - policy.tiers.experiencesMax;
  if (surplus <= 0) return [];
  active.sort((a, b) => a.strength - b.strength || compare2(a.created, b.created) || compare2(a.id, b.id));
  return active.slice(0, surplus).map((memory) => archived(memory, now));
}
var workedThrough = (known, session, now) => [...known.values()].filter(({ retention, status, session: own }) => retention === "working" && status === "active" && own === session).map((memory) => archived(memory, now));
var archived = (memory, now) => ({
  ...memory,
  status: "archived",
  updated: new Date(now).toISOString()
});
var compare2 = (a, b) => a < b ? -1 : a > b ? 1 : 0;

// src/organize/task.ts
var EDITING2 = /* @__PURE__ */ new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"]);
function tasksOf(events) {
  const tasks = [];
  for (const event of events) {
    if (event.kind === "prompt") tasks.push({ id: event.taskId ?? event.id, prompt: event, events: [event] });
    else if (tasks.length === 0) tasks.push({ id: event.taskId ?? event.id, events: [event] });
    else tasks.at(-1).events.push(event);
  }
  return tasks;
}
var callsOf = (events) => events.filter(isCallEnded);
function editedFiles(events) {
  const edits = callsOf(events).filter((call2) => call2.kind === "call.succeeded" && EDITING2.has(call2.tool));
  return [...new Set(edits.flatMap((call2) => call2.files))];
}
function touchedFiles(events) {
  return [.../* @__PURE__ */ new Set([...editedFiles(events), ...callsOf(events).flatMap((call2) => call2.files)])];
}
function outcomeOf(events, next) {
  const signals = new Set(next?.signals.map((signal) => signal.kind));
  if (signals.has("correction") || signals.has("complaint")) return "failure";
  if (signals.has("thanks")) return "success";
  const check = callsOf(events).findLast((call2) => isCheckCommand(commandOf(call2)));
  return check?.outcome ?? "unknown";
}
function lastAnswer(events) {
  const answer = events.findLast((event) => event.kind === "answer" && event.text !== "");
  return answer?.kind === "answer" ? answer.text : "";
}

// src/organize/experience.ts
var TELLING_CHARS = 15;
function experiencesOf(task, next) {
  const main = experienceOf(task, next);
  return [...main ? [main] : [], ...reportsOf(task)];
}
function experienceOf(task, next) {
  const prompt = task.prompt;
  const calls = callsOf(task.events);
  if (!prompt || prompt.text.trim().length <= TELLING_CHARS && calls.length === 0) return void 0;
  const edited = editedFiles(task.events);
  const answer = sentencesOf(lastAnswer(task.events)).slice(0, 2).join(" ");
  const lines = [firstLine(prompt.text.trim().replace(/\s+/g, " "), 400)];
  if (edited.length > 0) lines.push(`Changed ${edited.slice(0, 8).join(", ")}.`);
  const commands = tellingCommands(task);
  if (commands.length > 0) lines.push(`Ran ${commands.join(", ")}.`);
  if (answer) lines.push(firstLine(answer, 300));
  return newMemory({
    id: derivedId("experience", prompt.session, prompt.id),
    kind: "experience",
    content: lines.join("\n"),
    created: prompt.at,
    session: prompt.session,
    taskId: task.id,
    role: prompt.role,
    files: touchedFiles(task.events).slice(0, 20),
    commandShape: calls.findLast((call2) => call2.commandShape !== void 0)?.commandShape,
    branch: prompt.branch,
    outcome: outcomeOf(task.events, next?.prompt),
    privacy: prompt.privacy,
    trust: "user",
    metadata: { edited: edited.slice(0, 20) },
    events: task.events.slice(-20).map((event) => event.id)
  });
}
function reportsOf(task) {
  const stopped = task.events.filter((event) => event.kind === "agent.stopped");
  return stopped.flatMap((stop) => {
    if (!stop.text.trim()) return [];
    const own = task.events.filter((event) => event.agentId === stop.agentId);
    return [
      newMemory({
        id: derivedId("report", stop.session, stop.agentId ?? stop.id),
        kind: "experience",
        content: firstLine(sentencesOf(stop.text).slice(0, 5).join(" "), 800) || firstLine(stop.text, 800),
        created: stop.at,
        session: stop.session,
        taskId: task.id,
        agentId: stop.agentId,
        role: stop.role,
        files: touchedFiles(own).slice(0, 20),
        privacy: stop.privacy,
        tags: ["subagent"],
        events: own.slice(-20).map((event) => event.id)
      })
    ];
  });
}
function tellingCommands(task) {
  const told2 = /* @__PURE__ */ new Map();
  for (const call2 of callsOf(task.events)) {
    const command = commandOf(call2);
    if (!command || call2.kind === "call.succeeded" && !isCheckCommand(command)) continue;
    const name = call2.commandShape ?? firstLine(command, 80);
    told2.delete(name);
    told2.set(name, `\`${name}\` ${call2.kind === "call.failed" ? "failed" : "passed"}`);
  }
  return [...told2.values()].slice(-5);
}

// src/text/signature.ts
var ANSI = /\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\))/g;
var ERRORISH = /error|fail|cannot|can't|not found|no such|unrecognized|undefined|unexpected|denied|fatal|unknown|invalid|illegal|does not exist|panic|enoent|eacces|timeout|timed out|missing|refused|conflict|エラー|失敗|見つかりません|できません/;
var NOISE = /^(?:\$ |> |at |[✓✔ℹ▶]|ok\b|\d+ passing|exit status|exit code|command failed|traceback|\[[^\]\s]+\] (?:\$|error task)|[=~^-]+$|=== |--- pass|caused by:$|stack backtrace|duration_ms|code[: ]|errno|syscall|a complete log|fail$|\d+ (?:issues?|errors?|problems?)\b|(?:path|command) )/;
var TELLING4 = [
  /^(?:Uncaught |Unhandled |Exception in thread "[^"]*" |Caused by: )?(?:[\w$]+[.:]+)*(?:[A-Z]\w*)?(?:Error|Exception|Panic)(?: \[\w+\]| \(\w+\))?: \S/,
  /^(?:[Ee]rror|ERROR|[Ff]atal|FATAL|panic)(?:\[\w+\]|\s+TS\d+)?: \S/,
  /[:-] (?:fatal )?error(?: [A-Z]+\d+)?: \S|^\S+: (?:fatal|panic): \S/,
  /^(?:--- FAIL|not ok|FAILED|✗|✕|×|●) ?\S/
];
var FINDING = /^\S+\.\w+[:(]\d+(?:[:,]\d+)?\)?:? \S/;
var GENERIC = /user doesn't want to proceed|sibling tool call errored|has not been read yet|tool use was rejected|request interrupted|requested permissions|exceeds maximum allowed tokens|modified since read|unexpectedly modified|was cancelled|hook error|string to replace not found|no changes to make|matches of the string to replace|aborted by (?:the )?user/i;
var LINE_CHARS_MAX2 = 500;
var END_CHARS = 8192;
var isGenericError = (error) => GENERIC.test(error);
function tellingLine(error) {
  const lines = linesOf(error);
  const named3 = namedTrouble(lines);
  return named3 ?? lines.find((line) => FINDING.test(line) && !isNoise(line)) ?? fallback(lines);
}
function linesOf(error) {
  const ends = error.length > 2 * END_CHARS ? `${error.slice(0, END_CHARS)}
${error.slice(-END_CHARS)}` : error;
  const lines = [];
  for (const raw of ends.replace(ANSI, "").split(/[\r\n]+/)) {
    const line = raw.replace(/<\/?tool_use_error>/g, "").trim().replace(/^(?:npm (?:ERR!|error|err!)|E {2,}|#) */, "").slice(0, LINE_CHARS_MAX2);
    if (line !== "" && !/^exit code \d+$/i.test(line)) lines.push(line);
  }
  return lines;
}
function namedTrouble(lines) {
  for (const pattern of TELLING4) {
    const at = lines.findIndex((line) => pattern.test(line) && !isNoise(line));
    if (at !== -1) return /: [|>]-?$/.test(lines[at]) && lines[at + 1] ? joined(lines[at], lines[at + 1]) : lines[at];
  }
  return lines.find((line) => ERRORISH.test(line.toLowerCase()) && !isNoise(line));
}
var isNoise = (line) => NOISE.test(line.toLowerCase());
var joined = (line, below) => `${line.replace(/ [|>]-?$/, "")} ${below}`;
var fallback = (lines) => lines.find((line) => !isNoise(line)) ?? lines[0] ?? "";

// src/organize/lesson.ts
var STEPS_MAX = 4;
var INSTEAD_CALLS = 4;
var INSTEAD_LIKENESS = 0.4;
var LOOKING_TOOLS = /* @__PURE__ */ new Set(["Read", "Grep", "Glob", "LS", "WebFetch", "WebSearch"]);
var EDITING3 = /* @__PURE__ */ new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"]);
function failureStories(calls) {
  const stories = /* @__PURE__ */ new Map();
  calls.forEach((call2, at) => {
    if (call2.kind !== "call.failed" || call2.interrupted || isGenericError(call2.error) || !call2.errorSignature) return;
    if (LOOKING_TOOLS.has(call2.tool) || LOOKING2.test(call2.commandShape ?? "")) return;
    const key = `${call2.agentId ?? ""}|${call2.errorSignature}|${aimOf(call2)}`;
    const before = stories.get(key);
    const since = before ? stepsBetween(calls, calls.indexOf(before.failures.at(-1)) + 1, at, call2) : [];
    stories.delete(key);
    stories.set(key, {
      failures: [...before?.failures ?? [], call2],
      inVain: [...before?.inVain ?? [], ...since].slice(-STEPS_MAX),
      fix: fixAfter(calls, at, call2)
    });
  });
  return [...stories.values()];
}
function aimOf(call2) {
  const command = commandOf(call2);
  return command ? `${call2.tool} ${commandFamily(command)}` : `${call2.tool} ${call2.files[0] ?? ""}`.trim();
}
function fixAfter(calls, at, failed) {
  for (let i2 = at + 1; i2 < calls.length; i2++) {
    const call2 = calls[i2];
    if (call2.agentId !== failed.agentId) continue;
    if (aimOf(call2) === aimOf(failed)) {
      if (call2.kind === "call.failed") {
        if (call2.errorSignature === failed.errorSignature) return void 0;
        continue;
      }
      const steps = stepsBetween(calls, at + 1, i2, failed);
      const changed3 = commandOf(call2) !== commandOf(failed);
      if (steps.length === 0)
        return { kind: changed3 ? "instead" : "again", steps: changed3 ? [insteadStep(call2)] : [], passed: call2 };
      return { kind: "steps", steps: collapsed(steps), passed: call2 };
    }
    if (i2 - at <= INSTEAD_CALLS && isInstead(call2, failed))
      return { kind: "instead", steps: [insteadStep(call2)], passed: call2 };
  }
  return void 0;
}
var insteadStep = (call2) => commandOf(call2) ? { kind: "command", what: firstLine(commandOf(call2), 160), files: call2.files } : stepOf(call2) ?? { kind: "edit", what: aimOf(call2), files: call2.files };
function isInstead(call2, failed) {
  if (call2.kind !== "call.succeeded" || !commandOf(call2) || !commandOf(failed)) return false;
  return jaccard(new Set(termsOf(commandOf(call2))), new Set(termsOf(commandOf(failed)))) >= INSTEAD_LIKENESS;
}
function stepsBetween(calls, from, to, failed) {
  return calls.slice(from, to).flatMap((call2) => {
    if (call2.kind !== "call.succeeded" || call2.agentId !== failed.agentId || aimOf(call2) === aimOf(failed)) return [];
    const step = stepOf(call2);
    return step ? [step] : [];
  });
}
function collapsed(steps) {
  return [...new Map(steps.toReversed().map((step) => [step.what, step])).values()].reverse().slice(-STEPS_MAX);
}
var LOOKING2 = /^(ls|cat|head|tail|grep|rg|find|pwd|cd|echo|which|wc|sed -n|git (status|log|diff|show|branch)|tree|file|stat|ps|env|type)\b/;
function stepOf(call2) {
  const command = commandOf(call2);
  if (command) {
    const shape = call2.commandShape ?? command;
    return LOOKING2.test(shape) ? void 0 : { kind: "command", what: firstLine(command, 160), files: call2.files };
  }
  if (!EDITING3.has(call2.tool) || call2.files.length === 0) return void 0;
  const text2 = call2.input["new_string"] ?? call2.input["content"];
  const detail = typeof text2 === "string" ? tellingDetail(text2) : void 0;
  return { kind: "edit", what: call2.files[0], files: call2.files, detail };
}
function tellingDetail(text2) {
  const line = text2.split("\n").find((one) => one.trim().length >= 12 && /[\p{L}]{3}/u.test(one));
  return line === void 0 ? void 0 : firstLine(line, 120);
}
function lessonText(story) {
  const failed = story.failures.at(-1);
  const command = commandOf(failed);
  const what = command ? `\`${firstLine(command, 120)}\`` : `${failed.tool} ${failed.files[0] ?? ""}`.trim();
  const error = firstLine(tellingLine(failed.error), 200);
  const lines = [`${what} failed: ${error}`];
  if (story.fix) lines.push(fixText(story.fix));
  else lines.push("No fix is known yet.");
  const vain = story.inVain.map(stepText);
  if (vain.length > 0) lines.push(`Did not help: ${[...new Set(vain)].join("; ")}.`);
  return lines.join("\n");
}
function fixText(fix) {
  switch (fix.kind) {
    case "again":
      return "Fix: run again, it passed without any change.";
    case "instead":
      return `Fix: use ${fix.steps.map(stepText).join(", then ")} instead.`;
    case "steps":
      return `Fix: ${fix.steps.map(stepText).join(", then ")}.`;
  }
}
function stepText(step) {
  if (step.kind === "command") return `\`${step.what}\``;
  return step.detail ? `edit ${step.what} (${step.detail})` : `edit ${step.what}`;
}

// src/organize/saying.ts
var KIND_OF = {
  remember: "preference",
  preference: "preference",
  decision: "decision",
  correction: "lesson"
};
function sayingsOf(task, before) {
  const prompt = task.prompt;
  if (prompt?.role !== "main") return [];
  return prompt.signals.flatMap((signal) => {
    const kind = KIND_OF[signal.kind];
    if (!kind) return [];
    const about = kind === "preference" ? [] : touchedFiles([...before?.events ?? [], ...task.events]).slice(0, 8);
    const said = newMemory({
      id: derivedId("said", kind, termsOf(signal.text).join(" ") || signal.text),
      kind,
      content: signal.kind === "correction" ? `The person corrected: ${signal.text}` : signal.text,
      created: prompt.at,
      session: prompt.session,
      taskId: task.id,
      role: prompt.role,
      files: about,
      branch: prompt.branch,
      trust: "user",
      tags: [signal.kind],
      events: [prompt.id]
    });
    return [kind === "lesson" ? { ...said, lessons: [signal.text] } : said];
  });
}

// src/organize/summary.ts
var PROMPTS_MAX = 6;
var FILES_MAX2 = 15;
function summaryOf(session, events, tasks, stories) {
  const prompts = tasks.flatMap((task) => task.prompt && task.prompt.text.trim().length > 3 ? [task.prompt] : []);
  if (prompts.length === 0 && callsOf(events).length === 0) return void 0;
  const edited = editedFiles(events);
  const open = openEnds(tasks, stories);
  const lines = prompts.slice(0, PROMPTS_MAX).map((prompt) => `asked: ${firstLine(prompt.text.trim(), 160)}`);
  if (prompts.length > PROMPTS_MAX) lines.push(`\u2026 and ${prompts.length - PROMPTS_MAX} prompts more`);
  if (edited.length > 0) lines.push(`Changed: ${listed2(edited, FILES_MAX2)}`);
  const checks = checksOf(events);
  if (checks.length > 0) lines.push(`Checks: ${checks.join(", ")}`);
  for (const story of stories.filter((one) => one.fix).slice(-3)) lines.push(`Mended: ${fixText(story.fix)}`);
  const answer = sentencesOf(lastAnswer(events)).slice(0, 2).join(" ");
  if (answer) lines.push(`In the end: ${firstLine(answer, 300)}`);
  for (const one of open) lines.push(`Left open: ${one}`);
  const first = events[0];
  return newMemory({
    id: derivedId("summary", session),
    kind: "summary",
    content: headAndTail(lines.join("\n"), CONTENT_CHARS_MAX),
    created: first.at,
    updated: events.at(-1).at,
    session,
    files: touchedFiles(events).slice(0, 40),
    branch: branchOf(events),
    outcome: outcomeOf(events),
    trust: "user",
    metadata: { edited: edited.slice(0, 60), open, prompts: prompts.length, calls: callsOf(events).length },
    events: [first.id, events.at(-1).id]
  });
}
function continued(known, later) {
  return {
    ...known,
    content: headAndTail(`${known.content}
${later.content}`, CONTENT_CHARS_MAX),
    updated: later.updated,
    files: [.../* @__PURE__ */ new Set([...later.files, ...known.files])].slice(0, 40),
    branch: later.branch ?? known.branch,
    outcome: later.outcome === "unknown" ? known.outcome : later.outcome,
    metadata: {
      ...known.metadata,
      ...later.metadata,
      edited: union(known.metadata["edited"], later.metadata["edited"]).slice(0, 60)
    },
    events: [known.events[0], later.events.at(-1)]
  };
}
function openEnds(tasks, stories) {
  const open = stories.flatMap((story) => {
    const failed = story.failures.at(-1);
    return story.fix ? [] : [`${firstLine(commandOf(failed) || failed.tool, 80)}: ${firstLine(tellingLine(failed.error), 140)}`];
  });
  const last = tasks.at(-1);
  const unanswered = last?.prompt && !last.events.some((event) => event.kind === "answer");
  if (unanswered) open.push(`not answered: ${firstLine(last.prompt.text.trim(), 140)}`);
  return open.slice(-4);
}
function checksOf(events) {
  const ended = /* @__PURE__ */ new Map();
  for (const call2 of callsOf(events)) {
    const command = commandOf(call2);
    if (isCheckCommand(command)) ended.set(commandFamily(command), call2.kind === "call.failed" ? "failed" : "passed");
  }
  return [...ended].slice(-5).map(([name, how]) => `\`${name}\` ${how}`);
}
function branchOf(events) {
  const told2 = events.findLast((event) => (event.kind === "prompt" || event.kind === "session.started") && event.branch);
  return told2?.kind === "prompt" || told2?.kind === "session.started" ? told2.branch : void 0;
}
var listed2 = (names, most) => names.length > most ? `${names.slice(0, most).join(", ")} and ${names.length - most} more` : names.join(", ");
var union = (a, b) => [
  .../* @__PURE__ */ new Set([...Array.isArray(b) ? b : [], ...Array.isArray(a) ? a : []])
];

// src/organize/weigh.ts
var COMPARED_MAX = 40;
var SIGNAL_WORTH = { remember: 1, correction: 1, preference: 0.9, decision: 0.9 };
function weighed(made, part, known, policy) {
  const own = new Set(made.map((memory) => memory.id));
  const compared = latestByKind(known, own);
  const terms = (memory) => termsFor(memory, compared.get(memory.kind) ?? []);
  const weigh = (memory, given) => ({
    ...memory,
    importance: memory.pinned ? memory.importance : importanceOf(given, policy.importance),
    importanceTerms: memory.importanceTerms ?? given
  });
  const fresh = made.map((memory) => weigh(memory, known.has(memory.id) ? recounted(memory) : terms(memory)));
  return [...fresh, ...crossed(fresh, part, known, own).map((memory) => weigh(memory, recounted(memory)))];
}
function crossed(fresh, part, known, own) {
  const files = new Set(fresh.flatMap((memory) => editedOf(memory)));
  const signatures = new Set(fresh.flatMap((memory) => memory.errorSignature ?? []));
  const met = [];
  for (const memory of known.values()) {
    if (own.has(memory.id) || memory.session === part.session || memory.status !== "active") continue;
    if (memory.kind !== "experience" && memory.kind !== "lesson") continue;
    const touches = memory.files.some((file) => files.has(file)) || signatures.has(memory.errorSignature ?? "");
    if (!touches) continue;
    met.push({ ...memory, meetings: memory.meetings + 1 });
  }
  return met;
}
function termsFor(memory, compared) {
  return {
    outcome: outcomeTerm(memory),
    reuse: 0,
    crossImpact: 0,
    novelty: noveltyAgainst(memory, compared),
    userSignal: Math.max(0, ...memory.tags.map((tag) => SIGNAL_WORTH[tag] ?? 0)),
    costSaved: saturated(Number(memory.metadata["costMs"] ?? 0), COST_HALF_MS)
  };
}
function recounted(memory) {
  const first = memory.importanceTerms;
  const repeats = Number(memory.metadata["sessions"] ?? 1) - 1;
  return {
    outcome: outcomeTerm(memory),
    reuse: saturated(memory.accessCount + repeats, 1),
    crossImpact: saturated(memory.meetings + repeats, 2),
    novelty: first?.novelty ?? 0.5,
    userSignal: first?.userSignal ?? 0,
    costSaved: Math.max(first?.costSaved ?? 0, saturated(Number(memory.metadata["costMs"] ?? 0), COST_HALF_MS))
  };
}
function outcomeTerm(memory) {
  if (memory.kind === "lesson" && memory.errorSignature) return memory.metadata["fixed"] === true ? 1 : 0.8;
  return memory.outcome === "failure" ? 0.8 : memory.outcome === "success" ? 0.6 : 0.1;
}
function noveltyAgainst(memory, compared) {
  const words = new Set(termsOf(memory.content.slice(0, 400)));
  let likest = 0;
  for (const other of compared) likest = Math.max(likest, jaccard(words, new Set(termsOf(other.content.slice(0, 400)))));
  return 1 - likest;
}
function latestByKind(known, own) {
  const byKind = /* @__PURE__ */ new Map();
  for (const memory of known.values()) {
    if (own.has(memory.id)) continue;
    const list2 = byKind.get(memory.kind);
    if (!list2) byKind.set(memory.kind, [memory]);
    else if (list2.length < COMPARED_MAX || isLater(memory, list2[0])) {
      let at = list2.length;
      while (at > 0 && isLater(list2[at - 1], memory)) at--;
      list2.splice(at, 0, memory);
      if (list2.length > COMPARED_MAX) list2.shift();
    }
  }
  return byKind;
}
var isLater = (a, b) => a.created > b.created || a.created === b.created && a.id > b.id;
function editedOf(memory) {
  const edited = memory.metadata["edited"];
  return Array.isArray(edited) ? edited.filter((file) => typeof file === "string") : [];
}

// src/organize/organize.ts
var EVENTS_MAX = 20;
function organize(part, known, policy) {
  const told2 = part.events.filter((event) => event.kind !== "recalled");
  if (told2.length === 0) return [];
  const tasks = tasksOf(told2);
  const stories = failureStories(callsOf(told2));
  const summary = summaryOf(part.session, told2, tasks, stories);
  const made = [
    ...tasks.flatMap((task, i2) => [...sayingsOf(task, tasks[i2 - 1]), ...experiencesOf(task, tasks[i2 + 1])]),
    ...stories.map((story) => lessonOf(story, known)),
    ...summary ? [summary] : []
  ];
  const met = once2(made).map((memory) => metAgain(memory, known.get(memory.id)));
  return weighed(met, part, known, policy);
}
function lessonOf(story, known) {
  const failed = story.failures.at(-1);
  const id2 = derivedId("lesson", failed.errorSignature, aimOf(failed));
  const before = known.get(id2);
  const fixed = story.fix !== void 0;
  const keepsOld = !fixed && before?.metadata["fixed"] === true;
  return newMemory({
    id: id2,
    kind: "lesson",
    content: keepsOld ? before.content : headAndTail(lessonText(story), 1500),
    lessons: story.fix ? [fixText(story.fix)] : before?.lessons ?? [],
    created: failed.at,
    updated: (story.fix?.passed ?? failed).at,
    session: failed.session,
    taskId: failed.taskId,
    agentId: failed.agentId,
    role: failed.role,
    files: [.../* @__PURE__ */ new Set([...failed.files, ...story.fix?.steps.flatMap((step) => step.files) ?? []])].slice(0, 12),
    commandShape: failed.commandShape,
    errorSignature: failed.errorSignature,
    outcome: fixed || keepsOld ? "success" : "failure",
    // A lesson is for everyone in the project, whoever learnt it.
    privacy: "public",
    metadata: {
      fixed: fixed || keepsOld,
      calls: story.failures.map((failure) => failure.call).slice(-EVENTS_MAX),
      costMs: story.fix ? Date.parse(story.fix.passed.at) - Date.parse(story.failures[0].at) : 0
    },
    events: [...story.failures.map((failure) => failure.id), ...story.fix ? [story.fix.passed.id] : []].slice(
      -EVENTS_MAX
    )
  });
}
function metAgain(memory, known) {
  if (!known) return memory;
  if (memory.kind === "summary") return continued(known, memory);
  return {
    ...known,
    content: memory.content,
    lessons: memory.lessons,
    updated: memory.updated,
    outcome: memory.outcome,
    status: "active",
    files: [.../* @__PURE__ */ new Set([...memory.files, ...known.files])].slice(0, 20),
    metadata: {
      ...known.metadata,
      ...memory.metadata,
      calls: joined2(known.metadata["calls"], memory.metadata["calls"]),
      sessions: sessionsMet(known, memory)
    },
    events: [.../* @__PURE__ */ new Set([...known.events, ...memory.events])].slice(-EVENTS_MAX)
  };
}
function sessionsMet(known, memory) {
  const before = typeof known.metadata["sessions"] === "number" ? known.metadata["sessions"] : 1;
  return known.session === memory.session ? before : before + 1;
}
var joined2 = (a, b) => [...Array.isArray(a) ? a : [], ...Array.isArray(b) ? b : []].slice(-EVENTS_MAX);
function once2(memories) {
  return [...new Map(memories.map((memory) => [memory.id, memory])).values()];
}

// src/broker/changes.ts
function changed2(memories, event) {
  switch (event.kind) {
    case "memory.updated":
      update(memories, event.change, event.at);
      break;
    case "memory.batch":
      for (const memory of event.stored) memories.set(memory.id, memory);
      for (const change of event.changes) update(memories, change, event.at);
      break;
    case "memory.deleted":
      for (const id2 of event.memories) memories.delete(id2);
      break;
    case "memory.accessed":
      for (const id2 of event.memories) {
        replace(memories, id2, (memory) => ({ ...memory, accessCount: memory.accessCount + 1, lastUsed: event.at }));
      }
      break;
    case "memory.scored":
      replace(memories, event.memory, (memory) => ({
        ...memory,
        importance: event.score,
        pinned: { reason: event.reason, at: event.at },
        updated: event.at
      }));
      break;
    case "memory.consolidated":
      memories.set(event.memory.id, event.memory);
      if (!event.preserved) for (const id2 of event.from) memories.delete(id2);
  }
}
function update(memories, change, at) {
  const { memory: id2, content: content2, tags: tags2, metadata: metadata2, retention, session, expires } = change;
  replace(memories, id2, (memory) => ({
    ...memory,
    ...content2 === void 0 ? {} : { content: content2 },
    ...tags2 === void 0 ? {} : { tags: tags2 },
    ...metadata2 === void 0 ? {} : { metadata: { ...memory.metadata, ...metadata2 } },
    ...retention === void 0 ? {} : { retention },
    // What somebody wants to be kept for long is not folded by age.
    ...retention === "long_term" && fades(memory) ? { metadata: { ...memory.metadata, ...metadata2, kept: true } } : {},
    ...session === void 0 ? {} : { session },
    ...expires === void 0 ? {} : { expires: expires ?? void 0 },
    updated: at
  }));
}
function replace(memories, id2, next) {
  const memory = memories.get(id2);
  if (memory) memories.set(id2, next(memory));
}

// src/broker/told.ts
function toldAfter(told2, event) {
  if (event.kind === "session.started" && (event.source === "compact" || event.source === "clear")) return [];
  if (event.kind !== "recalled" || event.withheld || event.shown.length === 0) return told2;
  return [.../* @__PURE__ */ new Set([...told2, ...event.shown.map((shown2) => shown2.memory)])];
}

// src/broker/fold.ts
var SEEN_MAX = 64;
var SESSION_KEPT_MS = 14 * 864e5;
var MOVES_MAX = 10;
function fold(view, event, shipped) {
  switch (event.kind) {
    case "policy.changed":
      changePolicy(view, event);
      break;
    case "policy.chosen":
      choosePolicy(view, event, shipped);
      break;
    case "policy.frozen":
      freezePolicy(view, event);
      break;
    case "memory.stored":
      view.memories.set(event.memory.id, event.memory);
      break;
    case "memory.restored":
      restore(view, event, shipped);
      break;
    case "memory.updated":
    case "memory.batch":
    case "memory.deleted":
    case "memory.accessed":
    case "memory.scored":
    case "memory.consolidated":
      changed2(view.memories, event);
      break;
    case "session.improved":
      improve(view, event, shipped);
      break;
    case "session.organized":
      organized(view, event, shipped);
      break;
    default:
      happened(view, event);
  }
}
function happened(view, event) {
  const known = view.sessions.get(event.session);
  if (known?.seen.includes(event.id)) return;
  const state = known ?? begun(event);
  view.sessions.set(event.session, {
    ...state,
    ...event.kind === "session.started" ? { client: event.client ?? state.client, branch: event.branch ?? state.branch } : {},
    lastAt: latest(state.lastAt, event.at),
    ended: event.kind === "session.ended",
    pending: appended(state.pending, event),
    seen: [...state.seen.slice(1 - SEEN_MAX), event.id],
    improved: false,
    stepped: false,
    told: toldAfter(state.told, event)
  });
}
var latest = (a, b) => b > a ? b : a;
function appended(pending, event) {
  ;
  pending.push(event);
  return pending;
}
function begun(event) {
  return {
    id: event.session,
    started: event.at,
    lastAt: event.at,
    ended: false,
    pending: [],
    seen: [],
    improved: false,
    stepped: false,
    told: []
  };
}
function improve(view, marker2, shipped) {
  const state = view.sessions.get(marker2.session);
  if (!state || state.improved || state.pending.length === 0) return;
  const policy = servingIn(view, shipped);
  const judged = judge(state.pending, view.memories, view.baselines, policy.improve);
  for (const recall of judged) {
    if (recall.withheld) continue;
    for (const verdict of recall.memories) {
      const memory = view.memories.get(verdict.memory);
      if (memory) view.memories.set(memory.id, reinforced(memory, verdict, recall.at, policy.strength));
    }
  }
  view.baselines = baselinesAfter(view.baselines, state.pending);
  view.judged = [...view.judged, ...judged.filter((recall) => recall.memories.length > 0)].slice(
    -policy.improve.guardWindow
  );
  view.sessions.set(state.id, { ...state, improved: true });
}
function organized(view, marker2, shipped) {
  const state = view.sessions.get(marker2.session);
  const policy = servingIn(view, shipped);
  const now = timeOf(marker2);
  if (state && state.pending.length > 0) {
    const part = { session: state.id, events: state.pending };
    for (const memory of organize(part, view.memories, policy)) view.memories.set(memory.id, memory);
    view.sessions.set(state.id, { ...state, pending: [], improved: false, stepped: false });
  }
  for (const memory of workedThrough(view.memories, marker2.session, now)) view.memories.set(memory.id, memory);
  age(view, aged(view.memories, policy, now), marker2.at);
  for (const [id2, session] of view.sessions) {
    if (session.pending.length === 0 && now - Date.parse(session.lastAt) > SESSION_KEPT_MS) view.sessions.delete(id2);
  }
}
function age(view, changed3, at) {
  const tiers = {};
  const archived2 = [];
  for (const memory of changed3) {
    const before = view.memories.get(memory.id);
    view.memories.set(memory.id, memory);
    if (before && before.tier !== memory.tier) tiers[memory.tier] = (tiers[memory.tier] ?? 0) + 1;
    if (before?.status === "active" && memory.status === "archived") archived2.push(memory.id);
  }
  if (archived2.length === 0 && Object.keys(tiers).length === 0) return;
  view.moves = [...view.moves, { at, tiers, archived: archived2 }].slice(-MOVES_MAX);
}
function restore(view, event, shipped) {
  for (const id2 of event.memories) {
    const memory = view.memories.get(id2);
    if (memory?.status !== "archived") continue;
    view.memories.set(id2, {
      ...memory,
      status: "active",
      strength: Math.max(memory.strength, servingIn(view, shipped).strength.reactivated),
      lastDecayed: event.at,
      metadata: { ...memory.metadata, kept: true },
      updated: event.at
    });
  }
}

// src/broker/shelves.ts
var kept2 = /* @__PURE__ */ new Map();
function refreshShelf(store2) {
  kept2.get(store2)?.close();
  kept2.delete(store2);
}

// src/broker/vectors.ts
function updateVectors(store2, memories) {
  const vectors = openVectors(store2.files, store2.layout, loadedHnsw());
  const wanted = wantedOf(memories);
  const { model } = vectors.current;
  if (model === "" || isBuiltin(model)) refreshBuiltin(store2, vectors, wanted);
  else write(store2, vectors, wanted, { model, dimensions: vectors.current.dimensions }, /* @__PURE__ */ new Map());
}
function refreshBuiltin(store2, vectors, wanted) {
  const learnt = learntFor(
    store2,
    vectors.current,
    wanted.map((one) => one.text)
  );
  const embedder = builtinEmbedder(learnt?.words);
  const missing = missingOf(vectors, wanted, embedder.id);
  const made = embedder.embed(missing.map((one) => one.text));
  const embedded = new Map(missing.map((one, i2) => [one.key, made[i2]]));
  write(store2, vectors, wanted, { model: embedder.id, dimensions: embedder.dimensions }, embedded, learnt);
}

// src/broker/upkeep.ts
function upkeep(store2, options, kept3) {
  const lock = takeLock(store2.files, store2.layout.lock);
  if (!lock) return { organized: [], memories: 0, policyVersion: 0, busy: true };
  try {
    const loaded = kept3 ?? load(store2);
    const organized2 = [];
    let changed3 = catchUp(store2, loaded);
    for (let due = dueSessions(loaded.view, options); due.length > 0; due = dueSessions(loaded.view, options)) {
      for (const session of due) {
        endSession(store2, loaded, session, options.now);
        organized2.push(session);
      }
      catchUp(store2, loaded);
      changed3 = true;
    }
    if (changed3 || loaded.manifest.generation === 0) {
      syncLog(store2.files, store2.layout.events, loaded.manifest.cursor);
      save(store2, loaded, SHIPPED, indexedTerms, options.now);
      refreshShelf(store2);
      updateVectors(store2, loaded.view.memories.values());
    }
    tidy(store2, loaded.manifest.cursor, options.now);
    return { organized: organized2, memories: loaded.view.memories.size, policyVersion: loaded.view.learned.version, busy: false };
  } finally {
    lock.release();
  }
}
function tidy({ files, layout }, cursor, now) {
  compressCold(files, layout.events, cursor, now);
  for (const folder of [layout.folder, layout.events, layout.vectors]) sweep(files, folder);
}
function catchUp(store2, loaded) {
  const read = readLog(store2.files, store2.layout.events, loaded.view.cursor);
  if (read.late) {
    Object.assign(loaded.view, emptyView());
    readInto(store2, loaded);
    return true;
  }
  for (const event of read.events) fold(loaded.view, event, SHIPPED);
  loaded.view.cursor = read.end;
  return read.events.length > 0;
}
function readInto(store2, loaded) {
  const read = readLog(store2.files, store2.layout.events);
  for (const event of read.events) fold(loaded.view, event, SHIPPED);
  loaded.view.cursor = read.end;
}
function dueSessions(view, options) {
  const due = [...view.sessions.values()].filter((session) => session.pending.length > 0 && isOver(session, options));
  return due.sort((a, b) => a.lastAt < b.lastAt ? -1 : 1).map((session) => session.id);
}
function isOver(session, options) {
  if (session.ended || options.sessions === "all" || options.sessions?.includes(session.id)) return true;
  if (session.client) return !isAlive(session.client);
  return options.now - Date.parse(session.lastAt) > SESSION_SILENT_MS;
}
function endSession(store2, loaded, session, now) {
  if (!loaded.view.sessions.get(session).improved) tell(store2, loaded, marker("session.improved", session, now));
  const { judged, learned, frozen } = loaded.view;
  const step = frozen || loaded.view.sessions.get(session).stepped ? void 0 : nextStep(judged, chosenIn(loaded.view, SHIPPED), learned);
  if (step) {
    const version = loaded.view.learned.version + 1;
    const changed3 = {
      ...baseOf("policy.changed", session, now, String(version)),
      kind: "policy.changed",
      version,
      by: "improve",
      ...step
    };
    tell(store2, loaded, changed3);
  }
  tell(store2, loaded, marker("session.organized", session, now));
}
function tell(store2, loaded, event) {
  appendEvents(store2.files, store2.layout.events, [event]);
  catchUp(store2, loaded);
}
var marker = (kind, session, now) => ({
  ...baseOf(kind, session, now, ""),
  kind
});
function baseOf(kind, session, now, more) {
  const [high, low] = hashPair([kind, session, now, more].join("\0"));
  return {
    id: high.toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0"),
    at: new Date(now).toISOString(),
    session,
    role: "main",
    outcome: "unknown",
    lessons: [],
    privacy: "public"
  };
}

// src/broker/desk.ts
var NO_SESSION = "memctl";
var LOAD_ATTEMPTS = 4;
function openDesk(store2) {
  let loaded = loadedNow(store2);
  catchUp(store2, loaded);
  return {
    store: store2,
    get loaded() {
      return loaded;
    },
    memories() {
      catchUp(store2, loaded);
      return loaded.view.memories;
    },
    tell(happening, told2) {
      appendEvents(store2.files, store2.layout.events, [eventOf(happening, told2)], syncChoice(store2) === "always");
      catchUp(store2, loaded);
    },
    settle(now) {
      if (bytesPast(store2.files, store2.layout.events, loaded.manifest.cursor) <= SNAPSHOT_TAIL_BYTES) return;
      upkeep(store2, { now, sessions: [] });
      loaded = loadedNow(store2);
    }
  };
}
function loadedNow(store2) {
  for (let attempt = 1; ; attempt++) {
    try {
      return load(store2);
    } catch (error) {
      const invalid2 = error instanceof MemoryError && error.code === "STORE_INVALID";
      if (!invalid2 || attempt === LOAD_ATTEMPTS) throw error;
    }
  }
}
function eventOf(happening, { now, nonce, session }) {
  const [high, low] = hashPair([happening.kind, session, now, nonce].join("\0"));
  return {
    id: high.toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0"),
    at: new Date(now).toISOString(),
    session: session ?? NO_SESSION,
    role: "main",
    outcome: "unknown",
    lessons: [],
    privacy: "public",
    ...happening
  };
}

// src/tools/world.ts
function worldOf({ store: store2, role, session, env, now, newId = byChance }) {
  let desk;
  return {
    ...{ store: store2, role, session, env, now, newId },
    get desk() {
      desk ??= openDesk(store2);
      return desk;
    },
    tell(happening) {
      this.desk.tell(happening, { now: now(), nonce: newId(), session });
    },
    end: () => desk?.settle(now())
  };
}
var byChance = () => randomUUID();

// ../../../tmp/prof.ts
var store = storeOf("/tmp/tools-bench/m10000-e5000/shop", { MEMCTL_HOME: "/tmp/tools-bench/m10000-e5000/home" });
var world = worldOf({ store, role: "owner", env: {}, now: Date.now });
var t = async (n, f, k = 40) => {
  const ts = [];
  for (let i2 = 0; i2 < k; i2++) {
    const a = performance.now();
    await f();
    ts.push(performance.now() - a);
  }
  ts.sort((a, b) => a - b);
  console.log(n, ts[k >> 1].toFixed(2), ts[Math.floor(k * 0.9)].toFixed(2));
};
var s = (mode) => () => call(toolNamed("memory_search"), { query: "prices rounded to cents", search_mode: mode }, world);
await t("first", s("hybrid"), 1);
await t("hybrid", s("hybrid"));
await t("semantic", s("semantic"));
await t("keyword", s("keyword"));
var i = 0;
if (process.argv[2]) await t("store+", async () => {
  await call(toolNamed("memory_store"), { content: "note number " + i++ }, world);
  await s("hybrid")();
});
