/** Looks at this machine for what an agent needs in the sandbox, and makes what is missing. */
import { lstatSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, sep } from 'node:path'
import process from 'node:process'
import { CannotStart } from '../../host/driver.ts'
import { codeOf, messageOf } from '../../../platform/errors.ts'
import { makeFolder } from '../../../platform/folders.ts'
import { realPath } from '../../../platform/real-path.ts'
import { readRegularFileSync } from '../../../platform/regular-file.ts'
import { isWithin } from '../../../platform/within.ts'
import type { AgentPlaces } from '../../../sandbox/write-places.ts'
import { lookup } from '../../../text/lookup.ts'
import type { AgentFolder, BoxNeeds } from './needs.ts'

type NeededPlaces = {
  places: AgentPlaces
  /** The hosts that it may reach without a question, as in `sandboxHosts`. */
  hosts: readonly string[]
}

type NeedingAgent = {
  /** As in messages. */
  name: string
  needs: BoxNeeds
  /** The absolute path of its program. */
  file: string
  /** The environment that it would have outside. */
  env: NodeJS.ProcessEnv
  /** The folder in which it works. */
  folder: string
  /** A folder for what it has apart from agents outside. */
  apart: string
}

/** Bytes of settings. */
const SETTINGS = 256 * 1024

/** @throws CannotStart if its folders cannot be held. */
export function agentPlaces(agent: NeedingAgent): NeededPlaces {
  const { needs, env, file } = agent
  const home = realPath(env['HOME'] ?? '/')
  const folders = needs.folders.map(each => ({ row: each, path: folderOf(each, env, home) }))
  for (const { row, path } of folders) prepareFolder(row, path, home, agent)
  const inFolder = (parts: (row: AgentFolder) => readonly string[]): string[] =>
    folders.flatMap(({ row, path }) => parts(row).map(part => join(path, part)))
  const held = inFolder(({ held: parts }) => Object.keys(parts))
  const apart = inFolder(row => row.apart).map(path => ({
    path,
    from: join(agent.apart, path.replaceAll(sep, '-')),
  }))
  for (const { path } of apart) makeFolder(path)
  const files = needs.copied.map(({ path, named }) => ({ path, folder: lookup(env, named) }))
  const owned = files.flatMap(({ path, folder }) => (folder ? [heldFile(join(realPath(folder), path))] : []))
  const own = folders.map(({ path }) => path)
  const settings = folders.map(({ row, path }) => settingsOf(row, path))
  const addresses = [
    ...needs.addresses.flatMap(name => lookup(env, name) ?? []),
    ...settings.flatMap(each => each.addresses),
  ]
  const named = new Set(settings.flatMap(({ variables }) => variables))
  const kept = Object.entries(env).filter(([name]) => needs.variables.test(name) || named.has(name))
  return {
    places: {
      own,
      held: [...held, ...owned],
      apart,
      copied: files.flatMap(({ path, folder }) => (folder ? [] : [join(home, path)])),
      seen: [...new Set([programFolder(realPath(file), home), programFolder(realPath(process.execPath), home)])],
      env: {
        ...Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
        ...needs.set,
        ...ownAddresses(addresses),
      },
    },
    hosts: [...needs.hosts, ...addresses.flatMap(hostOf)],
  }
}

/** What an agent has of its own in the sandbox, for people. Nothing is made. */
export function ownFacts(needs: BoxNeeds, env: NodeJS.ProcessEnv) {
  const home = realPath(env['HOME'] ?? '/')
  const folders = needs.folders.map(row => ({ row, path: folderOf(row, env, home) }))
  const variables = Object.keys(env).filter(name => needs.variables.test(name))
  const own = folders.flatMap(({ row, path }) => settingsOf(row, path))
  return {
    folders: folders.map(({ path }) => path),
    held: folders.flatMap(({ row, path }) => Object.keys(row.held).map(part => join(path, part))),
    variables: [...new Set([...variables, ...own.flatMap(each => each.variables)])],
    hosts: [...needs.hosts, ...own.flatMap(({ addresses }) => addresses.flatMap(hostOf))],
    notes: needs.notes,
  }
}

function folderOf({ path, named }: AgentFolder, env: NodeJS.ProcessEnv, home: string): string {
  const value = named && lookup(env, named.variable)
  return realPath(value && isAbsolute(value) ? join(value, named.below) : join(home, path))
}

/** Makes the folder, and the parts that are held. */
function prepareFolder(row: AgentFolder, path: string, home: string, { name, folder }: NeedingAgent): void {
  if (isWithin(path, home) || isWithin(path, realPath(folder)))
    throw new CannotStart(`${name} cannot be held in the sandbox: its own folder is ${path}`, 'give it another one')
  try {
    makeFolder(path)
    for (const [part, text] of Object.entries(row.held)) {
      if (text === null) makeFolder(join(path, part))
      else heldFile(join(path, part), text)
    }
  } catch (error) {
    throw new CannotStart(`${name} cannot be held in the sandbox: ${messageOf(error)}`, '')
  }
  for (const part of [...Object.keys(row.held), ...row.apart]) {
    for (const each of [join(path, part), ...between(path, join(path, part))])
      if (lstatSync(each, { throwIfNoEntry: false })?.isSymbolicLink())
        throw new CannotStart(
          `${name} cannot be held in the sandbox: ${each} is a link, which its commands could replace`,
          'put the file or folder itself there',
        )
  }
}

/** Makes a file with this text unless there is one. Returns its path. */
function heldFile(path: string, text = '{}\n'): string {
  makeFolder(dirname(path))
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  return path
}

/** The folders between a folder and a part of it. */
function between(root: string, path: string): string[] {
  const found: string[] = []
  for (let at = dirname(path); at !== root; at = dirname(at)) found.push(at)
  return found
}

function settingsOf({ settings }: AgentFolder, path: string): { variables: string[]; addresses: string[] } {
  const text = settings ? (readRegularFileSync(join(path, settings.file), SETTINGS)?.toString() ?? '') : ''
  const all = (pattern: RegExp | undefined): string[] =>
    pattern ? Array.from(text.matchAll(pattern), ([, found = '']) => found) : []
  return { variables: all(settings?.variables), addresses: all(settings?.addresses) }
}

/** As in `sandboxHosts`; nothing for what is no address. */
function hostOf(address: string): string[] {
  if (!URL.canParse(address)) return []
  const { hostname, port, protocol } = new URL(address)
  return hostname === '' ? [] : [`${hostname}:${port === '' ? (protocol === 'http:' ? 80 : 443) : port}`]
}

/** The network of the sandbox has a loopback of its own: a model on that of this machine is reached by the proxy. */
function ownAddresses(addresses: readonly string[]): Record<string, string> {
  const models = new Set(addresses.flatMap(address => (URL.canParse(address) ? [new URL(address).hostname] : [])))
  const direct = ['localhost', '127.0.0.1', '::1'].filter(host => !models.has(host) && !models.has(`[${host}]`))
  if (direct.length === 3) return {}
  const list = direct.join(',')
  return { NO_PROXY: list, no_proxy: list, npm_config_noproxy: list }
}

/** What has to be seen of a program: its packages, its folder, or only itself if it lies in the home folder. */
function programFolder(file: string, home: string): string {
  const at = file.indexOf(`${sep}node_modules${sep}`)
  if (at >= 0) return file.slice(0, at + `${sep}node_modules`.length)
  const folder = dirname(file)
  return isWithin(folder, home) ? file : folder
}
