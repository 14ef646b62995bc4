/** The real agents of this suite: where they are installed, and how each is pointed at a scripted model. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fill, type Home } from '../helpers/home.ts'
import { httpError, reply, type Asked, type Step } from '../helpers/model.ts'

/** The folder in which npm installed the agents; without it there is nothing to test. */
export const installed = process.env['ZOTUI_AGENTS'] ?? ''

const programs = path.join(installed, 'node_modules', '.bin')

export type RealAgent = {
  /** As in `--agent`. */
  name: 'claude' | 'codex' | 'gemini' | 'qwen'
  program: string
  /** Writes the agent's settings into a home and gives its environment. Without a `key` it is not logged in. */
  settle(home: Home, model: { url: string; key: boolean }): Record<string, string>
  /** The mode in which it asks before it writes, if that is not its first. */
  asksIn: string | null
  /** A call of its tool for commands that it must ask for. */
  shell(command: string): [name: string, input: unknown]
  /** A call that makes a file of one line. */
  write(file: string, line: string): [name: string, input: unknown]
  /** A call that replaces the line of such a file. */
  edit(file: string, before: string, after: string): [name: string, input: unknown]
  /** Whether its turn continues after a refusal. */
  goesOnRefused: boolean
}

const claude: RealAgent = {
  name: 'claude',
  program: path.join(programs, 'claude-agent-acp'),
  asksIn: null,
  goesOnRefused: true,
  settle: ({ path: home }, { url, key }) => {
    const secret = 'sk-ant-api03-scripted-scripted-scripted'
    const approved = key ? [secret.slice(-20)] : []
    const settings = { hasCompletedOnboarding: true, customApiKeyResponses: { approved, rejected: [] } }
    writeFileSync(path.join(home, '.claude.json'), JSON.stringify(settings))
    return {
      ...(key && { ANTHROPIC_API_KEY: secret }),
      ANTHROPIC_BASE_URL: url,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
    }
  },
  shell: command => ['Bash', { command, description: 'a test' }],
  write: (file, line) => ['Write', { file_path: file, content: `${line}\n` }],
  edit: (file, before, after) => ['Edit', { file_path: file, old_string: before, new_string: after }],
}

const codex: RealAgent = {
  name: 'codex',
  program: path.join(programs, 'codex-acp'),
  asksIn: 'read-only',
  goesOnRefused: false,
  settle: ({ path: home }, { url, key }) => {
    const folder = path.join(home, '.codex')
    mkdirSync(folder, { recursive: true })
    // Without these two it tries again for minutes.
    const patience = ['request_max_retries = 1', 'stream_max_retries = 1']
    const provider = [
      'name = "scripted"',
      `base_url = "${url}/v1"`,
      'env_key = "SCRIPTED_KEY"',
      'wire_api = "responses"',
    ]
    const settings = ['model = "gpt-5"', 'model_provider = "scripted"', '', '[model_providers.scripted]']
    writeFileSync(path.join(folder, 'config.toml'), [...settings, ...provider, ...patience, ''].join('\n'))
    return { CODEX_HOME: folder, ...(key && { SCRIPTED_KEY: 'scripted' }) }
  },
  shell: command => [
    'exec_command',
    { cmd: command, sandbox_permissions: 'require_escalated', justification: 'a test' },
  ],
  write: (file, line) => patch(['*** Add File: ' + file, `+${line}`]),
  edit: (file, before, after) => patch(['*** Update File: ' + file, '@@', `-${before}`, `+${after}`]),
}

function patch(lines: readonly string[]): [name: string, input: unknown] {
  const text = ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')
  return ['exec_command', { cmd: `apply_patch <<'EOF'\n${text}\nEOF\n` }]
}

export const gemini: RealAgent = {
  name: 'gemini',
  program: path.join(programs, 'gemini'),
  asksIn: null,
  goesOnRefused: true,
  settle: (home, { url, key }) => {
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    }
    fill(home, { '.gemini/settings.json': JSON.stringify(settings) })
    return {
      ...(key && { GEMINI_API_KEY: 'scripted' }),
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_NO_RELAUNCH: 'true',
      GEMINI_MODEL: 'gemini-2.5-flash',
    }
  },
  shell: command => ['run_shell_command', { command }],
  write: (file, line) => ['write_file', { file_path: file, content: `${line}\n` }],
  edit: (file, before, after) => ['replace', { file_path: file, old_string: before, new_string: after }],
}

export const qwen: RealAgent = {
  name: 'qwen',
  program: path.join(programs, 'qwen'),
  asksIn: null,
  goesOnRefused: false,
  settle: (home, { url, key }) => {
    const settings = { security: { auth: { selectedType: 'openai' } }, privacy: { usageStatisticsEnabled: false } }
    fill(home, { '.qwen/settings.json': JSON.stringify(settings) })
    return { ...(key && { OPENAI_API_KEY: 'scripted' }), OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'scripted-model' }
  },
  shell: command => ['run_shell_command', { command, is_background: false }],
  write: (file, line) => ['write_file', { file_path: file, content: `${line}\n` }],
  edit: (file, before, after) => ['edit', { file_path: file, old_string: before, new_string: after }],
}

/** The agents that every test of this suite is made for. */
export const realAgents: readonly RealAgent[] = [claude, codex]

/** Those of them that are there. The program of another is looked for by nobody. */
export const isInstalled = ({ program }: RealAgent): boolean => installed !== '' && existsSync(program)

/** Answers what these agents ask a model beside the conversation: titles, and what the user might say next. */
export function aside({ method, body }: Asked): Step | null {
  if (method !== 'POST') return httpError(404, '{}')
  const { tools, messages } = (body ?? {}) as { tools?: unknown[]; messages?: unknown[] }
  const isTalk = Array.isArray(tools) && tools.length > 0
  if (isTalk && !JSON.stringify(messages?.at(-1) ?? '').includes('[SUGGESTION MODE')) return null
  return reply().text('{"title":"A scripted talk"}')
}
