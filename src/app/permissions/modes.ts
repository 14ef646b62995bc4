/** The permission mode: keeps and switches it, and asks for it before the first call in a folder that needs a decision. */
import type { Backend } from '../../agent/backend.ts'
import type { PermissionMode } from '../../agent/permission.ts'
import { nextMode, wordsOfMode } from '../../permissions/modes.ts'
import { offeredModes, otherModes } from '../../state/question.ts'
import { messageOf } from '../../platform/errors.ts'
import { sentence } from '../../text/sentence.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'
import type { AskedQuestion } from './panel.ts'

export type ModeStart = {
  /** The mode to begin with. */
  mode: PermissionMode
  /** Whether the user chose it. Otherwise the first call that needs a decision asks for the mode first. */
  isChosen: boolean
  /** Whether they named it for this start. */
  isNow?: boolean
  /** The mode that the agent of another conversation was in, which an agent with modes of its own begins in if it is stricter. */
  carried?: PermissionMode
  /** Remembers the mode for this folder; null if nothing is stored. */
  remember: ((mode: PermissionMode) => Promise<void>) | null
}

export type Modes = {
  mode: () => PermissionMode
  /** Switches to this mode for this session. `allow` is confirmed the first time, and whenever calls wait. */
  use: (mode: PermissionMode) => void
  /** Switches in the same way, and stores the mode for the next start in this folder. */
  keep: (mode: PermissionMode) => void
  next: () => void
  /** The mode before plan mode: `/plan off` returns to it. */
  beforePlan: () => PermissionMode
  /** Called when the mode was switched by another program. */
  follow: (mode: PermissionMode) => void
  /** The question before the first call, in a few words, that waits for a decision; null if none does, or a mode was chosen. */
  asked: (call: string | null) => AskedQuestion | null
}

/** An agent with a judge asks, though not in modes of ours; one without asks nothing. */
function noModes(backend: Pick<Backend, 'name' | 'abilities' | 'unasked'>): string {
  const { name, abilities } = backend
  const doubt = backend.unasked()
  if (doubt) return sentence(doubt.words)
  return abilities.has('judgeWith')
    ? `${name} has no modes: it decides what it asks.`
    : `${name} does not ask before it runs something.`
}

export type ModesParts = {
  context: AppContext
  choicePrompt: ChoicePrompt
  start: ModeStart
  /** Switches to the next of the agent's own modes; false if it has none. */
  ownModes: () => boolean
  /** Why commands cannot be contained here, and what to do; null if they can. Never rejects. */
  findSandboxProblem: () => Promise<string | null>
  /** Called after each switch, and when the question was answered. */
  onChange: () => void
  /** Updates the question. */
  refresh: () => void
}

export function createModes({
  context,
  choicePrompt,
  start,
  ownModes,
  findSandboxProblem,
  onChange,
  refresh,
}: ModesParts): Modes {
  const { backend, hint, host, state } = context
  let mode: PermissionMode = start.mode
  let beforePlan: PermissionMode = 'ask'
  // An agent that cannot ask has no modes.
  let isChosen = start.isChosen || !backend.abilities.has('setPermissionMode')
  let allowConfirmed = start.mode === 'allow'
  let isMoreOpen = false

  return {
    mode: () => mode,
    use: target => begin(target, false),
    keep: target => begin(target, true),
    next,
    beforePlan: () => beforePlan,
    follow: set,
    asked,
  }

  /** Whether commands of the agent can be contained. */
  function hasSandbox(): boolean {
    return backend.abilities.has('sandbox')
  }

  function begin(target: PermissionMode, isKept: boolean): void {
    if (target === 'contained') return void contain(isKept && start.remember !== null)
    const keeps = isKept && start.remember !== null
    const waiting = state().chat.questions.length
    if (target !== 'allow') return change(target, keeps)
    if (allowConfirmed && !keeps && waiting === 0) return change(target)
    const also = waiting === 0 ? '' : ', waiting calls too'
    const always = { label: 'always', detail: 'in this folder, also after a restart', run: () => confirm(true) }
    choicePrompt.ask({
      title: 'allow everything?',
      answers: [
        { label: 'no', detail: `stay in mode ${mode}`, run: () => {} },
        {
          label: 'yes',
          detail: `everything runs without asking in this session${also}`,
          run: () => confirm(false),
        },
        ...(keeps ? [always] : []),
      ],
    })
  }

  /** Enters the mode if commands can be contained here. */
  async function contain(keeps: boolean): Promise<void> {
    if (!hasSandbox())
      return hint(`Mode contained needs the sandbox, and the commands of ${backend.name} do not run in it here.`)
    const problem = await findSandboxProblem()
    if (problem !== null)
      return context.addProgramNotice(
        'warn',
        `Mode contained was not entered: ${sentence(problem)} /permissions ask works without the sandbox.`,
      )
    change('contained', keeps)
  }

  function confirm(keeps: boolean): void {
    allowConfirmed = true
    change('allow', keeps)
  }

  function set(target: PermissionMode): void {
    if (target === 'plan' && mode !== 'plan') beforePlan = mode
    mode = target
  }

  function change(target: PermissionMode, keeps = false): void {
    isChosen = true
    set(target)
    backend.setPermissionMode(mode)
    onChange()
    if (keeps) remember()
    hint(keeps ? `Mode ${mode}, from now on in this folder.` : `Mode ${mode}: ${wordsOfMode(mode).about}.`)
  }

  function remember(): void {
    start.remember?.(mode).catch((problem: unknown) => {
      context.addProgramNotice('warn', `The mode was not saved: ${sentence(messageOf(problem))}`)
    })
  }

  function next(): void {
    if (ownModes()) return
    if (!backend.abilities.has('setPermissionMode')) return hint(noModes(backend))
    if (mode === 'read') return hint('Mode read: nothing is changed. /permissions switches it.')
    // A mode that the key only passes through must not decide the waiting calls.
    const isAsked = state().chat.questions.length > 0
    enter(isAsked ? (mode === 'ask' ? 'edits' : 'ask') : nextMode(mode, { allowConfirmed, hasSandbox: hasSandbox() }))
  }

  function enter(target: PermissionMode): void {
    if (target === 'contained') void contain(false)
    else change(target)
  }

  function asked(call: string | null): AskedQuestion | null {
    if (isChosen || call === null) return null
    const folder = state().startup.folder || (host?.folder ?? '')
    const rows = (isMoreOpen ? otherModes : offeredModes(hasSandbox())).map(each => ({
      label: each as string,
      detail: wordsOfMode(each).about,
      move: null,
      run: () => choose(each),
    }))
    const more = {
      label: 'more',
      detail: `${otherModes.join(', ')}: see what they mean`,
      move: null,
      run: () => show(true),
    }
    return {
      id: 'mode',
      step: isMoreOpen ? 'more' : 'mode',
      title: 'What may the agent do without asking?',
      content: { kind: 'mode', folder, call, isMore: isMoreOpen },
      answers: isMoreOpen ? rows : [...rows, more],
      leave: () => (isMoreOpen ? show(false) : choose('ask')),
    }
  }

  function show(more: boolean): void {
    isMoreOpen = more
    refresh()
  }

  /** A choice is stored, also that of Esc, so that the folder's next start does not ask again. */
  function choose(target: PermissionMode): void {
    allowConfirmed = target === 'allow'
    change(target)
    remember()
  }
}
