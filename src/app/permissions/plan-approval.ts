/** The plan that a turn in plan mode ended with, and the answers to it. */
import type { AgentEvent } from '../../agent/event.ts'
import type { PermissionMode } from '../../agent/permission.ts'
import { lastTurn } from '../../conversation/queries/last-turn.ts'
import type { Turn } from '../../conversation/state.ts'
import { promptEntry, type PromptEntry } from '../../state/composer/queue-entry.ts'
import type { AppContext } from '../context/context.ts'
import type { Turns } from '../turns/turns.ts'
import type { AskedQuestion } from './panel.ts'

export type PlanApproval = {
  /** Called after each batch of events. */
  follow: (events: readonly AgentEvent[]) => void
  asked: () => AskedQuestion | null
  /** The plan that waits for an answer; null for none. */
  waiting: () => string | null
  /** Asks for another plan from outside the panel; false if none waits. `entry` says what to change. */
  changeBeside: (entry: PromptEntry, from: string) => boolean
}

export type PlanApprovalParts = {
  context: AppContext
  turns: Pick<Turns, 'queue'>
  mode: () => PermissionMode
  use: (mode: PermissionMode) => void
  refresh: () => void
}

export function createPlanApproval({ context, turns, mode, use, refresh }: PlanApprovalParts): PlanApproval {
  const { state, report, now } = context
  /** The plan that the user dismissed with Esc. */
  let dismissed: string | null = null
  /** True while the user types a change to the plan. */
  let isTyping = false
  return { follow, asked, waiting, changeBeside }

  function follow(events: readonly AgentEvent[]): void {
    if (mode() !== 'plan' || !events.some(({ type }) => type === 'turn_ended')) return
    const { chat, queue } = state()
    const turn = lastTurn(chat.entries)
    // Nobody asked for a plan in a turn that the agent began itself. A queued prompt already says what comes next.
    if (turn?.outcome !== 'done' || turn.unprompted || chat.open || queue.entries.length > 0) return
    const text = lastText(turn)
    if (text === '' || chat.plan !== null) return
    dismissed = null
    isTyping = false
    report([{ type: 'plan_proposed', at: now(), text }])
  }

  function waiting(): string | null {
    const { plan, open } = state().chat
    return plan === null || open || plan === dismissed ? null : plan
  }

  function changeBeside(entry: PromptEntry, from: string): boolean {
    if (waiting() === null) return false
    isTyping = false
    report([{ type: 'plan_answered', at: now(), answer: 'changed', from }])
    refresh()
    turns.queue.say(entry)
    return true
  }

  function asked(): AskedQuestion | null {
    const plan = waiting()
    if (plan === null) return null
    const base = { id: 'plan', content: { kind: 'plan', text: isShown(plan) ? null : plan } as const }
    if (isTyping) {
      return {
        ...base,
        step: 'words',
        title: 'Change the plan',
        answers: [],
        typed: { label: 'Tell the agent what to change:', text: '', run: change },
        leave: () => type(false),
      }
    }
    return {
      ...base,
      step: 'answer',
      title: 'Continue with this plan?',
      answers: [
        {
          label: 'Yes, edit files without asking',
          detail: 'mode edits',
          move: 'yes',
          short: 'edits',
          run: () => accept('edits'),
        },
        {
          label: 'Yes, ask before each edit',
          detail: 'mode ask',
          move: 'again',
          short: 'ask',
          run: () => accept('ask'),
        },
        {
          label: 'Change the plan',
          detail: 'say what to change',
          move: 'instead',
          short: 'change',
          run: () => type(true),
        },
        { label: 'No, drop it', detail: 'stay in mode plan', move: 'no', short: 'drop', run: reject },
      ],
      leave() {
        dismissed = plan
        refresh()
      },
    }
  }

  /** True if it is already shown as the answer of the last turn. */
  function isShown(plan: string): boolean {
    const turn = lastTurn(state().chat.entries)
    return turn !== undefined && lastText(turn) === plan.trim()
  }

  function type(on: boolean): void {
    isTyping = on
    refresh()
  }

  function accept(next: 'ask' | 'edits'): void {
    report([{ type: 'plan_answered', at: now(), answer: 'accepted', mode: next }])
    use(next)
    turns.queue.say(promptEntry(ACCEPTED))
  }

  function change(words: string): void {
    if (words.trim() === '')
      return context.hint(`Type what to change${context.keyed(', or press {typed.question_leave}')}.`)
    isTyping = false
    report([{ type: 'plan_answered', at: now(), answer: 'changed' }])
    refresh()
    turns.queue.say(promptEntry(words.trim()))
  }

  function reject(): void {
    report([{ type: 'plan_answered', at: now(), answer: 'rejected' }])
    refresh()
  }
}

const ACCEPTED = 'I accept the plan. Carry it out.'

/** The text after the last call of a turn: its answer. */
function lastText(turn: Turn): string {
  const parts = [...turn.parts].filter(part => !part.withdrawn && (part.kind === 'text' || part.kind === 'tool'))
  const from = parts.findLastIndex(part => part.kind === 'tool') + 1
  return parts
    .slice(from)
    .flatMap(part => (part.kind === 'text' ? [part.text] : []))
    .join('')
    .trim()
}
