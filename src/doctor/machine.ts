/** What is around the terminal: zot, credentials, multiplexers, the locale, tools, files. Shows no secret. */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { codeOf } from '../platform/errors.ts'
import { findProgram } from '../platform/shell/program.ts'
import type { Finding, ReportSection } from './finding.ts'

export type Machine = {
  env: NodeJS.ProcessEnv
  platform: NodeJS.Platform
  /** The versions of zotui and of Node. */
  versions: { zotui: string; node: string }
  /** The zot that would run, or why there is none. */
  zot: { path: string; version: string | null } | { reason: string; hint: string }
  /** Where zot keeps what is the person's. */
  zotHome: string
  statePath: string
  logPath: string
  /** What there is to say of the settings, the keys and the theme, a line each: mistakes and mere notes. */
  remarks: readonly { text: string; isNote?: true | undefined }[]
  /** What of the project's settings does not hold, since nobody has trusted it. */
  leftOut: readonly string[]
}

export async function machineSections(machine: Machine): Promise<ReportSection[]> {
  return [
    { title: 'Agent', findings: [zotFinding(machine), credentials(machine)] },
    {
      title: 'Surroundings',
      findings: [...(await multiplexer(machine)), remote(machine), locale(machine), await clipboard(machine)],
    },
    { title: 'Files', findings: [stateFolder(machine), ...settings(machine), ...projectSettings(machine)] },
    {
      title: 'Versions',
      findings: [
        {
          name: 'zotui',
          state: 'ok',
          found: machine.versions.zotui,
          so: `Node ${machine.versions.node}, ${machine.platform}`,
        },
      ],
    },
  ]
}

function zotFinding({ zot }: Machine): Finding {
  if ('reason' in zot) return { name: 'zot', state: 'broken', found: zot.reason, so: zot.hint }
  if (zot.version === null)
    return {
      name: 'zot',
      state: 'broken',
      found: `${zot.path} does not say its version`,
      so: 'is that zot? --zot names another',
    }
  return { name: 'zot', state: 'ok', found: `${zot.version} at ${zot.path}`, so: '' }
}

/** Of those that zot looks at; only their names are ever shown. */
const KEYS = 'ANTHROPIC OPENAI GEMINI GOOGLE GROQ OPENROUTER DEEPSEEK KIMI MOONSHOT MISTRAL XAI'
  .split(' ')
  .map(name => `${name}_API_KEY`)

function credentials({ env, zotHome }: Machine): Finding {
  const inEnv = KEYS.filter(name => env[name])
  const file = existsSync(join(zotHome, 'auth.json')) ? ["zot's login"] : []
  const found = [...inEnv, ...file]
  if (found.length === 0)
    return {
      name: 'credentials',
      state: 'warn',
      found: 'none found',
      so: 'set a variable such as ANTHROPIC_API_KEY, or log in: /login in zotui',
    }
  return { name: 'credentials', state: 'ok', found: found.join(', '), so: 'never shown' }
}

async function multiplexer({ env }: Machine): Promise<Finding[]> {
  const kinds = [env['TMUX'] ? 'tmux' : null, env['STY'] ? 'screen' : null, env['ZELLIJ'] ? 'zellij' : null]
  const inside = kinds.filter(kind => kind !== null)
  if (inside.length === 0) return [{ name: 'multiplexer', state: 'ok', found: 'none', so: '' }]
  if (!env['TMUX'])
    return [
      {
        name: 'multiplexer',
        state: 'warn',
        found: inside.join(', '),
        so: 'no pictures, no links, notifications by the bell',
      },
    ]
  const [passes, focus] = await Promise.all(['allow-passthrough', 'focus-events'].map(name => tmuxOption(name, env)))
  return [
    { name: 'multiplexer', state: 'ok', found: inside.join(', '), so: 'no pictures, no links' },
    tmuxFinding(
      'allow-passthrough',
      passes ?? null,
      'notifications and progress reach the terminal around it',
      'neither notifications nor progress reach the terminal around it',
    ),
    tmuxFinding(
      'focus-events',
      focus ?? null,
      'notifications come when you look elsewhere',
      'notifications never come, since tmux does not say when you look elsewhere',
    ),
  ]
}

