/**
 * The agent's own session of a conversation, which goes along as the file in which the agent keeps it. Only files whose place is known
 * are carried; with any other agent the conversation is sent to it again.
 */
import { rename } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { makeFolder } from '../platform/folders.ts'
import { readRegularFile, readRegularFileStart } from '../platform/regular-file.ts'
import { quoted } from '../platform/shell/quoting.ts'
import type { RemoteMachine } from '../platform/remote/machine.ts'
import type { MoveSides } from './away.ts'
import { MoveProblem } from './problem.ts'
import type { MoveSide } from './side.ts'
import { fetchFile, sendFile } from './transfer.ts'
import type { Undoing } from './undoing.ts'

/** Where an agent keeps its sessions, and how the file of one is named. */
type SessionStore = {
  /** The variable that names its folder, and the folder below the home folder otherwise. */
  variable: string
  usual: string
  /** The folder of all sessions in it. */
  sessions: string
  /** The end of the file's name. */
  ending: (id: string) => string
  /** The path of the file below `sessions`, for an agent that works in `folder`; null if it cannot be known. */
  placed: (path: string, folder: string) => string | null
}

/** Characters of Claude's name for a folder. It shortens longer ones in a way of its own. */
const LONGEST_SLUG = 200

const stores: ReadonlyMap<string, SessionStore> = new Map([
  [
    'claude',
    {
      variable: 'CLAUDE_CONFIG_DIR',
      usual: '.claude',
      sessions: 'projects',
      ending: id => `/${id}.jsonl`,
      placed: (path, folder) => {
        const slug = folder.replaceAll(/[^a-zA-Z0-9]/g, '-')
        return slug.length > LONGEST_SLUG ? null : `${slug}/${posix.basename(path)}`
      },
    },
  ],
  [
    'codex',
    {
      variable: 'CODEX_HOME',
      usual: '.codex',
      sessions: 'sessions',
      ending: id => `-${id}.jsonl`,
      placed: path => path,
    },
  ],
])

/** Bytes of the longest file that is carried. */
const MOST = 256 * 1024 * 1024

export type CarriedSession = {
  /** The name of the agent. */
  agent: string
  /** Its ID of the session. */
  id: string
  /** The folder on the side that it goes to. */
  folder: string
}

/** Whether the sessions of an agent can go along. */
export const canCarry = (agent: string): boolean => stores.has(agent)

/** Whether a side has the file of a session that can go along. Never rejects. */
export async function hasSession(side: MoveSide, agent: string, id: string): Promise<boolean> {
  const store = stores.get(agent)
  if (!store || !isSafeId(id)) return false
  try {
    return (await side.find(await sessionsOf(side, store), store.ending(id))) !== null
  } catch {
    return false
  }
}

/** It becomes a part of a path. */
const isSafeId = (id: string): boolean => /^[\w-]+$/.test(id)

/** Copies the file to the other machine. Resolves to why it did not, null if it did: then the agent there knows the session. Never rejects. */
export async function sendSession(
  sides: MoveSides,
  session: CarriedSession,
  { signal, undoing }: { signal: AbortSignal; undoing: Undoing },
): Promise<string | null> {
  return orWhy(async () => {
    const { there, machine, here } = sides
    const { path, to } = await placesOf(here, there, session)
    const bytes = await here.size(path)
    if (!(bytes <= MOST)) throw new MoveProblem('its file is too large')
    const fresh = `${to}.zotui-new`
    await there.remove(fresh)
    await run(machine, `umask 077; mkdir -p ${quoted(posix.dirname(to))}`)
    await sendFile({ machine, here: path, there: fresh, bytes, progress: () => undefined, signal })
    const before = await there.kind(to)
    // Who has continued it there since it was there last must not lose that.
    const isBeginning = `n=$(wc -c <${quoted(to)}) && head -c "$((n))" ${quoted(fresh)} | cmp -s - ${quoted(to)}`
    const put = before === 'nothing' ? ':' : `{ ${isBeginning}; }`
    const isPut = await run(
      machine,
      `if ${put}; then mv -f ${quoted(fresh)} ${quoted(to)}; echo put; else rm -f ${quoted(fresh)}; fi`,
    )
    if (isPut.trim() !== 'put') throw new MoveProblem('it has continued there on its own')
    if (before === 'nothing') undoing.add(`the session ${to}`, async () => there.remove(to))
  })
}

/** Copies the file from the other machine. See `sendSession`. */
export async function fetchSession(
  sides: MoveSides,
  session: CarriedSession,
  { signal }: { signal: AbortSignal },
): Promise<string | null> {
  return orWhy(async () => {
    const { there, machine, here } = sides
    const { path, to } = await placesOf(there, here, session)
    const bytes = await there.size(path)
    if (!(bytes <= MOST)) throw new MoveProblem('its file is too large')
    const fresh = `${to}.zotui-new`
    await here.remove(fresh)
    makeFolder(dirname(to))
    try {
      await fetchFile({ machine, here: fresh, there: path, bytes, progress: () => undefined, signal })
      if ((await here.kind(to)) !== 'nothing') await requireBeginning(to, fresh)
      await rename(fresh, to)
    } finally {
      await here.remove(fresh)
    }
  })
}

async function requireBeginning(former: string, fresh: string): Promise<void> {
  const before = await readRegularFile(former, MOST)
  const start = before.ok ? await readRegularFileStart(fresh, before.bytes.length) : null
  if (!before.ok || !start?.ok || !before.bytes.equals(start.bytes))
    throw new MoveProblem('it has continued here on its own')
}

/** The file on the side that it comes from, and its place on the other one. */
async function placesOf(
  from: MoveSide,
  to: MoveSide,
  { agent, id, folder }: CarriedSession,
): Promise<{ path: string; to: string }> {
  const store = stores.get(agent)
  if (!store || !isSafeId(id)) throw new MoveProblem('where it keeps its sessions is not known')
  const root = await sessionsOf(from, store)
  const found = await from.find(root, store.ending(id))
  const below = found !== null && found.startsWith(`${root}/`) ? found.slice(root.length + 1) : null
  // The other machine says where it is, and so where it comes to here.
  if (found === null || below === null || !isPlain(below) || !`/${below}`.endsWith(store.ending(id)))
    throw new MoveProblem('it has no file of this session')
  const placed = store.placed(below, folder)
  if (placed === null) throw new MoveProblem('the path of the folder is too long for it')
  return { path: found, to: join(await sessionsOf(to, store), placed) }
}

/** Whether it is a path of usual names, none of which leads out of a folder. */
const isPlain = (path: string): boolean => path.split('/').every(name => /^[\w-][\w.:-]*$/.test(name))

async function sessionsOf(side: MoveSide, { variable, usual, sessions }: SessionStore): Promise<string> {
  const named = await side.variable(variable)
  return join(named.startsWith('/') ? named : join(side.home, usual), sessions)
}

async function run(machine: Pick<RemoteMachine, 'ask' | 'target'>, script: string): Promise<string> {
  const answer = await machine.ask(script)
  if (!answer.ok) throw new MoveProblem(`the connection to ${machine.target.name} was lost`)
  if (answer.code !== 0) throw new MoveProblem(answer.words.trimEnd().split('\n').at(-1) || 'a command failed there')
  return answer.bytes.toString()
}

async function orWhy(work: () => Promise<void>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
