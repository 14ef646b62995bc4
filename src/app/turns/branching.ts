/**
 * Goes back in the conversation: a fork continues after an earlier turn, a rewind edits an earlier prompt. Both begin a
 * new session; later turns stay in the previous one. A rewind can also restore the files.
 */
import type { Holding, RewindPoint } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { rewindPoints } from '../../conversation/queries/session/rewind-points.ts'
import { reduce } from '../../conversation/reduce.ts'
import { initialChat } from '../../conversation/state.ts'
import { sentence } from '../../text/sentence.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'
import type { Composing } from '../composer/composing.ts'
import type { AgentLifecycle } from './agent/agent-lifecycle.ts'
import type { FileRewind } from './file-rewind.ts'
import type { MachineKeeper } from './turn-machine.ts'
import { breakOff, snapshotOf } from '../events/snapshot.ts'

export type Branching = {
  /** Asks after which turn to continue; `filter` narrows the list. */
  fork: (filter: string) => void
  /** Continues after this number of turns of the session. */
  forkAfter: (turns: number) => Promise<void>
  /** Asks which prompt to edit; `undo` undoes the last restore of files. */
  rewind: (filter: string) => void
}

export type BranchingParts = {
  context: AppContext
  choicePrompt: ChoicePrompt
  life: Pick<AgentLifecycle, 'copy'>
  machine: Pick<MachineKeeper, 'alone'>
  composing: Pick<Composing, 'edit'>
  files: FileRewind
}

type Past = {
  points: () => readonly RewindPoint[] | Promise<readonly RewindPoint[]>
  /** Continues after some turns, in a new session. `onDone` is called only if that worked. */
  goBack: (to: GoneBack, words: string, onDone: () => void) => Promise<void>
}

/** `isRewind` if the next prompt will be an edited one. */
type GoneBack = { turns: number; isRewind: boolean }

export function createBranching({ context, choicePrompt, life, machine, composing, files }: BranchingParts): Branching {
  const { state, hint, backend } = context
  const past: Past = backend.holder ? pastOf(backend.holder, context, machine) : storedPast(context, life)
  return {
    fork: filter => void choose('fork after', filter, (points, point) => void forkAt(points, point)),
    async forkAfter(turns) {
      const points = await past.points()
      const point = points[turns - 1]
      if (point) await forkAt(points, point)
    },
    rewind(filter) {
      if (filter === 'undo') return void files.undo()
      void choose('go back to before', filter, (_points, point) => {
        const back = (): void => rewindTo(point)
        if (point.checkpoint === null || !context.checkpoints) return back()
        void files.ask(point.checkpoint, `go back to before "${beginning(point.text)}"`, back)
      })
    },
  }

  async function forkAt(points: readonly RewindPoint[], { turn, text }: RewindPoint): Promise<void> {
    const left = turn === points.length ? '' : ` ${LEFT}`
    await past.goBack(
      { turns: turn, isRewind: false },
      `This is a fork after "${beginning(text)}".${left}`,
      () => undefined,
    )
  }

  function rewindTo({ turn, text, isUnprompted }: RewindPoint): void {
    void past.goBack({ turns: turn - 1, isRewind: true }, `Back to before "${beginning(text)}". ${LEFT}`, () => {
      if (state().editor.text === '' && !isUnprompted) composing.edit({ kind: 'setText', text })
    })
  }

  async function choose(
    title: string,
    filter: string,
    run: (points: readonly RewindPoint[], point: RewindPoint) => void,
  ): Promise<void> {
    const points = await past.points()
    if (points.length === 0) return hint('There is no earlier prompt in this session yet.')
    const answers = points.toReversed().map(point => ({
      label: point.text.trim(),
      detail: `turn ${point.turn}, ${timeOfDay(point.at)}`,
      run: () => run(points, point),
    }))
    choicePrompt.ask({ title, answers, filter })
  }
}

/** The holder goes back, and sends the whole conversation again. */
function pastOf(holder: Holding, { dispatch, addNotice, hint }: AppContext, machine: BranchingParts['machine']): Past {
  return {
    points: holder.points,
    async goBack({ turns }, words, onDone) {
      hint('Going back.')
      const done = await machine.alone(
        () => holder.goBack(turns, words),
        ({ ok }) => (ok ? 'well' : 'badly'),
      )
      if (!done) return hint('The agent is working: stop it first.')
      dispatch({ type: 'hinted', hint: null })
      if (done.value.ok) onDone()
      else addNotice('error', `Nothing was changed: ${sentence(done.value.message)}`)
    },
  }
}

/** The session is stored here: another one begins with its first turns. */
function storedPast(context: AppContext, life: BranchingParts['life']): Past {
  const { sessions, state, dispatch, report, addNotice, now } = context
  return {
    points: () => rewindPoints(stored()),
    async goBack(to, words, onDone) {
      const events = stored()
      const points = rewindPoints(events)
      const { turns } = to
      const next = points[turns]
      const cut = next && { prompts: points.map(({ sent }) => sent), kept: turns }
      await life.copy(() => {
        begin(next ? events.slice(0, next.index) : events, to, words)
        onDone()
      }, cut)
    },
  }

  function stored(): readonly AgentEvent[] {
    sessions?.flush()
    return sessions?.read(sessions.current().id)?.events ?? []
  }

  function begin(events: readonly AgentEvent[], { turns: turn, isRewind }: GoneBack, words: string): void {
    const from = sessions?.current().id
    if (!sessions || from === undefined) return
    const former = state().chat
    sessions.begin({ parent: { id: from, turn, ...(isRewind && { isRewind: true as const }) }, events })
    const chat = events.reduce(reduce, initialChat)
    // The screen already shows everything.
    dispatch({ type: 'session_restored', chat, shown: chat.entries.length })
    report([...breakOff(chat, now(), true), ...snapshotOf(former, now())])
    addNotice('info', words)
  }
}

const LEFT = 'Later turns stay in the previous session: /resume finds it.'

/** Characters of a prompt that a sentence quotes. */
const SHOWN = 60

function beginning(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line.length > SHOWN ? `${line.slice(0, SHOWN).trimEnd()} ...` : line
}

function timeOfDay(at: number): string {
  return new Date(at).toTimeString().slice(0, 5)
}
