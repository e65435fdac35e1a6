// The home folder of an installed runtime, by the path of its scripts.
//
// `memctl init` installs the scripts into the home: they use this home even if the environment of the client does not
// name it.
//
//   /data/memctl/runtime/0.1.0/hooks/stop.cjs
//   └── home ──┘         └ version

/** The home that a script's folder belongs to; undefined if the script is elsewhere, as in a package or a plugin. */
export const runtimeHome = (folder: string): string | undefined =>
  /^(.+)[\\/]runtime[\\/]\d[^\\/]*(?:[\\/](?:hooks|shared))?$/.exec(folder)?.[1]

/** An environment that names the home of the runtime in `folder`, unless it names one already. */
export function withRuntimeHome<Env extends Readonly<Record<string, string | undefined>>>(
  env: Env,
  folder: string,
): Env {
  const home = runtimeHome(folder)
  return home === undefined || env['MEMCTL_HOME'] ? env : { ...env, MEMCTL_HOME: home }
}
