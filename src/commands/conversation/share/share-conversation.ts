/** Asks before a conversation is shared, has the server make the link, and copies it. */
import type { CommandApp } from '../../../app/command-app.ts'
import { fullTranscript } from '../../../app/context/full-transcript.ts'
import type { LocalServer, LocalServerState } from '../../../app/context/local-server.ts'
import { transcriptOf } from '../../../export/transcript.ts'
import { folderLabel } from '../../../platform/project.ts'
import { laterTime } from '../../../text/clock-time.ts'
import { whatGoesOut } from './what-goes-out.ts'

const HOUR = 3_600_000
const times = [
  { label: 'For an hour', ms: HOUR },
  { label: 'For a day', ms: 24 * HOUR },
  { label: 'For a week', ms: 7 * 24 * HOUR },
] as const
const USUAL = 1
/** Milliseconds for the server to make a link. */
const PATIENCE = 5000

type ShareView = Extract<LocalServerState, { phase: 'running' }>['view']['shares'][number]

export async function shareConversation(app: CommandApp): Promise<void> {
  const { context } = app
  const { hint, addProgramNotice, openLocalServer, sessions } = context
  const server = await openLocalServer?.()
  const state = server?.state()
  if (!server || state?.phase !== 'running')
    return addProgramNotice('info', 'A share needs the server for browsers.', '/serve https://... starts it.')
  if (state.view.at === null) {
    const words = 'A share needs the address of a tunnel: nobody else reaches this machine.'
    return addProgramNotice('info', words, '/serve off, then /serve https://...')
  }
  // A conversation that runs in the background is in the session of its own process.
  const session = context.backend.holder?.session() ?? sessions?.current().id ?? null
  if (session === null || context.state().chat.entries.length + (context.state().chat.open === null ? 0 : 1) === 0)
    return hint('There is no conversation to share yet.')
  ask(app, server, session)
}

function ask(app: CommandApp, server: LocalServer, session: string): void {
  const { context, choicePrompt, redraw } = app
  const { sessions, host, now } = context
  const folder = host?.folder ?? null
  const title = sessions?.current().title() ?? ''
  const transcript = transcriptOf(fullTranscript(context).chat, { id: session, title, folder })
  const cancelled = context.preview(whatGoesOut(transcript, folderLabel(folder ?? '', host?.home ?? '')))
  const cancel = (): void => {
    cancelled('Not shared.')
    redraw()
  }
  const answers = times.map(({ label, ms }) => ({
    label,
    detail: `until ${laterTime(now() + ms, now())}, or until you end it in /serve`,
    run: () => void share(app, server, { session, endsAt: now() + ms }),
  }))
  const not = { label: 'Do not share it', detail: 'nobody reads it', run: cancel }
  choicePrompt.ask({ title: 'share to read', answers: [...answers, not], selected: USUAL, otherwise: cancel })
}

async function share(
  { context, clipboard }: CommandApp,
  server: LocalServer,
  wanted: { session: string; endsAt: number },
): Promise<void> {
  const made = await newShare(server, wanted)
  if (typeof made === 'string') return context.addProgramNotice('warn', `Not shared: ${made}`)
  const copied = await clipboard.copy(made.link, 'the link')
  const until = laterTime(made.endsAt, context.now())
  context.addProgramNotice(
    'info',
    `Shared to read until ${until}. ${copied}`,
    '/serve lists it, copies it and ends it.',
  )
}

/** The share that appears once the server has made it; or why there is none, as a sentence. */
function newShare(server: LocalServer, wanted: { session: string; endsAt: number }): Promise<ShareView | string> {
  const known = new Set(sharesOf(server).map(({ id }) => id))
  const { promise, resolve } = Promise.withResolvers<ShareView | string>()
  const look = (): void => {
    const state = server.state()
    if (state.phase !== 'running') return resolve('The server has ended.')
    // A share says no session: its end is known to the millisecond.
    const found = state.view.shares.find(({ id, endsAt }) => !known.has(id) && endsAt === wanted.endsAt)
    if (found) resolve(found)
    else if (state.view.problem !== '') resolve(state.view.problem)
  }
  const unsubscribe = server.subscribe(look)
  const timer = setTimeout(() => resolve('The server does not answer.'), PATIENCE)
  server.act({ do: 'share', ...wanted })
  return promise.finally(() => {
    clearTimeout(timer)
    unsubscribe()
  })
}

function sharesOf(server: LocalServer): readonly ShareView[] {
  const state = server.state()
  return state.phase === 'running' ? state.view.shares : []
}
