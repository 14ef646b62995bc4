import type { HookedAgent } from './hooked-agent.ts'
import type { Hooks } from './hooks.ts'
import type { PromptHooks } from './prompts.ts'

export type ConversationHooks = { hooks: Hooks; prompts: PromptHooks } & Pick<HookedAgent, 'doubtOf'>
