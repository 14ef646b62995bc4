/**
 * One machine for an agent and its turn: what is in progress, what comes in, and what is to be done. All of it is data, and
 * `step.ts` is the only code that changes it. `app/turns/turn-machine.ts` keeps it, and carries out the effects.
 *
 * From Enter to the agent a prompt is in exactly one place:
 * 1. In the composer, until it is sent. From then on it is in the history.
 * 2. In the queue, if it waits. An entry that is being edited is in the composer, and keeps its place.
 * 3. In `preparing`, while hooks judge it and files are read; it stays with the drafts. If the agent is not free after that, it goes back
 *    before the queue; if a hook refuses it, into the composer, or into a paused queue.
 * 4. In `steers`, if it is for the running turn, from then on until it is known what became of it. What the agent has not got is in the
 *    queue or in the composer after that (`steer-steps.ts`).
 * 5. With the agent. A prompt that the agent refuses, or whose turn is cut off, stands in the conversation, and `/retry` sends it again.
 */
import type { OwnSession, SessionCut, StartOptions, SteerOutcome } from '../agent/backend.ts'
import type { ProviderErrorKind } from '../conversation/queries/provider-error.ts'
import type { Compaction, Turn } from '../conversation/state.ts'
import type { PromptEntry, QueueEntry, WaitingSteer } from '../state/composer/queue-entry.ts'
import type { EditedEntry, Queue } from '../state/state.ts'

/**
 * What is in progress, as far as only the machine knows. The state of the agent's process, its open turn and the queue are in the
 * app's state; the machine reads them in each step (`Seen`) and keeps no copy.
 */
export type TurnMachine = {
  /** Numbers what is prepared and requested, so that a late or repeated answer is known. */
  count: number
  preparing: PromptOnItsWay | null
  request: AgentRequest | null
  /** The change of the agent in progress, and those that begin after it. */
  change: AgentChange | null
  waiting: readonly AgentChange[]
  /** The work beside which nothing is sent, such as reading a session. */
  work: { id: number } | null
  /** True if the first entry of the queue goes out as soon as possible, also from a paused queue. */
  isUrgent: boolean
  /** The session in which the next start continues, if it is not simply the agent's own. */
  session: OwnSession | undefined
  /** The time of the last restart that nobody asked for. */
  restartedAt: number
  /** True if the agent was lost while it was being changed: a restart is offered after that. */
  owesOffer: boolean
  /** True if the cost limit has stopped the turn. */
  isLimited: boolean
  /** The ends of turns that count only when it is known what became of their steers: these go before the queue. */
  ends: readonly EndOfTurn[]
  /** The steers that came back into the queue and are still there. */
  returned: readonly Pick<WaitingSteer, 'id' | 'entry'>[]
}

/** A prompt that has left the queue and is not with the agent: hooks judge it, and files are read. */
export type PromptOnItsWay = {
  id: number
  /** Null for the last prompt, which is sent again. It is in the conversation, and in no queue. */
  entry: QueueEntry | null
}

/** What the agent was asked for and has not settled. */
export type AgentRequest = {
  id: number
  kind: 'prompt' | 'compaction' | 'clear'
  /** `due`: the window is nearly full. `overflow`: it was too full for the last prompt. */
  why: 'request' | 'due' | 'overflow'
  /** What the prompt was in the queue; null for the last prompt, which is sent again. */
  entry?: QueueEntry | null
  /** The caller that waits for it. */
  caller?: number | undefined
  /** True if the agent that has it has ended. */
  isOrphan?: boolean
}

export type AgentChange = {
  id: number
  operation: ChangeOperation
  /** True if the queue is paused first, because it was meant for the agent that is replaced. */
  holdsQueue: boolean
}

export type ChangeOperation =
  /** Starts the agent. */
  | { kind: 'open' }
  /** Ends the idle agent. */
  | { kind: 'suspend' }
  /** Kills it and starts a fresh one. */
  | { kind: 'kill' }
  /** Starts a fresh one, which takes over as soon as it answers. */
  | { kind: 'exchange'; options: StartOptions }
  /** Lets it continue in a copy of its session, or in a part of that. */
  | { kind: 'copy'; cut: SessionCut | undefined }
  /** Replaces it by another agent. */
  | { kind: 'switch'; words: string }
  /** Lets it continue in its own session of this conversation, now or at its next start. */
  | { kind: 'resume'; session: OwnSession | undefined }
  /** Ends it and starts it again, because the login has changed. */
  | { kind: 'reopen' }

/** What the app's state says at the moment of a step. */
export type Seen = {
  agent: 'off' | 'starting' | 'ready'
  /** The open turn or compaction. A turn may have begun without a request: by another program, or by the agent itself. */
  open: { kind: 'turn' | 'compaction'; isStopping: boolean } | null
  /** True while a session is read. */
  isReading: boolean
  isLeaving: boolean
  queue: Queue
  edited: EditedEntry | null
  steers: readonly WaitingSteer[]
  /** True if a text that comes back replaces nothing in the composer. */
  isComposerFree: boolean
  /** True if no new turn may begin, since a cost limit is reached. */
  isLimitReached: boolean
  /** True if the turn that runs must not go on either: the limit of a day lets it end. */
  isTurnOverLimit: boolean
  /** True if one more turn may begin beside those of other conversations. */
  mayBegin: boolean
}

export type EndedTurn = { outcome: Turn['outcome']; error: ProviderErrorKind }

