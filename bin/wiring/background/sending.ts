/** What a conversation in the background needs to send the prompts of its queue itself. */
import { homedir } from 'node:os'
import process from 'node:process'
import type { AgentEvent } from '../../../src/agent/event.ts'
import type { HeldEntry } from '../../../src/agent/held-queue.ts'
import type { PermissionMode } from '../../../src/agent/permission.ts'
import { machineFiles } from '../../../src/app/mentions/machine-files.ts'
import { createMentionReader, nothingAttached, type MentionReader } from '../../../src/app/mentions/mention-reader.ts'
import { createMentionPermit, withinFolders } from '../../../src/app/permissions/mention-permit.ts'
import { createTurnCheckpoints } from '../../../src/app/turns/turn-checkpoints.ts'
import type { BackgroundServerOptions } from '../../../src/background/server.ts'
import type { PreparedPrompt } from '../../../src/background/queue/sender.ts'
import { createCheckpoints } from '../../../src/checkpoints/checkpoints.ts'
import { withFolders } from '../../../src/checkpoints/with-folders.ts'
import { memoryFor } from '../../../src/conversation/queries/session/digest.ts'
import type { ChatState } from '../../../src/conversation/state.ts'
import { dayClock } from '../../../src/platform/ages.ts'
import { mentioningPart } from '../../../src/state/composer/carried-entry.ts'
import { statePath } from '../../../src/storage/log.ts'
import { createRedactor } from '../../../src/storage/sessions/secrets.ts'
import type { Sessions } from '../../../src/storage/sessions/sessions.ts'
import type { DayCost } from '../../../src/storage/usage/day-cost.ts'
import { RAISE_DAY } from '../../../src/storage/usage/raise-day.ts'
import type { PrintModeOptions } from '../print.ts'
import type { HookedRun } from '../start/hooks.ts'
import { permissionOptions } from '../start/permissions.ts'

export type SendingOptions = Pick<PrintModeOptions, 'folder' | 'settings' | 'store' | 'secrets' | 'demo'> & {
  hooks: Pick<HookedRun, 'prompts'> | null
  mode: () => PermissionMode
  sessions: Sessions | null
  /** The limit of the day, of all conversations. */
  day: Pick<DayCost, 'isReached' | 'why'>
  chat: () => ChatState
  publish: (event: AgentEvent) => void
}

export async function createSending(options: SendingOptions): Promise<BackgroundServerOptions['sending']> {
  const { settings, hooks, chat, publish, secrets, day } = options
  const { redact } = createRedactor(secrets)
  const { all, inside } = await mentionReaders(options)

  const isTurnOver = (): boolean => settings.maxCostUsd !== null && (chat().usage.costUsd ?? 0) >= settings.maxCostUsd

  return {
    prepare,
    stopPreparing: () => void hooks?.prompts.stop(),
    files: options.sessions && !options.demo ? checkpointsOf(options) : null,
    memory: () => memoryFor(chat(), settings.memoryTokens) ?? null,
    limit: {
      isReached: () => isTurnOver() || day.isReached(),
      isTurnOver,
      words: () =>
        isTurnOver() ? 'The cost limit is reached: the queue waits.' : `The queue waits: ${day.why()}. ${RAISE_DAY}`,
    },
    compactAt: () => settings.compactAt,
    publish,
  }

  async function prepare(entry: HeldEntry): Promise<PreparedPrompt> {
    const { text, before, from } = entry
    const checked = hooks?.prompts.apply() === true ? await hooks.prompts.check(text) : null
    if (checked?.ok === false) return checked
    const reader = from === undefined ? all : inside
    const attached = (await reader.read(mentioningPart(entry))) ?? nothingAttached
    const notes = (checked?.context ?? []).map(redact)
    const prompt = {
      text,
      images: [...imagesOf(entry), ...attached.images],
      before: [...before, ...notes, ...attached.texts],
      files: attached.files,
      ...(from !== undefined && { from }),
      ...(attached.resources.length > 0 && { resources: attached.resources }),
    }
    return { ok: true, prompt, onSent: () => checked?.onSent() }
  }
}

/** An image that appears twice is sent once: its label identifies it. */
function imagesOf({ chips }: HeldEntry) {
  const images = chips.flatMap(chip => (chip.kind === 'image' && chip.image ? [[chip.label, chip.image] as const] : []))
  return [...new Map(images).values()]
}

/** `inside` reads only files of the conversation's folders. */
async function mentionReaders(options: SendingOptions): Promise<{ all: MentionReader; inside: MentionReader }> {
  const { folder, settings, store, demo, mode, chat } = options
  const permissions = await permissionOptions({ settings: store, folder, home: homedir(), demo, remote: null })
  const permit = createMentionPermit(permissions, mode)
  const reading = { ...machineFiles(undefined), limits: () => settings }
  const within = withinFolders(permit, () => [permissions.place.folder, ...chat().folders])
  return {
    all: createMentionReader({ ...reading, permit }),
    inside: createMentionReader({ ...reading, permit: within }),
  }
}

/** The files are kept before a prompt of the queue as before one of a UI. */
function checkpointsOf({ folder, store, secrets, sessions, chat, publish }: SendingOptions) {
  const { redact } = createRedactor(secrets)
  const here = { home: homedir(), stateFolder: statePath(), env: process.env, now: Date.now }
  const open = (each: string) => createCheckpoints({ ...here, folder: each })
  return createTurnCheckpoints({
    backend: { holder: null },
    checkpoints: withFolders(open(folder), open),
    sessions: sessions ?? undefined,
    sessionId: () => sessions?.current().id ?? null,
    settings: store,
    state: () => ({ chat: chat() }),
    redact,
    report: events => events.forEach(publish),
    addProgramNotice: (level, text, hint) =>
      publish({
        type: 'remark_made',
        at: dayClock.now(),
        level,
        text,
        hint: hint ?? null,
        markdown: false,
        aside: true,
      }),
    now: dayClock.now,
  })
}
