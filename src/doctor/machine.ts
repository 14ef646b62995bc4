/** Checks the machine: zot, credentials, multiplexers, the locale, tools, files. Shows no secret. */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { codeOf } from '../platform/errors.ts'
import { findProgram, helperEnvironment } from '../platform/programs.ts'
import { finding, type Finding, type ReportSection } from './finding.ts'
import { sandboxFindings, type ExaminedSandbox } from './sandbox.ts'
import { lookup } from '../text/lookup.ts'

export type Machine = {
  env: NodeJS.ProcessEnv
  /** The folder that zotui works in. */
  folder: string
  platform: NodeJS.Platform
  /** The versions of zotui and of Node. */
  versions: { zotui: string; node: string }
  /** The zot that would run, or why there is none. */
  zot: { path: string; version: string | null } | { reason: string; hint: string }
  /** Other agents that zotui knows: their versions, or how to get them. */
  agents: readonly { title: string; path: string | null; version: string | null; hint: string }[]
  /** Agents that are servers. */
  servers: readonly Finding[]
  /** The folder with the user's zot data. */
  zotHome: string
  statePath: string
  logPath: string
  /** Mistakes and notes about the settings, the keys and the theme, one line each. */
  notices: readonly { text: string; isNote?: true | undefined }[]
  /** The project's settings that are ignored because the project is not trusted. */
  leftOut: readonly string[]
  sandbox: Pick<ExaminedSandbox, 'options' | 'setBy'>
  /** Why sessions cannot be searched; null if they can. */
  searchNeeds: string | null
}

export async function machineSections(machine: Machine): Promise<ReportSection[]> {
  return [
    {
      title: 'Agent',
      findings: [zotFinding(machine), credentials(machine), ...machine.agents.map(agentFinding), ...machine.servers],
    },
    {
      title: 'Environment',
      findings: [...(await multiplexer(machine)), remote(machine), locale(machine), clipboard(machine)],
    },
    {
      title: 'Sandbox',
      findings: await sandboxFindings({
        ...machine,
        ...machine.sandbox,
        hasCodex: machine.agents.some(({ title, path }) => title === 'Codex' && path !== null),
      }),
    },
    { title: 'Files', findings: [stateFolder(machine), ...settings(machine), ...projectSettings(machine)] },
    {
      title: 'Versions',
      findings: [
        finding('zotui', 'ok', machine.versions.zotui, `Node ${machine.versions.node}, ${machine.platform}`),
        machine.searchNeeds === null
          ? finding('search in sessions', 'ok', 'works')
          : finding('search in sessions', 'warn', 'does not work', machine.searchNeeds),
      ],
    },
  ]
}

function zotFinding({ zot }: Machine): Finding {
  if ('reason' in zot) return finding('zot', 'broken', zot.reason, zot.hint)
  if (zot.version === null)
    return finding('zot', 'broken', `${zot.path} does not report a version`, 'is that zot? choose another with --zot')
  return finding('zot', 'ok', `${zot.version} at ${zot.path}`)
}

/** A missing agent is `ok`, since nobody needs all of them. */
function agentFinding({ title, path, version, hint }: Machine['agents'][number]): Finding {
  if (path === null) return finding(title, 'ok', 'optional, not installed', hint)
  return finding(title, 'ok', version === null ? path : `${version} at ${path}`)
}

/** The variables that zot reads. Only their names are shown. */
const KEYS = 'ANTHROPIC OPENAI GEMINI GOOGLE GROQ OPENROUTER DEEPSEEK KIMI MOONSHOT MISTRAL XAI'
  .split(' ')
  .map(name => `${name}_API_KEY`)

function credentials({ env, zotHome }: Machine): Finding {
  const inEnv = KEYS.filter(name => lookup(env, name))
  const file = existsSync(join(zotHome, 'auth.json')) ? ["zot's login"] : []
  const found = [...inEnv, ...file]
  if (found.length === 0)
    return finding(
      'credentials',
      'warn',
      'none found',
      'set a variable such as ANTHROPIC_API_KEY, or log in: /login in zotui',
    )
  return finding('credentials', 'ok', found.join(', '), 'the values are never shown')
}