/** How a request ended. */
export type Settled =
  /** `fullness` is the share of the window that is used, if that is a reason to compact; otherwise null. */
  | ({ of: 'turn'; canCompact: boolean; fullness: number | null } & EndedTurn)
  /** The agent was lost before it confirmed the prompt, which is nowhere in the conversation. */
  | { of: 'lost prompt' }
  /** `last` is the last turn before it. */
  | { of: 'compaction'; outcome: Compaction['outcome']; last: EndedTurn | null }
  | { of: 'clear'; ok: boolean }

type EndOfTurn = Extract<Input, { type: 'settled' | 'turn_ended' }>

export type Input =
  // What the person requests.
  | { type: 'said'; entry: QueueEntry }
  | { type: 'queued'; entry: QueueEntry }
  /** It goes before the queue, which waits for the user, or for what continues it. */
  | { type: 'put_off'; entry: QueueEntry }
  | { type: 'send_now'; entry: QueueEntry | null }
  | { type: 'unpaused' }
  /** An entry of the queue goes out, and the others wait as they did. */
  | { type: 'kept_due'; entry: QueueEntry }
  /** Words for the running turn; null for the first entry of the queue. */
  | { type: 'steered'; entry: PromptEntry | null }
  /** The newest steer is taken back, to be edited. */
  | { type: 'steer_taken' }
  /** An entry of the queue was edited in its place; `goesOn` if the edit is over. */
  | { type: 'queue_edited'; goesOn: boolean }
  | { type: 'newest_taken' }
  | { type: 'newest_replaced'; entry: QueueEntry }
  | { type: 'stopped' }
  | { type: 'retried' }
  | { type: 'compacted'; caller: number }
  | { type: 'cleared'; caller: number }
  | { type: 'change_requested'; change: AgentChange }
  | { type: 'work_requested'; id: number }
  | { type: 'limit_raised'; wasStopped: boolean }
  | { type: 'left' }
  // What comes of effects, now or later or never.
  | { type: 'prepared'; id: number; outcome: Preparation }
  | { type: 'settled'; id: number; how: Settled }
  | { type: 'steer_prepared'; id: number; outcome: Extract<Preparation, 'ready' | 'refused' | 'returned'> }
  | { type: 'steer_settled'; id: number; outcome: SteerOutcome }
  | { type: 'change_settled'; id: number }
  | { type: 'work_settled'; id: number; drains: 'well' | 'badly' | 'not' }
  | { type: 'command_done' }
  | { type: 'session_requested'; session: OwnSession }
  // What the agent reports, and other conversations.
  | { type: 'agent_started' }
  | { type: 'agent_ended'; at: number; isExpected: boolean; isLost: boolean }
  /** `ofNewTurn`: of one that the agent has begun itself. */
  | { type: 'step_begun'; ofNewTurn: boolean }
  /** `isOwn`: the agent had begun it itself. */
  | { type: 'turn_ended'; isGood: boolean; isOwn: boolean }
  | { type: 'turn_allowed' }

/**
 * `ready`: it can be sent. `ran`: it was a command, which was started. `refused`: it goes back into the queue, which waits for the
 * user. `returned`: it is in the composer again. `dropped`: it is not sent, and was in no queue.
 */
export type Preparation = 'ready' | 'ran' | 'refused' | 'returned' | 'dropped'

export type Effect =
  | { type: 'set_queue'; queue: Queue; edited: EditedEntry | null }
  /** The entry that has left the queue and is not with the agent: until it is, it is kept with the drafts. */
  | { type: 'set_on_its_way'; entry: QueueEntry | null }
  /** They are kept with the drafts, too. */
  | { type: 'set_steers'; steers: readonly WaitingSteer[] }
  /** Writes the drafts to the disk, and with them the queue. */
  | { type: 'save_drafts' }
  | { type: 'prepare'; id: number; entry: QueueEntry | null }
  /** Sends what was prepared. */
  | { type: 'send'; id: number }
  /** Sends the last prompt as it was. */
  | { type: 'send_again'; id: number }
  | { type: 'prepare_steer'; id: number; entry: PromptEntry }
  /** Sends what was prepared to the running turn. */
  | { type: 'steer'; id: number }
  | { type: 'withdraw_steer'; id: number }
  | { type: 'fill_composer'; text: string }
  | { type: 'compact'; id: number }
  | { type: 'clear'; id: number }
  | { type: 'abort' }
  | { type: 'change'; change: AgentChange }
  /** A change is the same as the one in progress: its caller waits for that. */
  | { type: 'join'; id: number; to: number }
  | { type: 'work'; id: number }
  /** A request that cannot be met now. */
  | { type: 'refuse'; caller: number }
  | { type: 'answer'; caller: number; ok: boolean }
  | { type: 'after_prompt'; step: AfterPrompt }
  | { type: 'ask_limit'; wasStopped: boolean }
  | { type: 'offer_restart'; inTurn: boolean }
  | { type: 'offer_ways'; error: ProviderErrorKind }
  /** A restart that nobody asked for. */
  | { type: 'restart' }
  | { type: 'add_notice'; level: 'info' | 'warn'; text: string }
  | { type: 'hint'; text: string | null }

/** What follows each prompt, in this order, before it is decided what comes next. */
export const afterPrompt = ['mark_files', 'take_back_outputs', 'use_answer'] as const
export type AfterPrompt = (typeof afterPrompt)[number]

export const idleMachine: TurnMachine = {
  count: 0,
  preparing: null,
  request: null,
  change: null,
  waiting: [],
  work: null,
  isUrgent: false,
  session: undefined,
  restartedAt: Number.NEGATIVE_INFINITY,
  owesOffer: false,
  isLimited: false,
  ends: [],
  returned: [],
}
