/** /serve: who sees the conversations in a browser, and who wants to. */
import type { ServePageRequest } from '../../../src/app/pages/pages.ts'
import type { Page } from '../page.ts'
import { serveEffects } from './effects.ts'
import { serveKeys } from './keys.ts'
import { serveAfter } from './moves.ts'
import { createServeReader, type ServeReading } from './reading.ts'
import { serveRows } from './rows.ts'
import { askAboutServer } from './spoken.ts'
import { initialServe, type ServeMove, type ServeState, type ServeWork } from './state.ts'

export const serve: Page<ServeState, ServeMove, ServeWork, ServeReading, ServePageRequest> = {
  keys: serveKeys,
  initial: ({ server }) => initialServe(server.state(), 0),
  reader: createServeReader,
  after: serveAfter,
  rows: serveRows,
  effects: serveEffects,
  spoken: askAboutServer,
  load: async () => (await import('./ServePage.tsx')).ServePage,
}
