/** One machine decides when a prompt goes out: none slips into a gap between two parts, and none is lost in one. */
import { expect, test } from 'vitest'
import type { ConversationHooks } from '../../../src/hooks/conversation-hooks.ts'
import type { PromptCheck } from '../../../src/hooks/prompts.ts'
import type { Journals } from '../../../src/app/context/draft-store.ts'
import { accepted, ended, stops } from '../../conversation/events.ts'
import type { Unsent } from '../../../src/storage/journal/drafts.ts'
import { queueOf, startedStage, type StageParts } from '../stage.ts'

/** Hooks that are asked about each prompt, and answer when the test says so. */
function slowHooks() {
  const waiting: ((check: PromptCheck) => void)[] = []
  const hooks: ConversationHooks = {
    prompts: {
      begin: () => undefined,
      apply: () => true,
      check: () => new Promise(resolve => void waiting.push(resolve)),
      stop: () => false,
    },
    hooks: { close: () => undefined } as unknown as ConversationHooks['hooks'],
    doubtOf: () => null,
  }
  const allow = (): void => waiting.shift()?.({ ok: true, context: [], onSent: () => undefined })
  return { parts: { hooks } satisfies StageParts, allow }
}

test('Send now while a fresh agent is on its way waits for that one', async () => {
  const { backend, asked, settle, say, type, press } = await startedStage()
  backend.waits = true
  await say('/restart')
  await type('hello')
  await press('ctrl+enter')
  expect(asked()).toEqual(['replace'])
  backend.letThrough()
  await settle()
  expect(asked()).toEqual(['prompt hello'])
})

test('Send now while hooks are asked about a prompt does not send two at once', async () => {
  const { parts, allow } = slowHooks()
  const { backend, asked, settle, say, type, press, state } = await startedStage(undefined, parts)
  await say('one')
  await type('two')
  await press('ctrl+enter')
  expect(asked()).toEqual([])
  allow()
  await settle()
  // As if it had come a moment later: it stops the turn.
  expect(asked()).toEqual(['prompt one', 'abort'])
  backend.end(accepted, stops('aborted'), ended)
  await settle()
  allow()
  await settle()
  expect(asked()).toEqual(['prompt two'])
  expect(queueOf(state())).toEqual({ entries: [], paused: false })
})

test('a prompt that hooks are asked about when zotui exits is in the queue that is kept', async () => {
  const { parts } = slowHooks()
  const saved: Unsent[] = []
  const journals: Journals = {
    history: { recent: () => [], all: () => [], images: () => new Map(), append: () => undefined },
    drafts: { adopted: null, save: unsent => void saved.push(unsent), flushSync: () => undefined },
  }
  const { controller, say, state } = await startedStage(undefined, { ...parts, journals })
  await say('one')
  expect(state().queue.entries).toEqual([])
  await controller.leave()
  expect(saved.at(-1)?.queue).toEqual(['one'])
})

test('an agent that is woken while it is being ended is started again', async () => {
  const { backend, controller, asked, settle, state } = await startedStage()
  backend.waits = true
  controller.suspendAgent()
  controller.restartAgent()
  await settle()
  backend.letThrough()
  await settle()
  expect(asked()).toEqual(['close', 'open'])
  expect(state().chat.agent.phase).toBe('ready')
})
