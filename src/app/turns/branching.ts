/**
 * Goes back in the conversation: a fork continues after an earlier turn, a rewind edits an earlier prompt. Either begins a new
 * session; later turns stay in the previous session. A rewind can also restore the files as they were.
 */
import type { SessionCut } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { reduce } from '../../conversation/reduce.ts'
import { initialChat } from '../../conversation/state.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'
import type { Composing } from '../composer/composing.ts'
import type { Starting } from './agent/starting.ts'
import type { FileRewind } from './file-rewind.ts'
import { breakOff, snapshotOf } from '../events/snapshot.ts'

export type Branching = {
  /** Asks after which turn to continue; `filter` narrows the list. */
  fork: (filter: string) => void
  /** Asks which prompt to edit; `undo` undoes the last restore of files. */
  rewind: (filter: string) => void
}

export type BranchingParts = {
  context: AppContext
  choicePrompt: ChoicePrompt
  starting: Pick<Starting, 'copy'>
  composing: Pick<Composing, 'edit'>
  files: FileRewind
}

/** A prompt that was sent, and its place among the events of the session. */
type RewindPoint = { index: number; turn: number; text: string; at: number; checkpoint: string | null }

export function createBranching({ context, choicePrompt, starting, composing, files }: BranchingParts): Branching {
  const { sessions, state, dispatch, tell, announce, hint, now } = context
  return {
    fork: filter =>
      choose('fork behind', filter, (events, places, place) => {
        const next = places.find(each => each.index > place.index)
        const words = `This is a fork, behind "${beginning(place.text)}".`
        if (!next) return void starting.copy(() => goBack(events, place.turn, words))
        const fork = (): void => goBack(events.slice(0, next.index), place.turn, `${words} ${LEFT}`)
        void starting.copy(fork, cutAt(places, place.turn))
      }),
    rewind(filter) {
      if (filter === 'undo') return void files.undo()
      choose('go back to before', filter, (events, places, place) => {
        const back = (): void => rewindTo(events, places, place)
        if (place.checkpoint === null || !context.checkpoints) return back()
        void files.ask(place.checkpoint, `go back to before "${beginning(place.text)}"`, back)
      })
    },
  }

  function rewindTo(events: readonly AgentEvent[], places: readonly RewindPoint[], place: RewindPoint): void {
    void starting.copy(
      () => {
        goBack(events.slice(0, place.index), place.turn - 1, `Back to before "${beginning(place.text)}". ${LEFT}`)
        if (state().editor.text === '') composing.edit({ kind: 'setText', text: place.text })
      },
      cutAt(places, place.turn - 1),
    )
  }

  function choose(
    title: string,
    filter: string,
    run: (events: readonly AgentEvent[], places: readonly RewindPoint[], place: RewindPoint) => void,
  ): void {
    sessions?.flush()
    const events = sessions?.read(sessions.current().id)?.events ?? []
    const places = placesIn(events)
    if (places.length === 0) return hint('There is no earlier prompt in this session yet.')
    const answers = places.toReversed().map(place => ({
      label: place.text.trim(),
      detail: `turn ${place.turn}, ${timeOfDay(place.at)}`,
      run: () => run(events, places, place),
    }))
    choicePrompt.ask({ title, answers, filter })
  }

  function goBack(events: readonly AgentEvent[], turn: number, words: string): void {
    const from = sessions?.current().id
    if (!sessions || from === undefined) return
    const { agent, agentSession } = state().chat
    sessions.begin({ parent: { id: from, turn }, events })
    const chat = events.reduce(reduce, initialChat)
    // All of it is on the screen already.
    dispatch({ type: 'session_restored', chat, shown: chat.entries.length })
    tell([...breakOff(chat, now(), true), ...snapshotOf(agent, now(), agentSession)])
    announce('info', words)
  }
}

const LEFT = 'Later turns stay in the previous session: /resume finds it.'

/** The prompts that the agent took. */
function placesIn(events: readonly AgentEvent[]): RewindPoint[] {
  const places: RewindPoint[] = []
  events.forEach((event, index) => {
    if (event.type === 'prompt_sent') {
      places.push({ index, turn: places.length + 1, text: event.text, at: event.at, checkpoint: null })
    }
    if (event.type === 'prompt_refused') places.pop()
    const last = places.at(-1)
    if (event.type === 'checkpoint_made' && last) last.checkpoint = event.id
  })
  return places
}

function cutAt(places: readonly RewindPoint[], kept: number): SessionCut {
  return { prompts: places.map(({ text }) => text), kept }
}

/** Characters of a prompt that a sentence quotes. */
const SHOWN = 60

function beginning(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line.length > SHOWN ? `${line.slice(0, SHOWN).trimEnd()} ...` : line
}

function timeOfDay(at: number): string {
  return new Date(at).toTimeString().slice(0, 5)
}