async function multiplexer({ env, folder }: Machine): Promise<Finding[]> {
  const kinds = [env['TMUX'] ? 'tmux' : null, env['STY'] ? 'screen' : null, env['ZELLIJ'] ? 'zellij' : null]
  const inside = kinds.filter(kind => kind !== null)
  if (inside.length === 0) return [finding('multiplexer', 'ok', 'none (tmux, screen or zellij)')]
  if (!env['TMUX'])
    return [finding('multiplexer', 'warn', inside.join(', '), 'no pictures, no links, notifications by the bell')]
  const [passes, focus] = await Promise.all(
    ['allow-passthrough', 'focus-events'].map(name => tmuxOption(name, env, folder)),
  )
  return [
    finding('multiplexer', 'ok', inside.join(', '), 'no pictures, no links'),
    tmuxFinding(
      'allow-passthrough',
      passes ?? null,
      'notifications and progress reach the terminal around it',
      'neither notifications nor progress reach the terminal around it',
    ),
    tmuxFinding(
      'focus-events',
      focus ?? null,
      'you are notified while another window has the focus',
      'you are never notified, since tmux does not report focus',
    ),
  ]
}

function tmuxFinding(name: string, value: string | null, yes: string, no: string): Finding {
  if (value === null) return finding(`tmux ${name}`, 'unknown', 'not reported')
  if (value !== 'off') return finding(`tmux ${name}`, 'ok', value, yes)
  return { name: `tmux ${name}`, state: 'warn', found: value, so: `${no}; add \`set -g ${name} on\` to tmux.conf` }
}

async function tmuxOption(name: string, own: NodeJS.ProcessEnv, folder: string): Promise<string | null> {
  const tmux = findProgram('tmux', own, folder)
  if (tmux === null) return null
  const env = helperEnvironment(own, folder)
  const options = { env, extendEnv: false, stdin: 'ignore', timeout: 1000, reject: false } as const
  const { stdout, exitCode } = await execa(tmux, ['show-options', '-gAv', name], options)
  return exitCode === 0 && stdout !== '' ? stdout.trim() : null
}

function remote({ env }: Machine): Finding {
  const isRemote = Boolean(env['SSH_CONNECTION'] || env['SSH_TTY'])
  return finding(
    'ssh',
    'ok',
    isRemote ? 'yes' : 'no',
    isRemote ? 'the clipboard is reached through the terminal (OSC 52)' : '',
  )
}

function locale({ env, platform }: Machine): Finding {
  const name = (['LC_ALL', 'LC_CTYPE', 'LANG'] as const).find(each => env[each])
  const value = name === undefined ? 'not set' : `${name}=${env[name]}`
  const isPlain = platform !== 'win32' && /^(?:C|POSIX)$/.test(env[name ?? 'LANG'] ?? '')
  return finding(
    'locale',
    isPlain ? 'warn' : 'ok',
    value,
    isPlain ? 'only ASCII signs are drawn; set a UTF-8 locale for the others' : '',
  )
}

function clipboard({ env, folder, platform }: Machine): Finding {
  const names =
    platform === 'darwin' ? ['pbcopy'] : platform === 'win32' ? ['clip'] : ['wl-copy', 'xclip', 'xsel', 'clip.exe']
  const found = names.filter(name => findProgram(name, env, folder, { platform }) !== null)
  return finding(
    'clipboard tools',
    found.length > 0 ? 'ok' : 'warn',
    found.length > 0 ? found.join(', ') : `none of ${names.join(', ')}`,
    found.length > 0 ? '' : 'images cannot be pasted, and copies go through the terminal',
  )
}

function stateFolder({ statePath, logPath }: Machine): Finding {
  const log = statSync(logPath, { throwIfNoEntry: false })?.size ?? 0
  const so = log === 0 ? 'the log is empty' : `the log has ${log} bytes`
  try {
    const stats = statSync(statePath, { throwIfNoEntry: false })
    if (!stats) return finding('state folder', 'ok', `${statePath} does not exist yet`, 'it is created when needed')
    if (!stats.isDirectory())
      return finding('state folder', 'broken', `${statePath} is not a folder`, 'nothing can be saved')
    accessSync(statePath, constants.R_OK | constants.W_OK | constants.X_OK)
    return finding('state folder', 'ok', statePath, so)
  } catch (error) {
    const code = codeOf(error) || 'unknown'
    return finding('state folder', 'broken', `${statePath} cannot be used (${code})`, 'nothing can be saved')
  }
}

function settings({ notices }: Machine): Finding[] {
  if (notices.length === 0) return [finding('settings', 'ok', 'no mistakes')]
  return notices.map(({ text, isNote }) => finding('settings', isNote ? 'warn' : 'broken', text))
}

function projectSettings({ leftOut }: Machine): Finding[] {
  if (leftOut.length === 0) return []
  const found = `${leftOut.join(', ')} ignored`
  return [
    { name: 'project settings', state: 'warn', found, so: 'this project is not trusted; /settings trust trusts it' },
  ]
}
