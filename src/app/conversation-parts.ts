/** The parts that talk with the agent: the composer, turns, sessions and permissions. */
import type { EventParts } from './event-parts.ts'
import { createSessionChanges } from './changes/session-changes.ts'
import { createAttaching } from './composer/attaching.ts'
import { Composing } from './composer/composing.ts'
import { createImageReading } from './composer/image-reading.ts'
import { createSelectionCopy } from './composer/copy-selection.ts'
import { createChoicePrompt } from './context/choice-prompt.ts'
import { createClipboard } from './context/clipboard.ts'
import type { ControllerOptions } from './controller-options.ts'
import { createJudge } from './permissions/judge.ts'
import { createMentions } from './permissions/mentions.ts'
import { createPermissions } from './permissions/permissions.ts'
import { createIdleIndex } from './find/idle-index.ts'
import { createAgentSessions } from './pickers/agent-sessions.ts'
import { createConversationActions } from './pickers/conversation-actions.ts'
import { createRunningWork } from './pickers/running-work.ts'
import { createNewsKey } from './pickers/news.ts'
import { createAgentOptions } from './pickers/options.ts'
import { SideQuestions } from './side/side-questions.ts'
import { createBranching } from './turns/branching.ts'
import { createFileRewind } from './turns/file-rewind.ts'
import { Resuming } from './turns/resuming.ts'
import { Sending } from './turns/sending.ts'
import type { OfferFindings } from './turns/answer-use.ts'
import { Turns } from './turns/turns.ts'

export type ComposerParts = ReturnType<typeof createComposerParts>

export function createComposerParts({ context, leaving }: EventParts, options: ControllerOptions) {
  const { redraw, isShown = () => true, print = (text: string) => context.addProgramNotice('info', text) } = options
  const choicePrompt = createChoicePrompt(context)
  const clipboard = createClipboard(context.host)
  const images = createImageReading(context)
  const composing = new Composing(context, images)
  const mentions = createMentions(context, options.permissions)
  const changes = context.host ? createSessionChanges(context, context.host) : null
  if (changes) leaving.subscribe(changes.stop)
  const followChanges = changes?.follow ?? (() => () => undefined)
  const pages = options.pages({ context, choicePrompt, clipboard, followChanges, redraw, print })
  leaving.subscribe(pages.close)
  const show = (title: string, text: string): void => pages.open('help', { kind: 'text', title, text })
  const attaching = createAttaching({ context, composing, images, mentions, isShown, show })
  const selectionCopy = createSelectionCopy(context, composing, clipboard)
  return { choicePrompt, clipboard, images, composing, mentions, changes, pages, attaching, selectionCopy }
}

export type SessionParts = ReturnType<typeof createSessionParts>

export function createSessionParts(parts: EventParts & ComposerParts, options: ControllerOptions) {
  const { redraw } = options
  const { context, batcher, leaving, shell, choicePrompt, composing, pages } = parts
  const { changes } = parts
  const offerFindings: OfferFindings = async review => {
    const { offerFindings: offer, requestsOf } = await import('./changes/offer-findings.ts')
    await offer(context, requestsOf(context, changes), review)
  }
  const turns = new Turns({ ...parts, offerFindings })
  // A prompt on its way goes back into the queue, which is kept.
  leaving.subscribe(() => turns.machine.send({ type: 'left' }))
  const sending = new Sending(context, { turns, composing, shell })
  const files = createFileRewind(context, choicePrompt, redraw)
  const { life, machine } = turns
  const branching = createBranching({ context, choicePrompt, life, machine, composing, files })
  const resuming = new Resuming(context, turns)
  const agentSessions = createAgentSessions(context)
  const conversationActions = createConversationActions(context)
  const runningWork = createRunningWork(context, {
    showTask: task => pages.open('transcript', { task }),
    showText: (title, text) => pages.open('help', { kind: 'text', title, text }),
    showSide: () => turns.command('btw'),
  })
  const idleIndex = createIdleIndex(context)
  batcher.subscribe(events => events.forEach(idleIndex.onEvent))
  leaving.subscribe(idleIndex.stop)
  const own = { agentSessions, conversationActions, runningWork, pages }
  const pickers = options.pickers.create({ context, turns, composing, choicePrompt, resuming, ...own })
  return { turns, sending, branching, resuming, pickers, news: createNewsKey(context, conversationActions) }
}

export type PermissionParts = ReturnType<typeof createPermissionParts>

export function createPermissionParts(parts: EventParts & ComposerParts & SessionParts, options: ControllerOptions) {
  const { context, batcher, leaving, choicePrompt } = parts
  const { after, permissions: permissionOptions, startSide, secrets = [] } = options
  const room = options.questionRoom ?? (() => ({ rows: 0, visible: 1 }))
  const agentOptions = createAgentOptions({ ...context, flush: batcher.flush }, choicePrompt)
  const ownModes = agentOptions.nextMode
  const permissions = createPermissions({ ...parts, options: permissionOptions, after, room, ownModes })
  const judge = permissionOptions && createJudge(() => 'read', permissionOptions.place, permissionOptions.store)
  const side = startSide && judge ? new SideQuestions({ ...parts, judge, startSide, secrets, permissions }) : undefined
  if (side) leaving.subscribe(async () => side.close())
  return { agentOptions, permissions, side }
}
