/** The panel of a side question: its title, its facts, and the choices for its answer. */
import { counted } from '../../text/counted.ts'
import type { SideContent } from '../../state/question.ts'
import { formatExactCost } from '../../text/format.ts'
import type { AskedQuestion } from '../permissions/panel.ts'

export type SideAnswer = {
  question: string
  phase: 'running' | 'done' | 'stopped' | 'failed'
  /** Markdown; '' while there is none. */
  answer: string
  /** Why it failed; null if `phase` says enough. */
  problem: string | null
  /** True if the user added it to the conversation. */
  isTaken: boolean
  /** The model, and the call that it is running. */
  facts: readonly string[]
  /** Calls that were refused. */
  refused: number
  /** In US dollars; null if unknown. */
  costUsd: number | null
}

export type SideMoves = {
  stop: () => void
  hide: () => void
  takeOver: () => void
  /** Begins or ends typing another question. */
  type: (on: boolean) => void
  askOn: (question: string) => void
}

const TITLES = {
  running: 'A side question is being answered',
  done: 'Side answer',
  stopped: 'The side answer was stopped',
  failed: 'The side question was not answered',
} as const

export function sideQuestion(side: SideAnswer, isTyping: boolean, moves: SideMoves): AskedQuestion {
  const base = { id: 'side', title: TITLES[side.phase], content: contentOf(side), leave: moves.stop }
  if (isTyping)
    return {
      ...base,
      step: 'words',
      answers: [],
      typed: {
        label: 'Follow-up question:',
        text: '',
        run: text => (text.trim() === '' ? undefined : moves.askOn(text)),
      },
      leave: () => moves.type(false),
    }
  const hide = {
    label: 'Close',
    detail: '/btw shows it again',
    move: 'leave',
    short: 'close',
    isMinor: true,
    run: moves.hide,
  } as const
  if (side.phase === 'running')
    return {
      ...base,
      step: 'running',
      answers: [
        { label: 'Close, and let it continue', detail: hide.detail, move: 'no', short: 'close', run: moves.hide },
        { label: 'Stop', detail: '', move: 'leave', run: moves.stop },
      ],
    }
  const canTake = side.answer !== '' && !side.isTaken
  return {
    ...base,
    step: 'over',
    // An Enter that was meant for something else must only close it.
    selected: canTake ? 2 : 1,
    answers: [
      ...(canTake
        ? ([{ label: 'Add it', detail: 'to the conversation', move: 'take_over', run: moves.takeOver }] as const)
        : []),
      {
        label: 'Ask a follow-up',
        detail: '',
        move: 'instead',
        short: 'follow up',
        isMinor: true,
        run: () => moves.type(true),
      },
      hide,
    ],
  }
}

/** The content by its answer: the same object for the same answer, because drawing Markdown is expensive. */
const made = new WeakMap<SideAnswer, SideContent>()

function contentOf(side: SideAnswer): SideContent {
  const content = made.get(side) ?? madeContent(side)
  made.set(side, content)
  return content
}

function madeContent({ question, answer, problem, facts, refused, costUsd, phase, isTaken }: SideAnswer): SideContent {
  const words = [
    ...(problem === null ? [] : [problem]),
    ...(refused === 0 ? [] : [`${counted(refused, 'call')} refused, because it is read-only`]),
    ...(phase === 'running' && facts.length === 0 ? ['starting a second agent, which is read-only'] : facts),
    ...(costUsd === null || costUsd === 0 ? [] : [formatExactCost(costUsd)]),
    ...(isTaken ? ['added'] : []),
  ]
  return { kind: 'side', question, answer, facts: words, isOver: phase !== 'running' }
}
