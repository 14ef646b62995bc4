/** `zotui find` searches all sessions. */
import { homedir } from 'node:os'
import process from 'node:process'
import { dateTime } from '../../../src/export/fact-words.ts'
import { UserError } from '../../../src/platform/errors.ts'
import { openSessionFinder } from '../../../src/storage/find/finder.ts'
import { passageKinds, type FindQuery, type FoundPassage, type PassageKind } from '../../../src/storage/find/passage.ts'
import type { FindReport } from '../../../src/storage/find/report.ts'
import { timeSince } from '../../../src/storage/find/since.ts'
import { statePath } from '../../../src/storage/log.ts'
import { truncate } from '../../../src/text/lines/shorten.ts'
import { displayWidth } from '../../../src/text/lines/width.ts'
import { oneLine, sanitize, type SafeText } from '../../../src/text/sanitize.ts'
import { wrap } from '../../../src/text/lines/wrap.ts'
import { print, writeMessage } from '../../standard-streams.ts'
import type { CommandCall, Subcommand } from '../command.ts'
import { printJson } from '../print-rows.ts'

const MOST = 20
const LARGEST = 1000
/** Milliseconds after which the user is told what takes so long. */
const PATIENCE = 1500

export const command: Subcommand = {
  name: 'find',
  takes: ['WORDS'],
  summary: 'Search what was said, run and changed in all sessions. Quote several words.',
  flags: {
    folder: { type: 'boolean', text: 'only this folder' },
    agent: { type: 'string', value: 'NAME', text: 'only this agent' },
    since: { type: 'string', value: 'TIME', text: 'only since 12h, 3d, 2w, 6m or 2026-11-05' },
    kind: {
      type: 'string',
      value: 'NAMES',
      completes: ['prompt', 'answer', 'command', 'result', 'diff', 'file'],
      text: 'only these, with commas: prompt, answer, command, result, diff, file',
    },
    failed: { type: 'boolean', text: 'only calls and turns that failed' },
    max: { type: 'string', value: 'N', shortFlag: 'n', text: 'at most N (default: 20)' },
    json: { type: 'boolean', text: 'print JSON' },
  },
  run: async call => {
    const query = queryOf(call)
    const most = mostOf(call)
    const finder = openSessionFinder(statePath(), { isEager: true })
    try {
      const slow = setTimeout(() => {
        // A script has nobody who wonders.
        if (process.stdout.isTTY) writeMessage('Reading the sessions. Only the first time takes so long.')
      }, PATIENCE)
      const problem = await finder.catchUp()
      clearTimeout(slow)
      const answer = await finder.find(query, most)
      if (!answer.ok) throw new UserError(answer.why)
      if (problem !== null) writeMessage(problem)
      const { found, share, isCut } = answer
      if (call.has('json')) printJson({ found: [...found], share, isCut } satisfies FindReport)
      else showFound(found, isCut)
      return 0
    } finally {
      finder.close()
    }
  },
}

function queryOf(call: CommandCall): FindQuery {
  const since = call.value('since')
  const at = since === null ? null : timeSince(since, Date.now())
  if (since !== null && at === null)
    throw new UserError(`--since needs a time such as 12h, 3d, 2w, 6m or 2026-11-05, not "${since}".`, '', 2)
  return {
    words: call.words[0] ?? '',
    folder: call.has('folder') ? process.cwd() : null,
    agent: call.value('agent'),
    since: at,
    kinds: kindsOf(call),
    failed: call.has('failed'),
  }
}

function kindsOf(call: CommandCall): PassageKind[] | null {
  const typed = call.value('kind')
  if (typed === null) return null
  return typed.split(',').map(word => {
    const kind = passageKinds.find(each => each === word.trim())
    if (kind === undefined)
      throw new UserError(`--kind needs some of ${passageKinds.join(', ')}, not "${word}".`, '', 2)
    return kind
  })
}

function mostOf(call: CommandCall): number {
  const typed = call.value('max')
  const most = typed === null ? MOST : Number(typed)
  if (Number.isInteger(most) && most >= 1 && most <= LARGEST) return most
  throw new UserError(`--max needs a whole number from 1 to ${LARGEST}, not "${typed}".`, '', 2)
}

function showFound(found: readonly FoundPassage[], isCut: boolean): void {
  if (found.length === 0) {
    writeMessage('Nothing found.')
    return
  }
  const width = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY
  print(found.map(passage => entryOf(passage, width)).join('\n'))
  if (isCut) writeMessage('There is more. --max N shows more.')
}

/** A passage in a few lines: where it is, its session's title, which a terminal shows on one row, and what it says. */
function entryOf({ place, kind, failed, folder, agent, title, excerpt }: FoundPassage, width: number): string {
  const facts = [place.session, dateTime(place.at, undefined), failed ? `${kind}, failed` : kind, agent, tilde(folder)]
  const room = (indent: number): number => Math.max(20, width - indent)
  const lines = [
    ...factRows(facts.map(clean), width),
    ...(title === '' ? [] : [`  ${truncate(clean(title), room(2))}`]),
    ...(width === Number.POSITIVE_INFINITY ? [clean(excerpt)] : wrap(clean(excerpt), room(4))).map(
      line => `    ${line}`,
    ),
  ]
  return lines.map(line => `${line}\n`).join('')
}

const clean = (text: string): SafeText => oneLine(sanitize(text.trim()))

/** A fact is not broken if it has room on a row. */
function factRows(facts: readonly SafeText[], width: number): string[] {
  const rows: string[] = []
  for (const fact of facts) {
    const longer = [...rows.slice(-1), fact].join('  ')
    if (displayWidth(longer) <= width) rows.splice(-1, 1, longer)
    else rows.push(...wrap(fact, Math.max(20, width)))
  }
  return rows
}

function tilde(folder: string): string {
  const home = homedir()
  return folder === home || folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder
}
