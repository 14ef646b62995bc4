/** The list of earlier sessions: resumes, renames and deletes them. */
import type { Sessions } from '../../storage/sessions/sessions.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import { createAgentSessions } from './agent-sessions.ts'
import type { AppContext } from '../context/context.ts'
import type { Resuming } from '../turns/resuming.ts'
import { nameOf, sessionRows } from '../../state/pickers/session-rows.ts'
import type { SessionPicker } from '../../state/pickers/picker.ts'
import type { SessionSummary, SessionScope } from '../../conversation/queries/session/session-summary.ts'

export type SessionList = {
  open: (filter: string, scope?: SessionScope) => void
  /** Lists those of all folders, or of this one again. */
  widen: () => void
  /** Resumes the selected session. */
  take: () => void
  rename: () => void
  remove: () => void
  /** `/rename` renames the open session. */
  renameCurrent: (title: string) => void
}

/** The maximum of characters in a title. */
const LONGEST_TITLE = 200

export function createSessionList(context: AppContext, choicePrompt: ChoicePrompt, resuming: Resuming): SessionList {
  const { state, dispatch, hint, sessions } = context
  const agentSessions = createAgentSessions(context)
  return { open, widen, take, rename, remove, renameCurrent }

  function open(filter: string, scope: SessionScope = 'folder', selected = 0): void {
    if (!sessions) return
    const current = sessions.current().id
    show({ kind: 'sessions', scope, filter, selected, sessions: null, found: [], current })
    void fill(sessions, scope)
  }

  async function fill(from: Sessions, scope: SessionScope): Promise<void> {
    let shown: readonly SessionSummary[] | null = null
    const showSome = (listed: readonly SessionSummary[]): void => {
      const { picker } = state()
      // The list may have been closed or replaced meanwhile.
      if (picker?.kind !== 'sessions' || picker.scope !== scope || picker.sessions !== shown) return
      shown = listed
      show(withSessions(picker, listed))
    }
    // Own sessions are shown before those of other programs are found.
    const all = await from.list(scope, own => own.length > 0 && showSome(own))
    showSome(all)
    // The agent may take a second to answer.
    const ofAgent = await agentSessions.list(scope, all)
    if (ofAgent.length > 0) showSome([...all, ...ofAgent].toSorted((a, b) => b.at - a.at))
  }

  function show(picker: SessionPicker): void {
    dispatch({ type: 'picker_changed', picker })
  }

  function chosen(): { picker: SessionPicker; session: SessionSummary } | null {
    const { picker } = state()
    const session = picker?.kind === 'sessions' ? picker.found[picker.selected]?.session : undefined
    return picker?.kind === 'sessions' && session ? { picker, session } : null
  }

  function widen(): void {
    const { picker } = state()
    if (picker?.kind === 'sessions') open(picker.filter, picker.scope === 'folder' ? 'all' : 'folder')
  }

  function take(): void {
    const session = chosen()?.session
    if (!session) return
    dispatch({ type: 'picker_changed', picker: null })
    const ofAgent = agentSessions.find(session.id)
    if (ofAgent) return void resuming.openOfAgent(ofAgent)
    void resuming.resume(session.id)
  }

  function rename(): void {
    const row = chosen()
    if (!row) return
    const { picker, session } = row
    if (session.origin !== undefined) return hint(readOnly(session.origin))
    const again = (): void => open(picker.filter, picker.scope, picker.selected)
    const keep = { label: nameOf(session), detail: 'keeps its name', run: again }
    const run = (title: string): void => {
      if (sessions?.rename(session.id, cleaned(title))) again()
      else hint(IN_USE)
    }
    choicePrompt.ask({ title: 'new name', answers: [keep], typed: { detail: 'renames it', run }, otherwise: again })
  }

  function remove(): void {
    const row = chosen()
    if (!row) return
    const { picker, session } = row
    if (session.origin !== undefined) return hint(readOnly(session.origin))
    const again = (): void => open(picker.filter, picker.scope, picker.selected)
    const keep = { label: 'Keep it', detail: '', run: again }
    const drop = (): void => {
      if (sessions?.remove(session.id)) again()
      else hint(IN_USE)
    }
    const answers = [keep, { label: 'Delete it', detail: 'this cannot be undone', run: drop }]
    choicePrompt.ask({ title: `Delete "${nameOf(session).slice(0, 40)}"?`, answers, otherwise: again })
  }

  function renameCurrent(title: string): void {
    if (!sessions) return void renameBackground(cleaned(title))
    const { id, title: named } = sessions.current()
    if (title === '')
      return hint(named() === '' ? NO_TITLE : `This session is called "${named()}". /rename gives it another name.`)
    sessions.rename(id, cleaned(title))
    hint(`This session is now called "${named()}".`)
  }

  async function renameBackground(title: string): Promise<void> {
    if (title === '') return hint(NO_TITLE)
    const reply = await context.backend.holder?.rename(title)
    hint(reply?.ok ? `This session is now called "${title}".` : 'This session cannot be renamed now.')
  }

  function cleaned(title: string): string {
    return context.redact(title).trim().slice(0, LONGEST_TITLE)
  }
}

/** Updates the list; the selected row stays selected, wherever it moves. */
function withSessions(picker: SessionPicker, sessions: readonly SessionSummary[]): SessionPicker {
  const found = sessionRows(sessions, picker.filter)
  // The top row is selected until the user chooses one.
  const chosen = picker.selected > 0 ? picker.found[picker.selected]?.session.id : undefined
  const at = chosen === undefined ? -1 : found.findIndex(({ session }) => session.id === chosen)
  const selected = at >= 0 ? at : Math.min(picker.selected, Math.max(0, found.length - 1))
  return { ...picker, sessions, found, selected }
}

function readOnly(owner: string): string {
  return `Read-only: the session belongs to ${owner}.`
}

const NO_TITLE = 'This session has no name yet: /rename NAME sets one.'
const IN_USE = 'That session is open, here or in another zotui: nothing was changed.'
