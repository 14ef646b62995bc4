/** Boxes on macOS, as profiles for sandbox-exec. Everything that they do not allow is denied. Pure. */
import { dirname } from 'node:path/posix'
import { isIn } from './box-mounts.ts'
import type { ReadPolicy } from './read-policy.ts'
import type { WritePolicy } from './write-policy.ts'

const ALLOWED = `(version 1)
(deny default)
(allow process-exec)
(allow process-fork)
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
(allow sysctl-read)
(allow file-read*)
(allow file-write-data (literal "/dev/null") (literal "/dev/zero"))
(allow file-ioctl (literal "/dev/null"))
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))`

/** The last rule that matches counts, so what is seen in a closed place comes after it. */
export function readProfile({ seen, closed }: Pick<ReadPolicy, 'seen' | 'closed'>): string {
  const rules = [
    ...closed.map(({ path, isFolder }) => ({
      path,
      rule: `(deny file-read* (${isFolder ? 'subpath' : 'literal'} ${text(path)}))`,
    })),
    ...seen.map(path => ({ path, rule: `(allow file-read* (subpath ${text(path)}))` })),
  ]
  const ordered = rules.toSorted((one, other) => one.path.split('/').length - other.path.split('/').length)
  return [ALLOWED, ...ordered.map(({ rule }) => rule)].join('\n')
}

/** What programs that build and test need besides. */
const OF_WORK = `(allow pseudo-tty)
(allow ipc-posix-sem)
(allow file-read* file-write* file-ioctl (literal "/dev/ptmx") (literal "/dev/tty") (regex #"^/dev/ttys[0-9]+$"))
(allow network-bind network-inbound (local ip "localhost:*"))`

/**
 * The same with folders that can be written. `port` is that of the proxy on this machine; null for no network. There are no mounts, so a folder
 * on the way to what is held must not be renamed, and the folders of the box are at their own places.
 */
export function writeProfile(policy: WritePolicy, port: number | null): string {
  const { homes, seen, writable, held } = placesOf(policy)
  const rules = [
    ...homes.map(path => rule('deny file-read*', 'subpath', path)),
    ...policy.closed.map(({ path }) => rule('deny file-read* file-write*', 'subpath', path)),
    ...ways([...seen, ...writable], homes).map(path => rule('allow file-read-metadata', 'literal', path)),
    ...[...seen, ...writable].map(path => rule('allow file-read*', 'subpath', path)),
    ...writable.map(path => rule('allow file-write*', 'subpath', path)),
    ...[...writable, ...ways(held, writable)].map(path =>
      rule('deny file-write-unlink file-write-create', 'literal', path),
    ),
    ...held.map(path => rule('deny file-write*', 'subpath', path)),
  ]
  const ordered = rules.toSorted((one, other) => depth(one.path) - depth(other.path)).map(({ text: line }) => line)
  const network = port === null ? [] : [`(allow network-outbound (remote ip "localhost:${port}"))`]
  return [ALLOWED, OF_WORK, ...network, ...ordered].join('\n')
}

function placesOf({ own, hidden, seen, writable, held, absent, sockets, copies }: WritePolicy) {
  return {
    homes: [...hidden, ...own.filter(({ path }) => path !== '/tmp').map(({ path }) => path)],
    seen: [...seen, ...copies.map(({ from }) => from)],
    writable: [...writable, ...own.map(({ from }) => from)],
    held: [...held, ...sockets, ...absent.map(({ path }) => path)],
  }
}

/** The folders on the way from these folders to paths in them. */
function ways(paths: readonly string[], folders: readonly string[]): string[] {
  const found = new Set<string>()
  for (const path of paths)
    for (let at = dirname(path); at !== '/'; at = dirname(at))
      if (folders.some(folder => isIn(folder, at))) found.add(at)
  return [...found]
}

function rule(what: string, kind: 'literal' | 'subpath', path: string): { path: string; text: string } {
  return { path, text: `(${what} (${kind} ${text(path)}))` }
}

const depth = (path: string): number => path.split('/').length

function text(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
