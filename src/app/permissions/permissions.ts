/** Joins the parts of permissions, and orders their questions: the mode when a call needs it, calls, forms, a side question, then a plan. */
import type { AgentEvent } from '../../agent/event.ts'
import { isStricter } from '../../agent/permission.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'
import type { EventBatcher } from '../events/batcher.ts'
import type { Turns } from '../turns/turns.ts'
import { CallQuestions } from './calls.ts'
import { FormQuestions } from './forms.ts'
import { createJudge, noRules, withFolders, type CallJudge, type JudgePlace, type RuleStore } from './judge.ts'
import { createModes, type Modes, type ModeStart } from './modes.ts'
import { createQuestionPanel, type After, type AskedQuestion, type QuestionPanel } from './panel.ts'
import { createPlanApproval, type PlanApproval } from './plan-approval.ts'

export type PermissionOptions = {
  start: ModeStart
  place: JudgePlace
  store: RuleStore
  /** Looks up paths, so that `place.resolve` knows them. Absent if it knows all paths. */
  lookUp?: (paths: readonly string[]) => Promise<void>
  /** Why commands cannot be contained here, and what to do; null if they can. Never rejects. Absent where they cannot. */
  findSandboxProblem?: () => Promise<string | null>
}

export type Permissions = {
  panel: QuestionPanel
  modes: Modes
  judge: CallJudge
  /** Asks the questions of `source`, after calls and forms. Returns a function that reads `source` again. */
  alsoAsk: (source: () => AskedQuestion | null) => () => void
  /** Judges the waiting calls again: the rules have changed. */
  judgeAgain: () => void
  answerCall: CallQuestions['answerCall']
  /** The questions that wait, and answers to them from outside the panel. */
  calls: Pick<CallQuestions, 'waiting' | 'answerBeside'>
  forms: Pick<FormQuestions, 'waiting' | 'answerBeside'>
  plan: Pick<PlanApproval, 'waiting' | 'changeBeside'>
  /** Called when the conversation was replaced, with its waiting calls. */
  followResent: () => void
  /** Gives the agent the mode and the rules, before it starts. */
  begin: () => void
}

export type PermissionsParts = {
  context: AppContext
  batcher: Pick<EventBatcher, 'subscribe' | 'flush'>
  choicePrompt: ChoicePrompt
  turns: Pick<Turns, 'queue'>
  /** Null if nothing runs. */
  options: PermissionOptions | null
  after?: After | undefined
  /** Switches to the next of the agent's own modes; false if it has none. */
  ownModes: () => boolean
  /** The rows of the question's content, and how many of them are visible. */
  room: () => { rows: number; visible: number }
}

const NO_GIT = { reason: 'git does not run here', isPartial: false, programs: [], settings: [] }

const NO_SANDBOX = 'there is no sandbox here'

/** Nothing runs, so nothing is asked about. */
const withoutQuestions: PermissionOptions = {
  start: { mode: 'allow', isChosen: true, remember: null },
  place: { folder: '/', home: '/', own: [], resolve: path => path, exists: () => true, git: () => NO_GIT },
  store: noRules,
}

export function createPermissions(parts: PermissionsParts): Permissions {
  const { context, batcher, choicePrompt, turns, after, room, ownModes } = parts
  const options = parts.options ?? withoutQuestions
  const { backend } = context
  const panel = createQuestionPanel(context, { room, ...(after && { after }) })
  const modes: Modes = createModes({
    context,
    choicePrompt,
    start: options.start,
    ownModes,
    findSandboxProblem: options.findSandboxProblem ?? (async () => NO_SANDBOX),
    onChange: changed,
    refresh,
  })
  let isLoaded = false
  let other: (() => AskedQuestion | null) | null = null
  const place = withFolders(options.place, () => context.state().chat.folders)
  const judge = createJudge(modes.mode, place, options.store, context.hooks?.doubtOf)
  const calls = new CallQuestions({ context, judge, refresh, nextMode: modes.next })
  const forms = new FormQuestions(context, refresh)
  const planApproval = createPlanApproval({ context, turns, mode: modes.mode, use: modes.use, refresh })
  batcher.subscribe(events => {
    if (events.some(({ type }) => type === 'agent_started')) followAgent()
    if (judgesBeside()) followHolder(events)
    planApproval.follow(events)
    refresh()
  })
  return {
    panel,
    modes,
    judge,
    judgeAgain: () => calls.judgeAgain(),
    answerCall: (id, isAllowed) => calls.answerCall(id, isAllowed),
    calls,
    forms,
    plan: planApproval,
    begin,
    alsoAsk,
    followResent,
  }

  function alsoAsk(source: () => AskedQuestion | null): () => void {
    other = source
    return refresh
  }

  function refresh(): void {
    panel.show(modes.asked(calls.undecided()) ?? calls.asked() ?? forms.asked() ?? other?.() ?? planApproval.asked())
  }

  /** Another agent may have taken over: it gets the mode. If it has only its own modes, ours is hidden. */
  function followAgent(): void {
    applyRules()
    const isReported = context.state().chat.permissionMode !== null
    if (isReported && !backend.abilities.has('setPermissionMode'))
      context.report([{ type: 'permission_mode_changed', at: context.now(), mode: null }])
    if (!isReported && backend.abilities.has('judgeWith')) backend.setPermissionMode(modes.mode())
  }

  function followResent(): void {
    const { permissionMode } = context.state().chat
    if (permissionMode !== null) modes.follow(permissionMode)
    applyRules()
    if (isLoaded) calls.judgeAgain()
    refresh()
  }

  function changed(): void {
    batcher.flush()
    calls.judgeAgain()
  }

  /** True if another process holds the agent and judges its calls. The grants of this one may answer its questions. */
  function judgesBeside(): boolean {
    return !backend.abilities.has('judgeWith') && backend.abilities.has('setPermissionMode')
  }

  /** Another attached program may have switched the mode. */
  function followHolder(events: readonly AgentEvent[]): void {
    for (const event of events)
      if (event.type === 'permission_mode_changed' && event.mode !== null) modes.follow(event.mode)
    if (isLoaded && events.some(({ type }) => type === 'permission_requested')) calls.judgeAgain()
  }

  /** Lets the agent ask by the rules, if it can. */
  function applyRules(): void {
    if (!backend.abilities.has('judgeWith') && !judgesBeside()) return
    backend.judgeWith(judge.decide)
    if (!isLoaded) void judge.load().then(() => calls.judgeAgain())
    isLoaded = true
  }

  function begin(): void {
    if (!backend.abilities.has('judgeWith')) return
    applyRules()
    const mode = modes.mode()
    const { isChosen, isNow = false, carried } = options.start
    const isCarried = carried !== undefined && carried !== mode && isStricter(carried, mode)
    backend.startIn({ mode: isCarried ? carried : mode, isChosen: isChosen || isCarried, isNow })
    backend.setPermissionMode(mode)
    refresh()
  }
}