function tmuxFinding(name: string, value: string | null, yes: string, no: string): Finding {
  if (value === null) return { name: `tmux ${name}`, state: 'unknown', found: 'not told', so: '' }
  if (value !== 'off') return { name: `tmux ${name}`, state: 'ok', found: value, so: yes }
  return { name: `tmux ${name}`, state: 'warn', found: value, so: `${no}; \`set -g ${name} on\` in tmux.conf does it` }
}

async function tmuxOption(name: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const options = { env, extendEnv: false, stdin: 'ignore', timeout: 1000, reject: false } as const
  const { stdout, exitCode } = await execa('tmux', ['show-options', '-gAv', name], options)
  return exitCode === 0 && stdout !== '' ? stdout.trim() : null
}

function remote({ env }: Machine): Finding {
  const isRemote = Boolean(env['SSH_CONNECTION'] || env['SSH_TTY'])
  return {
    name: 'ssh',
    state: 'ok',
    found: isRemote ? 'yes' : 'no',
    so: isRemote ? 'the clipboard is reached through the terminal (OSC 52)' : '',
  }
}

function locale({ env, platform }: Machine): Finding {
  const name = ['LC_ALL', 'LC_CTYPE', 'LANG'].find(each => env[each])
  const value = name === undefined ? 'not set' : `${name}=${env[name]}`
  const isPlain = platform !== 'win32' && /^(?:C|POSIX)$/.test(env[name ?? ''] ?? '')
  return {
    name: 'locale',
    state: isPlain ? 'warn' : 'ok',
    found: value,
    so: isPlain ? 'signs are plain; a UTF-8 locale has all of them' : '',
  }
}

async function clipboard({ env, platform }: Machine): Promise<Finding> {
  const names =
    platform === 'darwin' ? ['pbcopy'] : platform === 'win32' ? ['clip'] : ['wl-copy', 'xclip', 'xsel', 'clip.exe']
  const paths = await Promise.all(names.map(name => findProgram(name, env, platform)))
  const found = names.filter((_name, index) => paths[index] !== null)
  return {
    name: 'clipboard tools',
    state: found.length > 0 ? 'ok' : 'warn',
    found: found.length > 0 ? found.join(', ') : `none of ${names.join(', ')}`,
    so: found.length > 0 ? '' : 'images cannot be pasted, and copies go through the terminal',
  }
}

function stateFolder({ statePath, logPath }: Machine): Finding {
  const log = statSync(logPath, { throwIfNoEntry: false })?.size ?? 0
  const so = log === 0 ? 'the log is empty' : `the log holds ${log} bytes`
  try {
    const stats = statSync(statePath, { throwIfNoEntry: false })
    if (!stats)
      return {
        name: 'state',
        state: 'ok',
        found: `${statePath} is not there yet`,
        so: 'it is made when something is kept',
      }
    if (!stats.isDirectory())
      return { name: 'state', state: 'broken', found: `${statePath} is no folder`, so: 'nothing can be kept' }
    accessSync(statePath, constants.R_OK | constants.W_OK | constants.X_OK)
    return { name: 'state', state: 'ok', found: statePath, so }
  } catch (error) {
    const code = codeOf(error) || 'unknown'
    return { name: 'state', state: 'broken', found: `${statePath} cannot be used (${code})`, so: 'nothing can be kept' }
  }
}

function settings({ remarks }: Machine): Finding[] {
  if (remarks.length === 0) return [{ name: 'settings', state: 'ok', found: 'no mistakes', so: '' }]
  return remarks.map(({ text, isNote }) => ({
    name: 'settings',
    state: isNote ? 'warn' : 'broken',
    found: text,
    so: '',
  }))
}

function projectSettings({ leftOut }: Machine): Finding[] {
  if (leftOut.length === 0) return []
  const found = `${leftOut.join(', ')} left out`
  return [{ name: 'project settings', state: 'warn', found, so: 'not trusted; /settings trust changes that' }]
}
