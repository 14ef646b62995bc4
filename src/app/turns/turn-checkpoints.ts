/** Keeps the files as they were before each prompt, and marks what the agent changed after it. */
import { setImmediate as nextTick, setTimeout as wait } from 'node:timers/promises'
import type { Part } from '../../conversation/part.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import type { Settings } from '../../config/schema.ts'
import type { AppState } from '../../state/state.ts'
import type { Sessions } from '../../storage/sessions/sessions.ts'
import type { AppContext } from '../context/context.ts'

export type TurnCheckpoints = {
  /** Reads the files once in the background, without keeping them, so that the first checkpoint is quick. */
  begin: () => void
  /** Begins a checkpoint after the prompt is shown. The prompt waits for it, for a limited time. */
  before: (prompt: string) => Promise<void> | undefined
  /** Begins a checkpoint when the agent has begun a turn itself. It waits for nothing, so there is none if it has changed files by then. */
  begun: (cause: string) => void
  /** The turn has ended: records its changes as the agent's, in the background. */
  after: () => void
}

/** Milliseconds that a prompt waits. */
const LIMIT = 2_000
/** The number of slow failures in a row after which checkpoints stop. Quick ones, such as those of a full disk, are tried again. */
const MOST_FAILURES = 3
/** Milliseconds after which a failure is slow. */
const SLOW = 500
/** Milliseconds after the start before the first reading. */
const START_DELAY = 500
/** Characters of a prompt that name a checkpoint. */
const SHOWN = 80
/** Turns between two checks of the disk; the first turn is followed by one. */
const PRUNE_EVERY = 20
/** Days after which a checkpoint is removed. */
const MOST_DAYS = 30
const DAY = 86_400_000
const MB = 1024 * 1024

/** What checkpoints need. `state` only needs the conversation. */
export type CheckpointContext = Pick<
  AppContext,
  'checkpoints' | 'sessionId' | 'report' | 'addProgramNotice' | 'now' | 'redact'
> & {
  backend: Pick<AppContext['backend'], 'holder'>
  sessions?: Pick<Sessions, 'has'> | undefined
  settings: { values: () => Pick<Settings, 'checkpoints' | 'retentionDays' | 'checkpointsMb'> }
  state: () => Pick<AppState, 'chat'>
}

export function createTurnCheckpoints(context: CheckpointContext): TurnCheckpoints {
  const { backend, checkpoints, sessions, sessionId, settings, report, addProgramNotice, now } = context
  let isFollowed = false
  let prompted = ''
  let count = 0
  const failures = new Failures(addProgramNotice)

  return {
    begin() {
      // The agent starts first.
      setTimeout(() => void readAll(), START_DELAY).unref()
    },
    before(prompt) {
      isFollowed = isOn()
      if (!isFollowed) return undefined
      prompted = prompt.trim().slice(0, SHOWN)
      let isLate = false
      const limit = async (): Promise<void> => {
        await wait(LIMIT, undefined, { ref: false })
        isLate = true
      }
      const kept = async (): Promise<void> => {
        if (!(await keep(() => !isLate))) failures.say('git took too long, and the prompt was sent first')
      }
      return Promise.race([kept(), limit()])
    },
    begun(cause) {
      isFollowed = isOn()
      if (!isFollowed) return
      prompted = cause.slice(0, SHOWN)
      const { startedAt } = context.state().chat.open ?? {}
      void keep(() => {
        const { open } = context.state().chat
        return open?.kind === 'turn' && open.startedAt === startedAt && ![...open.parts].some(mayHaveChanged)
      })
    },
    after() {
      if (!isFollowed) return
      isFollowed = false
      count += 1
      void make('agent', `After: ${prompted}`).then(() => (count % PRUNE_EVERY === 1 ? prune() : undefined))
    },
  }

  /** False if that took so long that the files may have been changed by the turn. */
  async function keep(isInTime: () => boolean): Promise<boolean> {
    // The prompt is drawn first.
    await nextTick()
    const id = await make('user', `Before: ${prompted}`)
    if (id === null) return true
    if (!isInTime()) return false
    const kept = { type: 'checkpoint_made', at: now(), id } as const
    if (backend.holder) backend.holder.note(kept)
    else report([kept])
    return true
  }

  async function readAll(): Promise<void> {
    // The first prompt has read them.
    if (!isOn() || isFollowed || count > 0) return
    const begun = performance.now()
    const answer = await checkpoints?.read(context.state().chat.folders)
    if (answer?.ok === false) failures.add(answer.why, begun)
  }

  function isOn(): boolean {
    return checkpoints !== undefined && failures.mayTryAgain && settings.values().checkpoints
  }

  async function make(by: 'user' | 'agent', label: string): Promise<string | null> {
    if (!checkpoints) return null
    const begun = performance.now()
    const { folders } = context.state().chat
    const answer = await checkpoints.make({ by, label: context.redact(label), session: sessionId(), folders })
    if (!answer.ok) {
      failures.add(answer.why, begun)
      return null
    }
    failures.end()
    for (const { folder, why } of answer.value.unsaved ?? []) failures.sayOf(folder, why)
    return answer.value.id
  }

  async function prune(): Promise<void> {
    const { retentionDays, checkpointsMb } = settings.values()
    const days = retentionDays === 0 ? MOST_DAYS : Math.min(retentionDays, MOST_DAYS)
    const current = sessionId()
    const isKept = (session: string): boolean => session === current || (sessions?.has(session) ?? true)
    await checkpoints?.prune({ most: checkpointsMb * MB, age: days * DAY, isKept })
  }
}

/** Whether a part of a turn is a call that runs, or ran, and may change files. */
function mayHaveChanged(part: Part): boolean {
  return part.kind === 'tool' && part.startedAt !== null && part.does !== 'read'
}

/** Says why there are no checkpoints: once, until there are some again. */
class Failures {
  readonly #addProgramNotice: AppContext['addProgramNotice']
  #said = ''
  /** Slow failures in a row. */
  #slow = 0
  #isFailing = false
  /** What was said about opened folders. */
  readonly #saidOf = new Set<string>()

  constructor(addProgramNotice: AppContext['addProgramNotice']) {
    this.#addProgramNotice = addProgramNotice
  }

  /** False after so many slow failures that trying again would only hold up prompts. */
  get mayTryAgain(): boolean {
    return this.#slow < MOST_FAILURES
  }

  add(why: string, begun: number): void {
    if (performance.now() - begun > SLOW) this.#slow += 1
    if (!this.#isFailing) this.say(why)
    this.#isFailing = true
  }

  end(): void {
    this.#slow = 0
    if (!this.#isFailing) return
    this.#addProgramNotice('info', 'Files are saved before your prompts again.')
    this.#said = ''
    this.#isFailing = false
  }

  sayOf(folder: string, why: string): void {
    const words = `Files in ${oneLine(sanitize(folder))} are not saved before your prompts: ${why}.`
    if (this.#saidOf.has(words)) return
    this.#saidOf.add(words)
    this.#addProgramNotice('info', words)
  }

  say(why: string): void {
    if (this.#said === why) return
    this.#said = why
    this.#addProgramNotice(
      'info',
      `Files are not saved before your prompts: ${why}.`,
      '/rewind restores the conversation only.',
    )
  }
}
