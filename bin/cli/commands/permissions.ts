/** `zotui permissions test` says whether a command would run, and which rule or mode decides. */
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import process from 'node:process'
import { permissionModes, type PermissionMode } from '../../../src/agent/permission.ts'
import { openFolderPermissions } from '../../../src/config/trust/folder-permissions.ts'
import { startingMode } from '../../../src/config/trust/starting-mode.ts'
import { dangersOf } from '../../../src/permissions/dangers.ts'
import { decide, gitFolders } from '../../../src/permissions/decide.ts'
import type { Decision } from '../../../src/permissions/decision.ts'
import { parseRules } from '../../../src/permissions/rules/rule.ts'
import type { CommandLine, SimpleCommand } from '../../../src/permissions/shell/line.ts'
import { parseLine } from '../../../src/permissions/shell/parse.ts'
import { messageOf, UserError } from '../../../src/platform/errors.ts'
import { folderLabel } from '../../../src/platform/project.ts'
import { realPath } from '../../../src/platform/real-path.ts'
import { statePath } from '../../../src/storage/log.ts'
import { oneLine, sanitizeExact } from '../../../src/text/sanitize.ts'
import { print, writeMessage } from '../../standard-streams.ts'
import { loadSettingsFor } from '../../wiring/start/load-settings.ts'
import { folderPlace, outsideRules, thisMachine } from '../../wiring/start/permissions.ts'
import type { CommandCall, Subcommand } from '../command.ts'
import { printJson } from '../print-rows.ts'

export const command: Subcommand = {
  name: 'permissions',
  takes: ['ACTION', 'COMMAND'],
  words: ['test'],
  summary: 'Show whether a command would run without asking, and why: `permissions test "COMMAND"`.',
  flags: {
    mode: {
      type: 'string',
      value: 'MODE',
      completes: ['ask', 'edits', 'contained', 'plan', 'allow', 'read'],
      text: 'test in this mode',
    },
    cwd: { type: 'string', value: 'DIR', completes: 'folder', text: 'test in this folder' },
    json: { type: 'boolean', text: 'print JSON' },
  },
  run: async call => {
    const [, command = ''] = call.words
    const folder = folderOf(call)
    const { settings, notices } = await loadSettingsFor(folder, { values: {}, names: new Map() })
    const { answersOf, ...ours } = folderPlace(folder)
    const own = await openFolderPermissions(statePath(), answersOf, path => folderLabel(path, homedir()))
    for (const { text } of [...notices, ...own.notices]) writeMessage(text)
    const start = startingMode(settings, own.mode())
    const mode = modeOf(call) ?? start.mode
    const place = { folder, home: realPath(homedir()), ...ours, ...thisMachine(folder) }
    const request = {
      id: '',
      callId: null,
      tool: 'bash',
      kind: 'command' as const,
      arguments: { command },
      folder,
      command,
    }
    const rules = parseRules([...settings.rules(), ...own.rules()])
    const policy = { mode, rules, place, outside: parseRules(outsideRules(settings, mode)) }
    await place.learn?.(request, () => gitFolders(policy, request))
    const decision = decide(policy, request)
    const result: PermissionsTest = {
      command,
      mode,
      decision,
      line: parseLine(command),
      dangers: dangersOf(request, place),
    }
    if (call.has('json')) printJson(asJson(result))
    else print(asText(result))
    return 0
  },
}

type PermissionsTest = {
  command: string
  mode: PermissionMode
  decision: Decision
  line: CommandLine
  dangers: readonly string[]
}

function folderOf(call: CommandCall): string {
  const path = resolve(call.value('cwd') ?? process.cwd())
  try {
    process.chdir(path)
  } catch (error) {
    throw new UserError(`Cannot work in ${path}: ${messageOf(error)}`, '', 2)
  }
  return realPath(path)
}

function modeOf(call: CommandCall): PermissionMode | null {
  const typed = call.value('mode')
  if (typed === null) return null
  const mode = permissionModes.find(each => each === typed)
  if (mode) return mode
  throw new UserError(`--mode must be one of ${permissionModes.join(', ')}, not "${typed}".`, '', 2)
}

const verbs = { allow: 'runs without asking', ask: 'asks first', refuse: 'is refused' } as const

function wholeReason({ because, note }: Decision): string {
  return note === undefined ? because : `${because}; ${note}`
}

function asText({ mode, decision, line, dangers }: PermissionsTest): string {
  const rows = [
    `${verbs[decision.verdict]}: ${wholeReason(decision)}`,
    `mode: ${mode}`,
    ...line.commands.flatMap(command => rowsOf(command, 0)),
  ]
  if (line.unclear !== null) rows.push(`cannot be parsed: ${line.unclear}`)
  rows.push(...dangers.map(danger => `note: ${danger}`))
  return rows.map(row => `${oneLine(sanitizeExact(row))}\n`).join('')
}

/** A command with its words in brackets, and below it what it runs in turn. */
function rowsOf({ words, assignments, redirections, inner }: SimpleCommand, depth: number): string[] {
  const shown = words.map(({ value, text }) => (value === null ? text : `[${value}]`))
  const targets = redirections.flatMap(({ target, writes }) =>
    target ? [`${writes ? 'writes' : 'reads'} ${target.text}`] : [],
  )
  const head = depth === 0 ? 'command: ' : `${'  '.repeat(depth)}runs: `
  return [head + [...assignments, ...shown, ...targets].join(' '), ...inner.flatMap(each => rowsOf(each, depth + 1))]
}

function asJson({ command, mode, decision, line, dangers }: PermissionsTest): unknown {
  const { verdict, rule } = decision
  const decidedBy = rule && { effect: rule.effect, text: rule.text, place: rule.place, broken: rule.broken }
  return {
    command,
    mode,
    verdict,
    because: wholeReason(decision),
    rule: decidedBy,
    commands: line.commands.map(plain),
    unclear: line.unclear,
    dangers,
  }
}

/** Words that are known only when the command runs are null. */
function plain({ text, words, assignments, redirections, inner }: SimpleCommand): Record<string, unknown> {
  const targets = redirections.flatMap(({ target, writes }) => (target ? [{ path: target.value, writes }] : []))
  return { text, words: words.map(({ value }) => value), assignments, redirections: targets, runs: inner.map(plain) }
}
