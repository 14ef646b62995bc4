/** Makes the conversations after the first one. */
import { resolve } from 'node:path'
import process from 'node:process'
import type { Backend, StartOptions } from '../../../src/agent/backend.ts'
import { isStricter, type PermissionMode } from '../../../src/agent/permission.ts'
import type { PermissionOptions } from '../../../src/app/permissions/permissions.ts'
import type { NewConversation } from '../../../src/app/context/conversations.ts'
import type { StartSide } from '../../../src/app/context/agents.ts'
import type { BackgroundStart } from '../../../src/app/context/background.ts'
import { knownAgents } from '../../../src/agents/acp/known-agents.ts'
import { MEERKAT } from '../../../src/agents/meerkat/program.ts'
import { ROZ } from '../../../src/agents/roz/name.ts'
import type { MovedParts } from '../../../src/program/moving.ts'
import { folderLabel, gitBranch } from '../../../src/platform/project.ts'
import type { ProgramOptions } from '../../../src/program/conversations.ts'
import { chosenMeaning } from '../../../src/state/agent-options.ts'
import { initialState, type Startup } from '../../../src/state/state.ts'
import { createAppStore, type ConversationStore } from '../../../src/state/app-store.ts'
import { statePath } from '../../../src/storage/log.ts'
import { worktreeAt } from '../../../src/worktrees/record.ts'
import { startOf } from '../../cli/background-arguments.ts'
import type { Conversation } from '../../../src/program/conversation.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { orReason } from '../start/or-reason.ts'
import type { Remote } from '../start/remote.ts'
import type { OpenAgent } from './options.ts'
import { permissionOptions } from '../start/permissions.ts'
import { makeConversation, type ConversationParts, type ConversationStart } from './make-conversation.ts'

