/** The transcript: the whole conversation, to read, search and copy. */
import { readCall } from '../../../src/app/context/full-transcript.ts'
import type { PageRequests } from '../../../src/app/pages/pages.ts'
import type { Page } from '../page.ts'
import { transcriptEffects } from './effects.ts'
import { transcriptKeys } from './keys.ts'
import { takesText, transcriptAfter } from './moves.ts'
import { createTranscriptReader, type TranscriptReading } from './reading.ts'
import { transcriptCaret, transcriptRows } from './rows.ts'
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
  initial: () => initialTranscript,
  reader({ context }, request) {
    const read = createTranscriptReader(tool => readCall(context.sessions ?? null, tool))
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
