/** The time from the start to the first prompt, to the first echoed key, and to the first byte of `-p`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { median, type Figure } from '../figures.ts'
import { now } from '../clock.ts'
import { playText } from '../play.ts'
import type { Stage } from '../stage.ts'

const STARTS = 10

export async function start(stage: Stage): Promise<Figure[]> {
  const cold = await startOnce(stage, true)
  const early = await typeEarly(stage)
  const starts: Start[] = []
  const nothing: number[] = []
  const oneByte: number[] = []
  const printed: number[] = []
  const zot: number[] = []
  // Alternately, so that other work of the machine affects all of them.
  for (let index = 0; index < STARTS; index += 1) {
    nothing.push(await nodeDoesNothing(stage))
    oneByte.push(await nodeWritesOneByte(stage))
    starts.push(await startOnce(stage, false))
    zot.push(await zotAnswers(stage))
    printed.push(await printsOneByte(stage))
  }
  const floor = median(oneByte)
  return [
    { name: 'prompt', unit: 'ms', value: median(starts.map(({ prompt }) => prompt)), floor },
    { name: 'first key', unit: 'ms', value: median(starts.map(({ key }) => key)), floor },
    { name: 'agent ready', unit: 'ms', value: median(starts.map(({ ready }) => ready)), floor },
    { name: 'CPU to prompt', unit: 's', value: median(starts.map(({ cpu }) => cpu)) },
    { name: 'prompt, cold', unit: 'ms', value: cold.prompt, floor },
    { name: 'node -e 0', unit: 'ms', value: median(nothing), floor },
    { name: '-p, first byte', unit: 'ms', value: median(printed), floor: floor + median(zot) },
    { name: 'early keys lost', unit: 'count', value: early },
  ]
}

type Start = { prompt: number; key: number; ready: number; cpu: number }

async function startOnce(stage: Stage, fresh: boolean): Promise<Start> {
  const ui = stage.open({ fresh })
  const prompt = (await ui.promptShown()) - ui.startedAt
  const { cpu } = ui.usage()
  const echo = ui.keyShown()
  const [key, ready] = await Promise.all([echo, ui.ready()])
  await ui.end()
  return { prompt, key: key - ui.startedAt, ready: ready - ui.startedAt, cpu }
}

/** The number of three keys, typed before there is a prompt, that are not in the composer afterwards. */
async function typeEarly(stage: Stage): Promise<number> {
  const ui = stage.open()
  const keys = ['x', 'y', 'z']
  ui.write(keys.join(''))
  await ui.promptShown()
  await ui.ready()
  await ui.echo()
  const composer = ui.terminal.screen().find(line => line.startsWith('▌')) ?? ''
  await ui.end()
  return keys.filter(key => !composer.includes(key)).length
}

async function nodeDoesNothing(stage: Stage): Promise<number> {
  const program = stage.node(['-e', '0'])
  return (await program.ended) - program.startedAt
}

async function nodeWritesOneByte(stage: Stage): Promise<number> {
  const program = stage.node(['-e', 'process.stdout.write("x")'])
  const shown = await program.shown('one byte', () => true)
  await program.ended
  return shown - program.startedAt
}

/** From the start of the agent to its answer to the first request. */
async function zotAnswers({ zot }: Stage): Promise<number> {
  const startedAt = now()
  const agent = spawn(zot, { stdio: ['pipe', 'pipe', 'ignore'] })
  agent.stdin.end('{"id":"1","type":"hello"}\n')
  await once(agent.stdout, 'data')
  return now() - startedAt
}

/** The first byte of an answer, without the UI. The answer goes on for longer than a start takes: who waits for its end is seen. */
async function printsOneByte(stage: Stage): Promise<number> {
  const play = playText({ kind: 'answer', count: 20, rate: 40, turn: 0 })
  const ui = stage.open({ args: ['-p', play] })
  const shown = await ui.shown('the answer', () => ui.terminal.screen().some(line => line.trim() !== ''))
  await ui.ended
  return shown - ui.startedAt
}
