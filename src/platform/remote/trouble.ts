/** Says why a connection to another machine failed. Pure. */
import type { Target } from './target.ts'

/** The end of the program that makes the connection. */
export type LineEnd = { code: number | null; spawnError: string | null; words: readonly string[] }

export type Trouble = { reason: string; hint: string }

/** Characters of the other program's words. */
const MOST = 300

type KnownTrouble = { pattern: RegExp; explain: (name: string) => Trouble }

const KNOWN: readonly KnownTrouble[] = [
  {
    pattern: /REMOTE HOST IDENTIFICATION HAS CHANGED|host key .*has changed/iu,
    explain: name => ({
      reason: `the host key of ${name} has changed, so ssh refused the connection`,
      hint: 'find out why; `ssh-keygen -R HOST` forgets the former key',
    }),
  },
  {
    pattern: /Host key verification failed/iu,
    explain: name => ({
      reason: `the host key of ${name} is unknown`,
      hint: 'log in once with `ssh`, which shows it',
    }),
  },
  {
    pattern: /Permission denied \((?<how>.*)\)/iu,
    explain: name => ({
      reason: `the login at ${name} was refused`,
      hint: 'use a key, an agent, or a shared connection (ControlMaster): zotui cannot answer what ssh asks',
    }),
  },
  {
    pattern: /Could not resolve hostname|Name or service not known/iu,
    explain: name => ({ reason: `there is no host ${name}`, hint: 'check its name, and ~/.ssh/config' }),
  },
  {
    pattern: /Connection refused|timed out|No route to host|Network is unreachable/iu,
    explain: name => ({ reason: `the machine ${name} cannot be reached`, hint: 'check the host and the network' }),
  },
  {
    pattern: /Cannot connect to the Docker daemon|docker daemon/iu,
    explain: () => ({
      reason: 'the Docker daemon is not running or cannot be reached',
      hint: 'start it, or set DOCKER_HOST',
    }),
  },
  {
    pattern: /No such container|is not running|pods? .* not found/iu,
    explain: name => ({ reason: `${name} does not exist or is not running`, hint: 'check its name' }),
  },
  {
    pattern: /"?sh"?: executable file not found|exec: "sh"|sh: (?:command )?not found/iu,
    explain: name => ({ reason: `there is no sh on ${name}`, hint: 'zotui needs a shell there' }),
  },
]

/** Why there is no connection, as a sentence without its full stop, and what to do. `words` come from the other side: they are not sanitised. */
export function troubleOf(
  { file, name }: Pick<Target, 'file' | 'name'>,
  { code, spawnError, words }: LineEnd,
): Trouble {
  if (spawnError === 'ENOENT') return { reason: `there is no program ${file} here`, hint: `install ${file}` }
  if (spawnError !== null) return { reason: `${file} cannot be started (${spawnError})`, hint: '' }
  const all = words.join('\n')
  const known = KNOWN.find(({ pattern }) => pattern.test(all))
  if (known) return known.explain(name)
  const last = words
    .findLast(line => line.trim() !== '')
    ?.trim()
    .slice(0, MOST)
  const how = last ?? `${file} ended with exit code ${code ?? 'unknown'}`
  return { reason: `the connection to ${name} failed: ${how}`, hint: '' }
}
