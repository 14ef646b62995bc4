/** `zotui checkpoints` lists and restores files as they were before each prompt. */
import { homedir } from 'node:os'
import process from 'node:process'
import { createCheckpoints, type CheckpointAnswer, type Checkpoints } from '../../../src/checkpoints/checkpoints.ts'
import type { Checkpoint } from '../../../src/checkpoints/record.ts'
import { dateTime } from '../../../src/export/fact-words.ts'
import { UserError } from '../../../src/platform/errors.ts'
import { statePath } from '../../../src/storage/log.ts'
import { counted } from '../../../src/text/counted.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { print, writeMessage } from '../../standard-streams.ts'
import { loadSettingsFor } from '../../wiring/start/load-settings.ts'
import type { CommandCall, Subcommand } from '../command.ts'
import { usage } from '../flag-reading.ts'
import { printJson } from '../print-rows.ts'
import { openStored } from '../stored.ts'
import { lookup } from '../../../src/text/lookup.ts'

type CheckpointAction = (checkpoints: Checkpoints, id: string, call: CommandCall) => Promise<0 | 1>

/** In milliseconds. */
const DAY = 86_400_000
const MOST_DAYS = 30
const MB = 1024 * 1024

/** The actions, and whether each takes an id. */
type ListedAction = { takesId: boolean; run: CheckpointAction }

const listing: ListedAction = { takesId: false, run: list }
const actions: Record<string, ListedAction> = {
  list: listing,
  show: { takesId: true, run: show },
  restore: { takesId: true, run: restore },
  undo: { takesId: false, run: undo },
  prune: { takesId: false, run: prune },
}

export const command: Subcommand = {
  name: 'checkpoints',
  takes: ['[ACTION]', '[ID]'],
  words: ['list', 'show', 'restore', 'undo', 'prune'],
  summary: 'List the checkpoints of this folder, and restore one.',
  flags: {
    keepMine: { type: 'boolean', text: 'restore: keep files that you have changed' },
    force: { type: 'boolean', text: 'restore: overwrite them' },
    json: { type: 'boolean', text: 'print JSON' },
  },
  run: async call => {
    const [word = 'list', id = ''] = call.words
    const action = lookup(actions, word) ?? listing
    if (word === 'restore' && id === '')
      throw usage('`zotui checkpoints restore` needs an ID.', 'checkpoints', '`zotui checkpoints` lists them.')
    if (!action.takesId && id !== '') throw usage(`\`zotui checkpoints ${word}\` takes no ID.`, 'checkpoints')
    if (call.has('keepMine') && call.has('force')) throw usage('Use --keep-mine or --force, not both.', 'checkpoints')
    const place = { folder: process.cwd(), stateFolder: statePath(), home: homedir(), env: process.env }
    return action.run(createCheckpoints({ ...place, now: Date.now }), id, call)
  },
}

async function list(checkpoints: Checkpoints, _id: string, call: CommandCall): Promise<0> {
  const all = [...need(await checkpoints.list())].toReversed()
  if (call.has('json')) {
    printJson(all.map(({ id, at, by, session, label, restored }) => ({ id, at, by, session, label, restored })))
    return 0
  }
  if (all.length === 0) writeMessage('This folder has no checkpoints yet.')
  for (const each of all) print(`${rowOf(each)}\n`)
  return 0
}

function rowOf({ id, at, label }: Checkpoint): string {
  return `${id}  ${dateTime(at, undefined)}  ${oneLine(sanitize(label))}`
}

/** Without an ID: the checkpoint before the last prompt. */
async function show(checkpoints: Checkpoints, typed: string, call: CommandCall): Promise<0> {
  const last = typed === '' ? need(await checkpoints.list()).findLast(({ by }) => by === 'user') : null
  if (last === undefined) throw new UserError('This folder has no checkpoints yet.')
  const id = last?.id ?? typed
  if (last) writeMessage(rowOf(last))
  const { files, stay } = need(await checkpoints.preview(id))
  if (call.has('json')) {
    printJson({ id, files: files.map(({ entry: _entry, ...file }) => file), stay })
    return 0
  }
  if (files.length === 0) writeMessage('No files have changed since then.')
  for (const { path, what, added, removed, byUser } of files) {
    const lines = added === null || removed === null ? 'binary' : `+${added} -${removed}`
    print(`${what}  ${oneLine(sanitize(path))}  ${lines}${byUser ? '  changed by you' : ''}\n`)
  }
  for (const { path, why } of stay) writeMessage(`${oneLine(sanitize(path))} ${why}.`)
  return 0
}

async function restore(checkpoints: Checkpoints, id: string, call: CommandCall): Promise<0 | 1> {
  const { files, present } = need(await checkpoints.preview(id))
  const mine = files.filter(({ byUser }) => byUser).map(({ path }) => path)
  if (mine.length > 0 && !call.has('keepMine') && !call.has('force')) {
    const named = mine.slice(0, 5).map(path => oneLine(sanitize(path)))
    throw new UserError(
      `You have changed ${mine.length} of these files since then: ${named.join(', ')}${mine.length > 5 ? ', ...' : ''}.`,
      '--keep-mine keeps them, --force overwrites them.',
    )
  }
  return carryOut(checkpoints, id, call, { expected: present, keep: call.has('keepMine') ? mine : [] })
}

async function undo(checkpoints: Checkpoints, _id: string, call: CommandCall): Promise<0 | 1> {
  const id = need(await checkpoints.lastUndo())
  if (id === null) throw new UserError('No files were restored here yet.')
  return restore(checkpoints, id, call)
}

type How = { expected: string; keep: readonly string[] }

async function carryOut(checkpoints: Checkpoints, id: string, call: CommandCall, how: How): Promise<0 | 1> {
  const done = need(await checkpoints.restore(id, { session: null, ...how }))
  if (call.has('json')) printJson(done)
  else writeMessage(`Restored ${done.count} files. \`zotui checkpoints undo\` brings back what was there.`)
  for (const { path, why } of done.failed) writeMessage(`${oneLine(sanitize(path))} ${why}.`)
  return done.failed.length === 0 ? 0 : 1
}

async function prune(checkpoints: Checkpoints, _id: string, call: CommandCall): Promise<0> {
  const { settings } = await loadSettingsFor(process.cwd(), { values: {}, names: new Map() })
  const { checkpointsMb, retentionDays } = settings.values()
  const days = retentionDays === 0 ? MOST_DAYS : Math.min(retentionDays, MOST_DAYS)
  const sessions = openStored(writeMessage)
  const removed = need(
    await checkpoints.prune({ most: checkpointsMb * MB, age: days * DAY, isKept: session => sessions.has(session) }),
  )
  if (call.has('json')) printJson({ removed })
  else writeMessage(`Removed ${counted(removed, 'checkpoint')}.`)
  return 0
}

function need<Value>(answer: CheckpointAnswer<Value>): Value {
  if (!answer.ok) throw new UserError(`Files cannot be kept or restored here: ${answer.why}.`)
  return answer.value
}
