/** A box for reading on macOS, as a profile for sandbox-exec. Everything that it does not allow is denied. Pure. */
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

/** The same with folders that can be written. There is no home folder of its own: that of the person can be read where it is not closed. */
export function writeProfile(policy: WritePolicy): string {
  const { seen, writable, held, absent, closed, sockets, own } = policy
  const readable = [...seen, ...writable, ...own.map(({ from }) => from)]
  const rules = [
    ...closed.map(({ path }) => ({ path, rule: `(deny file-read* (subpath ${text(path)}))` })),
    ...readable.map(path => ({ path, rule: `(allow file-read* (subpath ${text(path)}))` })),
    ...[...writable, ...own.map(({ from }) => from)].map(path => ({
      path,
      rule: `(allow file-write* (subpath ${text(path)}))`,
    })),
    ...[...held, ...sockets, ...absent.map(({ path }) => path)].map(path => ({
      path,
      rule: `(deny file-write* (subpath ${text(path)}))`,
    })),
  ]
  return [ALLOWED, ...rules.toSorted((one, other) => depth(one.path) - depth(other.path)).map(({ rule }) => rule)].join(
    '\n',
  )
}

const depth = (path: string): number => path.split('/').length

function text(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
