/** `/move` in the demo: it asks and shows what any move does, and nothing is connected to, sent or changed. */
import { MoveProblem } from '../../move/problem.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import type { AppContext } from '../context/context.ts'
import type { Conversations } from '../context/conversations.ts'
import type { MoveEnd } from './move-parts.ts'
import { awayText, backText } from './move-words.ts'
import type { MoveProgress } from './progress.ts'

export type DemoMoveParts = {
  context: Pick<AppContext, 'state' | 'preview' | 'backend'>
  conversations: Pick<Conversations, 'say'>
  progress: MoveProgress
}

/** Where the conversation of these `Conversations` is said to be. */
const away = new WeakMap<DemoMoveParts['conversations'], string>()

export const isAway = (conversations: DemoMoveParts['conversations']): boolean => away.has(conversations)

const FOLDER = '~/src/demo-project'
const HEAD = '3f9c1d2a7'
const COMMIT = { tree: HEAD, commit: HEAD, head: HEAD, branch: 'main', format: 'sha1', hash: '' }

const look = {
  top: FOLDER,
  prefix: '',
  gitDir: '.git',
  index: '.git/index',
  format: 'sha1',
  branch: 'main',
  head: HEAD,
  changed: 2,
  fresh: 1,
  ignored: 3,
  submodules: [],
  filtered: 0,
}

const NEW = { kind: 'new', folder: FOLDER, isMade: true, left: null } as const

/** Milliseconds of a step, and the steps in which a bundle is sent. */
const [STEP, SHARES] = [800, 10]

/** `destination` is null for the way back. @throws MoveProblem if the person stops it. */
export async function demoMove(parts: DemoMoveParts, destination: string | null): Promise<MoveEnd> {
  return destination === null ? comeBack(parts) : goAway(parts, destination)
}

async function goAway(parts: DemoMoveParts, destination: string): Promise<MoveEnd> {
  const { context, conversations, progress } = parts
  const { chat, queue } = context.state()
  const machine = oneLine(sanitize(destination.includes(':') ? destination : `ssh:${destination}`))
  const to = machine.split(':').length > 2 ? machine : `${machine}:${FOLDER}`
  await step(parts, `Connecting to ${machine}…`)
  await step(parts, 'Looking at what would go…')
  const facts = { to, agent: 'claude', isCarried: true, folders: chat.folders.length, queued: queue.entries.length }
  const pack = { ...COMMIT, bundle: '', bytes: 1_840_000 }
  const cancelled = context.preview(awayText({ look, pack, place: NEW }, facts))
  if (!(await progress.ask(`move to ${machine}`, 'Stay here', { label: 'Move it', detail: to }))) {
    cancelled(`Cancelled: the move to ${machine}.`)
    return 'stays'
  }
  progress.say(`Sending it to ${machine}…`)
  for (let done = 1; done <= SHARES; done += 1) {
    await rest(parts, STEP / 4)
    progress.share(done / SHARES)
  }
  await step(parts, `Starting claude on ${machine}…`)
  away.set(conversations, to)
  const after = 'The demo makes this up: nothing was sent. /move back shows the way back.'
  conversations.say('success', `Moved to ${to}. ${after}`)
  return 'stays'
}

async function comeBack(parts: DemoMoveParts): Promise<MoveEnd> {
  const { context, conversations, progress } = parts
  const from = away.get(conversations) ?? ''
  const machine = from.slice(0, from.lastIndexOf(':'))
  await step(parts, `Fetching it from ${machine}…`)
  const files = [
    { path: 'src/parser.ts', kind: 'changed' },
    { path: 'test/parser.test.ts', kind: 'changed' },
    { path: 'src/graphemes.ts', kind: 'new' },
  ] as const
  const pack = { ...COMMIT, bundle: '', bytes: 4000 }
  const facts = { from, to: FOLDER, isCarried: true, agent: 'claude', left: null }
  const plan = { way: 'into', look, seal: COMMIT, files, isHalf: false } as const
  const cancelled = context.preview(backText({ look, plan, pack }, facts))
  if (!(await progress.ask(`back from ${machine}`, 'Stay there', { label: 'Bring it back', detail: FOLDER }))) {
    cancelled(`Cancelled: the way back from ${machine}.`)
    return 'stays'
  }
  await step(parts, 'Bringing it back…')
  await step(parts, 'Starting claude here…')
  away.delete(conversations)
  conversations.say('success', `Back in ${FOLDER}, as it was there. The demo makes this up: no file was changed.`)
  return 'stays'
}

async function step(parts: DemoMoveParts, words: string): Promise<void> {
  parts.progress.say(words)
  await rest(parts, STEP)
}

/** @throws MoveProblem if the person stops it meanwhile. */
async function rest({ progress }: DemoMoveParts, ms: number): Promise<void> {
  const signal = progress.signal()
  await new Promise<void>(resolve => {
    setTimeout(resolve, ms)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  if (signal.aborted) throw new MoveProblem('you have stopped it')
}
