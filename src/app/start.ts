/** Starts a conversation: restores the draft, opens the session, then starts the agent. */
import type { SessionScope } from '../conversation/queries/session/session-summary.ts'
import type { createProjectTrust } from './settings/project-trust.ts'
import type { ImageReading } from './composer/image-reading.ts'
import type { AppContext } from './context/context.ts'
import type { Permissions } from './permissions/permissions.ts'
import type { Pickers } from './pickers/pickers.ts'
import type { SessionChanges } from './changes/session-changes.ts'
import type { MovedSession, Resuming } from './turns/resuming.ts'
import type { Turns } from './turns/turns.ts'

/**
 * A request to resume a session, or to choose one of those that match a text. `moved`: it has come from another machine; `isKnown` if its agent
 * knows it here, because the agent's own session came along.
 */
export type SessionRequest =
  | { kind: 'resume'; id: string; moved?: MovedSession }
  | { kind: 'choose'; filter: string; scope: SessionScope }

/**
 * Starts the agent, and sends `prompt` as soon as it is ready. `session` resumes an earlier session or lists them.
 * `greet` is called when the screen will keep its announcements.
 */
export type StartConversation = (prompt: string | null, session?: SessionRequest | null, greet?: () => void) => void

export type StartParts = {
  context: AppContext
  turns: Turns
  permissions: Permissions
  pickers: Pick<Pickers, 'open'>
  images: Pick<ImageReading, 'restore'>
  resuming: Pick<Resuming, 'begin'>
  changes: Pick<SessionChanges, 'begin'> | null
  projectTrust: ReturnType<typeof createProjectTrust>
}

export function createStart(parts: StartParts): StartConversation {
  const { context, turns, permissions, pickers, images, resuming, changes, projectTrust } = parts
  return (prompt, session = null, greet = () => {}) => {
    // A resumed session replaces everything on the screen.
    if (session?.kind !== 'resume') greet()
    if (session?.kind === 'choose') pickers.open('sessions', session)
    const restored = context.drafts.restore()
    images.restore(context.drafts.images())
    void context.promptCommands.read()
    if (prompt !== null) context.drafts.remember(prompt)
    const begin = (): void => {
      permissions.begin()
      if (context.state().leaving) return
      if (session?.kind === 'resume') greet()
      if (restored !== null) context.addProgramNotice('info', restored)
      context.hooks?.prompts.begin(session?.kind === 'resume' ? 'resume' : 'startup')
      turns.begin(prompt)
      changes?.begin()
      turns.files.begin()
      projectTrust.sayLeftOut()
    }
    if (session?.kind === 'resume') void resuming.begin(session.id, session.moved).then(begin)
    else begin()
  }
}
