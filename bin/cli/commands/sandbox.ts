/** `zotui sandbox test` runs a command in the sandbox, and says what that lets it do. */
import { hostWithPort } from '../../../src/text/host.ts'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import process from 'node:process'
import { messageOf, UserError } from '../../../src/platform/errors.ts'
import { folderLabel } from '../../../src/platform/project.ts'
import { realPath } from '../../../src/platform/real-path.ts'
import { runShell, type CommandBox, type ShellResult } from '../../../src/platform/shell/run.ts'
import { agentShellFile } from '../../../src/platform/shell/tried-shell.ts'
import { createCommandBoxes, type SandboxOptions } from '../../../src/sandbox/command-boxes.ts'
import { sandboxFacts, type SandboxFacts } from '../../../src/sandbox/facts.ts'
import { readBox } from '../../../src/sandbox/read-box.ts'
import { counted } from '../../../src/text/counted.ts'
import { oneLine, sanitizeExact } from '../../../src/text/sanitize.ts'
import { sentence } from '../../../src/text/sentence.ts'
import { print, writeMessage } from '../../standard-streams.ts'
import { loadSettingsFor } from '../../wiring/start/load-settings.ts'
import { sandboxOptions } from '../../wiring/start/sandbox.ts'
import type { Subcommand } from '../command.ts'
import { printJson } from '../print-rows.ts'

export const command: Subcommand = {
  name: 'sandbox',
  takes: ['ACTION', 'COMMAND'],
  words: ['test'],
  summary: 'Run a command in the sandbox, and explain it: `sandbox test "COMMAND"`.',
  flags: {
    read: { type: 'boolean', text: 'in the box for reading' },
    json: { type: 'boolean', text: 'print JSON' },
  },
  run: async call => {
    const [, line = ''] = call.words
    const folder = realPath(resolve(process.cwd()))
    const { settings, notices } = await loadSettingsFor(folder, { values: {}, names: new Map() })
    for (const { text } of notices) writeMessage(text)
    const isJson = call.has('json')
    const test = call.has('read') ? await readingTest(folder) : await writingTest(sandboxOptions(settings), folder)
    if (!isJson) for (const row of test.rows) writeMessage(row)
    const result = await runBoxed(line, folder, test.box, isJson ? null : print)
    const { words, ...outcome } = await test.close(result)
    if (isJson) printJson({ ...test.json, ...jsonOf(line, result), ...outcome })
    else for (const row of words) writeMessage(row)
    return result.exitCode ?? 1
  },
}

/** What a command would get: as rows and for JSON, the box, and what was refused in it. */
type BoxTest = {
  rows: readonly string[]
  json: Record<string, unknown>
  box: CommandBox
  /** `left` are paths of what can decide what runs later. `words` say both. */
  close: (
    result: ShellResult,
  ) => Promise<{ refused: readonly string[]; left: readonly string[]; words: readonly string[] }>
}

/** Bytes of the output for JSON. */
const MOST_OUTPUT = 1024 * 1024

async function runBoxed(
  line: string,
  folder: string,
  box: CommandBox,
  onOutput: ((text: string) => void) | null,
): Promise<ShellResult> {
  const shell = agentShellFile()
  const options = { command: line, cwd: folder, env: process.env, box, limitBytes: MOST_OUTPUT }
  const result = await runShell({ ...options, ...(shell && { shell }), onOutput: onOutput ?? (() => {}) }).done
  if (result.problem !== null) throw new UserError(sentence(`Not run: ${result.problem}`))
  return result
}

/** The sandbox is tested also where it is off. Nobody is asked about hosts. */
async function writingTest(options: SandboxOptions, folder: string): Promise<BoxTest> {
  const place = { folder, env: process.env }
  const rules = (at: string) => {
    const own = options.rules(at)
    return { ...own, level: own.level === 'closed' ? own.level : ('on' as const) }
  }
  const tested = { ...options, rules, level: () => rules(folder).level }
  const boxes = createCommandBoxes(tested)
  try {
    const facts = sandboxFacts(tested, place)
    const asked = new Set<string>()
    const opened = await boxes.open({
      ...place,
      ask: async want => {
        if (want.kind === 'host') asked.add(hostWithPort(want))
        return 'no'
      },
    })
    return {
      rows: rowsOf(facts, options.level()),
      json: { box: 'writing', setting: options.level(), ...facts },
      box: opened.box,
      async close({ exitCode, output }) {
        const { refused, left } = await opened.close({ exitCode, output, endedOthers: false })
        await boxes.close()
        const hosts = [...asked].map(host => `the host ${host}, which would ask`)
        const all = [...hosts, ...(refused ? [`${refused.hint} (a hint from its output)`] : [])]
        const paths = (left?.places ?? []).map(({ path }) => path)
        const words = [
          ...all.map(each => `refused: ${shown(each)}`),
          ...paths.map(path => `left, and can decide what runs later: ${shown(label(path))} (/sandbox)`),
        ]
        return { refused: all, left: paths, words }
      },
    }
  } catch (error) {
    await boxes.close()
    throw new UserError(sentence(`There is no sandbox here: ${messageOf(error)}`), '`zotui doctor` says more.')
  }
}

async function readingTest(folder: string): Promise<BoxTest> {
  const box = await readBox({ folder, env: process.env, runsGit: true })
  if ('why' in box) throw new UserError(sentence(`There is no box for reading here: ${box.why}`), sentence(box.so))
  return {
    rows: ['the box for reading: no file can be changed, no network, no secrets'],
    json: { box: 'reading', folder },
    box,
    close: async () => ({ refused: [], left: [], words: [] }),
  }
}

function rowsOf(facts: SandboxFacts, setting: string): string[] {
  const { folder, writable, held, hidden, sockets, home, hosts, level, problems } = facts
  const others = writable.filter(path => path !== folder)
  return [
    `sandbox: ${setting === 'off' ? 'off (tested as on)' : setting}`,
    `can write: ${[label(folder), ...others.map(path => label(path))].join(', ')}, /tmp (its own)`,
    `held: ${held.length === 0 ? 'nothing' : held.map(path => label(path)).join(', ')}`,
    `hidden: the home folder but for tools, ${counted(hidden.length, 'secret place')}, ${counted(sockets, 'socket')}`,
    `hosts: ${level === 'closed' ? 'none (closed)' : hosts.length === 0 ? 'none; each asks' : `${hosts.join(', ')}; others ask`}`,
    ...problems.map(problem => `sandboxHosts: ${problem}`),
    ...(home === null ? [] : [`its home and caches: ${label(home)}`]),
  ].map(row => shown(row))
}

const label = (path: string): string => folderLabel(path, homedir())
const shown = (text: string): string => oneLine(sanitizeExact(text))

function jsonOf(command: string, { exitCode, signal, output, durationMs }: ShellResult): Record<string, unknown> {
  return { command, exitCode, signal, durationMs: Math.round(durationMs), output }
}
