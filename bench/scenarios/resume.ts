/** Resuming a long session, and the list of many. */
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openSessionFiles } from '../../src/storage/sessions/session-files.ts'
import { MEGABYTE, median, type Figure } from '../figures.ts'
import { EVENTS_A_TURN, sessionsOf, stateFolderOf, writeSession } from '../sessions.ts'
import type { Stage } from '../stage.ts'

/** Each has four entries on the screen. */
const TURNS = 1250
const DELTAS = 30
/** A session of 1,000 events. */
const SHORT_TURNS = Math.ceil(1000 / EVENTS_A_TURN)
const STARTS = 3
const SHORT_STARTS = 7
const MANY = 10_000

export async function resume(stage: Stage): Promise<Figure[]> {
  const starts = []
  for (let index = 0; index < STARTS; index += 1) starts.push(await resumeOnce(stage))
  const floor = median(starts.map(({ raw }) => raw))
  return [
    { name: 'prompt', unit: 'ms', value: median(starts.map(({ prompt }) => prompt)), floor },
    { name: 'first key', unit: 'ms', value: median(starts.map(({ key }) => key)), floor },
    { name: 'all of it', unit: 'ms', value: median(starts.map(({ all }) => all)), floor },
    { name: 'CPU', unit: 's', value: median(starts.map(({ cpu }) => cpu)) },
    { name: 'peak memory', unit: 'MB', value: median(starts.map(({ memory }) => memory)) / MEGABYTE },
    { name: 'file', unit: 'MB', value: median(starts.map(({ size }) => size)) / MEGABYTE },
    await shortOne(stage),
    ...(await listMany(stage)),
  ]
}

function prepareShort(folder: string): void {
  const sessions = sessionsOf(folder)
  writeSession(sessions, SHORT_TURNS, DELTAS)
  sessions.close()
}

/** The first prompt with a session of 1,000 events; floor: with a new one. */
async function shortOne(stage: Stage): Promise<Figure> {
  const promptOf = async (options: Parameters<Stage['open']>[0]): Promise<number> => {
    const ui = stage.open(options)
    const prompt = (await ui.promptShown()) - ui.startedAt
    await ui.ready()
    await ui.end()
    return prompt
  }
  const resumed: number[] = []
  const fresh: number[] = []
  for (let index = 0; index < SHORT_STARTS; index += 1) {
    fresh.push(await promptOf({}))
    resumed.push(await promptOf({ prepare: prepareShort, args: ['--continue'] }))
  }
  return { name: 'prompt, 1,000 events', unit: 'ms', value: median(resumed), floor: median(fresh) }
}

type Resumed = { prompt: number; key: number; all: number; cpu: number; memory: number; size: number; raw: number }

async function resumeOnce(stage: Stage): Promise<Resumed> {
  let path = ''
  const prepare = (folder: string): void => {
    const sessions = sessionsOf(folder)
    path = openSessionFiles(stateFolderOf(folder), folder).pathOf(writeSession(sessions, TURNS, DELTAS)) ?? ''
    sessions.close()
  }
  const ui = stage.open({ prepare, args: ['--continue'] })
  const isThere = (): boolean => ui.terminal.screen().some(line => line.includes('Resumed the session'))
  const whole = ui.shown('the end of the session', isThere)
  const prompt = (await ui.promptShown()) - ui.startedAt
  const key = (await ui.keyShown()) - ui.startedAt
  const all = (await whole) - ui.startedAt
  const { cpu, peakMemory: memory } = ui.usage()
  await ui.end()
  const reader = stage.node([
    '-e',
    `process.stdout.write(String(require('fs').readFileSync('${path}', 'utf8').length))`,
  ])
  const raw = (await reader.ended) - reader.startedAt
  return { prompt, key, all, cpu, memory, size: statSync(path).size, raw }
}

/** With the index, which is updated all the time, and without it, when all sessions have to be read. */
async function listMany(stage: Stage): Promise<Figure[]> {
  return [
    { name: 'list of 10,000', unit: 'ms', value: await list(stage, () => undefined) },
    { name: 'list, no index', unit: 'ms', value: await list(stage, removeIndex) },
  ]
}

async function list(stage: Stage, spoil: (folder: string) => void): Promise<number> {
  const prepare = (folder: string): void => {
    const sessions = sessionsOf(folder)
    for (let number = 0; number < MANY; number += 1) writeSession(sessions, 1, 2)
    sessions.close()
    spoil(openSessionFiles(stateFolderOf(folder), folder).own)
  }
  const ui = stage.open({ prepare })
  await ui.ready()
  const listed = ui.shown('the list', () => ui.terminal.screen().some(line => line.includes(`${MANY} sessions`)))
  const asked = await ui.enter('/resume')
  const shown = (await listed) - asked
  await ui.end()
  return shown
}

function removeIndex(folder: string): void {
  rmSync(join(folder, 'index.jsonl'))
}
