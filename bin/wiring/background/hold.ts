/** Runs a prompt as `-p` does, and lets programs attach to it. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import process from 'node:process'
import type { Reply } from '../../../src/agent/backend.ts'
import { createJudge, withFolders } from '../../../src/app/permissions/judge.ts'
import { BackgroundServer } from '../../../src/background/server.ts'
import { createBackgroundPast } from '../../../src/background/past.ts'
import { type BackgroundPermissions, createBackgroundPermissions } from '../../../src/background/permissions.ts'
import { makeRecord, type MadeRecord } from '../../../src/background/make-record.ts'
import { dayClock, elapsedHere } from '../../../src/platform/ages.ts'
import { UserError } from '../../../src/platform/errors.ts'
import { gitBranch } from '../../../src/platform/project.ts'
import type { QuestionJudge } from '../../../src/published/answers/questions.ts'
import { startPrinting } from '../../../src/print/print.ts'
import type { PrintStop } from '../../../src/print/ending.ts'
import type { PrintWriter } from '../../../src/print/writer.ts'
import { openLog, statePath } from '../../../src/storage/log.ts'
import { RAISE_DAY } from '../../../src/storage/usage/raise-day.ts'
import { openQueueFile } from '../../../src/storage/sessions/queue-file.ts'
import { sentence } from '../../../src/text/sentence.ts'
import { createWorktrees } from '../../../src/worktrees/worktrees.ts'
import { hookedPrint, openKept, permissionsOf, promptOf, type PrintModeOptions } from '../print.ts'
import { dayCostOf } from '../day-cost.ts'
import type { HookedRun } from '../start/hooks.ts'
import { permissionOptions } from '../start/permissions.ts'
import { createSending } from './sending.ts'

/**
 * Holds a conversation until it ends, and resolves to the exit code. `argv` is the command line. `onBegun` gets the ID
 * once the agent has started. @throws UserError if the run fails.
 */
export async function hold(
  options: PrintModeOptions & { model?: string },
  argv: string[],
  onBegun: (id: string) => void,
): Promise<number> {
  const { folder, settings, demo, toolLimit, model } = options
  const log = openLog(() => new Date())
  const kept = options.keepsSession ? openKept(folder, options.secrets, 'background', line => log.write(line)) : null
  const session = () => kept?.sessions.current().id ?? null
  const day = dayCostOf(demo ? null : options.store)
  if (options.prompt !== null && day.isReached()) throw new UserError(`Not started: ${day.why()}.`, RAISE_DAY)
  const { backend, hooks } = await hookedPrint(options, session, line => log.write(line))
  // If a program answers questions, nobody else is asked.
  const asking = options.permissionTool === null ? await askingPermissions(options, hooks) : null
  const permissions = asking ?? (await permissionsOf({ ...options, backend }, hooks, line => log.write(line)))
  // An agent with its own permissions asks without any rules of zotui.
  const judge = asking?.judge ?? unjudged
  let id: string = randomUUID()
  let stop: ((why: PrintStop) => void) | null = null
  const background = new BackgroundServer({
    backend,
    welcome: () => ({ id, name: backend.name, folder, mode: asking?.mode() ?? null, demo, toolLimit, argv }),
    useMode: asking?.use ?? null,
    onStop: () => stop?.('interrupted'),
    onWatched: isWatched => kept?.sessions.show(isWatched),
    past:
      kept && createBackgroundPast({ backend, sessions: kept.sessions, printing: () => printing, now: dayClock.now }),
    hasPrompt: options.prompt !== null,
    sending: await createSending({
      ...options,
      hooks,
      mode: () => asking?.mode() ?? settings.permissions,
      sessions: kept?.sessions ?? null,
      chat: () => printing.chat(),
      day,
      publish: event => printing.publish([event]),
    }),
    shown: { branch: () => gitBranch(folder), home: homedir(), judge: options.permissionTool === null ? judge : null },
    queueFile:
      kept && openQueueFile({ stateFolder: statePath(), projectFolder: folder, onProblem: line => log.write(line) }),
    now: dayClock.now,
    elapsed: elapsedHere,
  })
  const server = createServer(socket => background.accept(socket))
  let record: MadeRecord | null = null
  const writer: PrintWriter = {
    ...background.writer,
    begins(chat, earlier) {
      id = kept?.sessions.current().id ?? id
      kept?.sessions.flush()
      background.writer.begins(chat, earlier)
    },
    onEvent(chat, event) {
      background.writer.onEvent(chat, event)
      if (event.type === 'agent_started' && model === undefined) publish()
      if (chat.open === null) dayClock.follow()
    },
  }
  process.on('exit', () => {
    record?.remove()
    kept?.sessions.close()
  })
  const printing = startPrinting({
    ...options,
    prompt: await promptOf(options, line => log.write(line)),
    backend,
    writer,
    permissions,
    hooks,
    sessions: kept?.sessions ?? null,
    ledger: kept?.ledger ?? null,
    memoryTokens: settings.memoryTokens,
    maxCost: settings.maxCostUsd,
    day,
    warn: line => log.write(line),
    stay: () => background.stay(),
    named: event => background.origins.named(event),
    ...(model !== undefined && { prepare: () => useModel(model) }),
  })
  ;({ stop } = printing)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop?.('interrupted'))
  const release = createWorktrees({ stateFolder: statePath(), env: process.env, now: Date.now }).use(folder)
  const end = await printing.ended
  release()
  background.end()
  server.close()
  record = ended(record)
  if (end.outcome === 'failed') throw new UserError(end.message, end.hint)
  return 0

  /** The one who asked for this model gets no conversation with another one. */
  async function useModel(id: string): Promise<Reply> {
    const reply = await backend.setModel(id)
    if (reply.ok) publish()
    return reply.ok ? reply : { ok: false, message: `${backend.name} does not use ${id}: ${sentence(reply.message)}` }
  }

  function publish(): void {
    if (record) return
    const made = makeRecord(statePath(), { id, folder, agent: backend.name, startedAt: Date.now() })
    record = made
    server.on('error', error => {
      log.write(String(error))
      stop?.('interrupted')
    })
    server.listen(made.socket, () => {
      made.publish()
      onBegun(id)
    })
  }
}

const unjudged: QuestionJudge = {
  judge: () => ({ verdict: 'ask', because: '', isUsual: true }),
  dangers: () => [],
}

function ended(record: MadeRecord | null): null {
  record?.remove()
  return null
}

async function askingPermissions(
  options: PrintModeOptions,
  hooks: Pick<HookedRun, 'doubtOf'> | null,
): Promise<BackgroundPermissions | null> {
  const { backend, store: settings, folder, demo } = options
  if (!backend.abilities.has('judgeWith')) return null
  const { start, place, store } = await permissionOptions({
    settings,
    folder,
    home: homedir(),
    demo,
    remote: null,
  })
  let folders: readonly string[] = []
  backend.subscribe(event => {
    if (event.type === 'folders_changed') ({ folders } = event)
  })
  const opened = withFolders(place, () => folders)
  return createBackgroundPermissions(start, current => createJudge(current, opened, store, hooks?.doubtOf))
}