/** A new conversation takes the theme and the permission mode of the one that is shown. */
export function createConversationMaker(
  parts: ConversationParts,
): Pick<ProgramOptions, 'make' | 'attach' | 'makeMoved' | 'canStart'> {
  const { options, program, machines, now } = parts
  const { home, settings, demo } = options
  let last = 1
  const firstAgent = options.backend.name
  return { make, attach, makeMoved, canStart }

  async function make(asked: NewConversation): ReturnType<ProgramOptions['make']> {
    return orReason(async () => {
      const { openAgent } = options
      if (!openAgent) return { ok: false, message: 'there is no other conversation here' }
      const { on } = asked
      if (demo && typeof on === 'string') return { ok: false, message: 'the demo runs on this machine only' }
      const remote = await machineOf(asked)
      try {
        return { ok: true, value: await makeOn(remote, asked, openAgent) }
      } catch (error) {
        if (remote) machines.release(remote)
        throw error
      }
    })
  }

  /** `remote` is held for it. */
  async function makeOn(
    remote: Remote | null,
    { folder: typed, agent, mode }: NewConversation,
    openAgent: OpenAgent,
  ): Promise<Conversation> {
    const { store: shown, folder: shownFolder, machine, start: startOfShown } = program.shown()
    const folder = remote ? remote.key : resolve(typed ?? (machine ? process.cwd() : shownFolder))
    const isSameMachine = (remote?.name ?? null) === (machine?.name ?? null)
    const [opened, permissions] = await Promise.all([
      openAgent({ agent, folder, start: isSameMachine ? startOfShown() : undefined, remote }),
      permissionOptions({ settings, folder, home, demo, remote }),
    ])
    const place = remote
      ? { folder: remote.label, place: remote.survey.folder, branch: remote.survey.branch }
      : placeOf(folder)
    const { chat } = shown.get()
    const here = chat.permissionMode ?? undefined
    // A looser mode is chosen for a machine: another one has its own.
    const begin = mode ?? (isSameMachine ? here : undefined)
    const own = begin === undefined ? (here ?? chosenMeaning(chat.options)) : undefined
    const start = begins(permissions, opened.backend, heldOn(remote, begin), heldOn(remote, own))
    return makeConversation(parts, { ...opened, ...start, store: storeFor(place), remote, folder })
  }

  /** The machine for a new conversation, held for it; null for this one. */
  async function machineOf({ on, folder, signal, onProgress }: NewConversation): Promise<Remote | null> {
    const { store, folder: here, machine } = program.shown()
    if (typeof on !== 'string') {
      const known = on === null ? undefined : machines.withKey(folder ?? here)
      return known ? machines.hold(known) : null
    }
    const hinted = (words: string): void => store.dispatch({ type: 'hinted', hint: oneLine(sanitize(words)) })
    if (!onProgress) hinted(`Connecting to ${on}…`)
    try {
      return await machines.open(on, {
        settings,
        zot: null,
        folder: resolve(folder ?? (machine ? process.cwd() : here)),
        progress: onProgress ?? hinted,
        signal: signal ?? new AbortController().signal,
      })
    } finally {
      store.dispatch({ type: 'hinted', hint: null })
    }
  }

  async function attach(id: string): ReturnType<ProgramOptions['attach']> {
    return orReason(async () => {
      const { attachTo } = await import('../background/attach.ts')
      const { backend, welcome } = await attachTo(id)
      const { folder, mode, toolLimit } = welcome
      const permissions = await permissionOptions({ settings, folder, home, demo: welcome.demo, remote: null })
      const place = { ...placeOf(folder), demo: welcome.demo, toolLimit }
      // The host and the key of its own command line, not of this one.
      const { provider, model, reasoning } = settings.values()
      const own = { provider: provider ?? '', model: model ?? '', reasoning: reasoning ?? '' }
      const startSide = sideOf(welcome.name, folder, startOf(welcome.argv, own))
      const of = { backend, agents: undefined, startSide, remote: null }
      const start = { ...of, store: storeFor(place), folder, permissions, backgroundId: welcome.id }
      return { ok: true, value: makeConversation(parts, { ...start, mode: mode ?? undefined }) }
    })
  }

  function canStart(agent: string): boolean {
    return isKnownAgent(agent) || agent === firstAgent
  }

  async function makeMoved(
    start: BackgroundStart,
    { state, ready }: MovedParts,
  ): ReturnType<ProgramOptions['makeMoved']> {
    const { folder, session, mode, agent = '' } = start
    const isKnown = isKnownAgent(agent)
    // An agent without a name of its own is that of the command line.
    const { agent: _agent, ...unnamed } = start
    const [{ movedAgent }, permissions] = await Promise.all([
      import('../background/attach.ts'),
      permissionOptions({ settings, folder, home, demo, remote: null }),
    ])
    const [name = ''] = agent.split(' ', 1)
    const backend = movedAgent(name, options.argv, isKnown ? start : unnamed, ready)
    const made = {
      backend,
      agents: undefined,
      remote: null,
      startSide: sideOf(agent, folder, start.start),
      folder,
      permissions,
      mode,
      backgroundId: session ?? '',
    }
    return { ok: true, value: makeConversation(parts, { ...made, store: createAppStore(state()) }) }
  }

  /** Starts a second agent in this process for an agent that another process runs. */
  function sideOf(agent: string, folder: string, start: StartOptions | undefined): StartSide {
    return async () =>
      orReason(async () => {
        const named = isKnownAgent(agent) ? agent : undefined
        const opened = await options.openAgent?.({ agent: named, folder, start, remote: null })
        return opened?.startSide?.() ?? { ok: false, message: `a second ${agent} cannot be started here` }
      })
  }

  /** A worktree is shown as its project: the branch distinguishes them. */
  function placeOf(folder: string): Pick<Startup, 'folder' | 'place' | 'branch'> {
    const project = worktreeAt(statePath(), folder)?.from ?? folder
    return { folder: folderLabel(project, home), place: folder, branch: gitBranch(folder) }
  }

  function storeFor(place: Partial<Startup>): ConversationStore {
    const { startup, themes, detail, thoughts, statusFacts, sandbox, customStatus } = program.shown().store.get()
    last += 1
    const first = initialState({ ...startup, ...place, conversation: last }, now(), themes, detail)
    return createAppStore({
      ...first,
      thoughts,
      statusFacts,
      sandbox,
      customStatus: customStatus && { text: '', problem: null },
    })
  }
}

/** Commands can be held in a sandbox on this machine only. */
const heldOn = (remote: Remote | null, mode: PermissionMode | undefined): PermissionMode | undefined =>
  remote && mode === 'contained' ? 'ask' : mode

/**
 * The mode to begin in: `mode`, or else the one that the agent of the conversation before was in, if that is stricter. An agent with modes
 * of its own begins in the one that does the same.
 */
function begins(
  permissions: PermissionOptions,
  { abilities }: Pick<Backend, 'abilities'>,
  mode: PermissionMode | undefined,
  own: PermissionMode | undefined,
): Pick<ConversationStart, 'permissions' | 'mode'> {
  if (own === undefined || !isStricter(own, permissions.start.mode)) return { permissions, mode }
  if (abilities.has('setPermissionMode')) return { permissions, mode: own }
  return { permissions: { ...permissions, start: { ...permissions.start, carried: own } }, mode }
}

/** Words may follow the name. */
function isKnownAgent(words: string): boolean {
  const [name = ''] = words.split(' ', 1)
  return ['zot', MEERKAT.name, ROZ.name, ...knownAgents.map(known => known.name)].includes(name)
}
