/** The transcript: the whole conversation, to read, search and copy. */
import { readCall } from '../../../src/app/context/full-transcript.ts'
import { readStoredCall } from '../../../src/app/context/stored-session.ts'
import type { PageRequests } from '../../../src/app/pages/pages.ts'
import type { Page } from '../page.ts'
import { transcriptEffects } from './effects.ts'
import { transcriptKeys } from './keys.ts'
import { takesText, transcriptAfter } from './moves.ts'
import { createTranscriptReader, type TranscriptReading } from './reading.ts'
import { transcriptCaret, transcriptRows } from './rows.ts'
import { conversationOfSession, nameOfSession, unread } from './session.ts'
import { listTurns } from './spoken.ts'
import { conversationOfTask, whoseConversation } from './task.ts'
import { initialTranscript, type TranscriptMove, type TranscriptState, type TranscriptWork } from './state.ts'

export const transcript: Page<
  TranscriptState,
  TranscriptMove,
  TranscriptWork,
  TranscriptReading,
  PageRequests['transcript']
> = {
  keys: transcriptKeys,
  initial: request =>
    request && 'session' in request ? { ...initialTranscript, session: unread(request.session) } : initialTranscript,
  reader({ context }, request) {
    const sessions = context.sessions ?? null
    if (request && 'session' in request) {
      const { session } = request
      const read = createTranscriptReader(tool =>
        sessions ? readStoredCall(sessions, session, tool) : readCall(null, tool),
      )
      const shown = conversationOfSession()
      return (state, app, look) =>
        state.session
          ? { ...read(state, shown(app, state.session), look), whose: nameOfSession(state.session) }
          : read(state, app, look)
    }
    const read = createTranscriptReader(tool => readCall(sessions, tool))
    if (request === null) return read
    const shown = conversationOfTask(request.task)
    const { task } = request
    return (state, app, look) => ({ ...read(state, shown(app), look), whose: whoseConversation(app, task) })
  },
  takesText,
  after: transcriptAfter,
  rows: transcriptRows,
  caret: transcriptCaret,
  effects: transcriptEffects,
  spoken: (request, parts, look) => listTurns(request, parts, look),
  load: async () => (await import('./TranscriptPage.tsx')).TranscriptPage,
}
