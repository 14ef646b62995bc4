/** Reads the arguments of `--agent 'roz ...'`. */
import process from 'node:process'
import { splitWords } from '../../platform/shell/quoting.ts'
import { readAddress, type RozAddress } from './address.ts'
import { ROZ, ROZ_HINT } from './name.ts'

/** The server, and what a session begins with. */
export type RozStart = {
  address: RozAddress
  key: string
  model: string
  environment: string
  /** The task whose workers are shown; '' for those of the session. */
  task: string
  /** The path of a file with CA certificates, as typed; '' for the system's. */
  ca: string
}

type RozRead = { ok: true; value: RozStart } | { ok: false; reason: string; hint: string }

const FLAGS: ReadonlyMap<string, 'url' | 'model' | 'environment' | 'task' | 'ca'> = new Map([
  ['--base-url', 'url'],
  ['--model', 'model'],
  ['--environment', 'environment'],
  ['--task', 'task'],
  ['--ca', 'ca'],
])

/**
 * Reads the arguments behind the name. `baseUrl` is that of the command line. The key comes from the environment only.
 */
export function readRozArguments(words: string, env: NodeJS.ProcessEnv, baseUrl?: string): RozRead {
  const [, ...rest] = splitWords(words, process.platform === 'win32') ?? []
  if (rest.length === 0 && words.trim() !== ROZ.name)
    return { ok: false, reason: `the agent "${words}" is not a command`, hint: 'check its quotes' }
  const values = { url: baseUrl ?? env[ROZ.address] ?? '', model: '', environment: '', task: '', ca: '' }
  const all = rest.flatMap(word => {
    const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? []
    return flag === undefined || value === undefined ? [word] : [flag, value]
  })
  for (let at = 0; at < all.length; at += 2) {
    const [flag = '', value = ''] = all.slice(at, at + 2)
    const name = FLAGS.get(flag)
    const hint = `it takes ${[...FLAGS.keys()].join(', ')}`
    if (!name) return { ok: false, reason: `roz has no ${flag}`, hint }
    if (value === '') return { ok: false, reason: `${flag} of roz needs a value`, hint: '' }
    values[name] = value
  }
  if (values.url === '') return { ok: false, reason: 'the address of the roz server is missing', hint: ROZ_HINT }
  const address = readAddress(values.url)
  if (!address.ok) return { ok: false, reason: address.reason, hint: '' }
  const key = env[ROZ.key]?.trim() ?? ''
  if (key === '') return { ok: false, reason: `${ROZ.key} is not set`, hint: `set ${ROZ.key} to a key of the server` }
  // A header can carry no other characters.
  if (!/^[\x21-\x7E]+$/.test(key))
    return { ok: false, reason: `${ROZ.key} contains characters that no key has`, hint: 'copy the key again' }
  return { ok: true, value: { ...values, address: address.value, key } }
}

/** The environment of commands that run here: they need no key of the server. */
export function withoutKey(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { [ROZ.key]: _key, ...rest } = env
  return rest
}
