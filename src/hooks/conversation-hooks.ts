/** The hooks of a conversation, as the program uses them. */
import type { HookedAgent } from './hooked-agent.ts'
import type { Hooks } from './hooks.ts'
import type { PromptHooks } from './prompts.ts'

export type ConversationHooks = { hooks: Hooks; prompts: PromptHooks } & Pick<HookedAgent, 'doubtOf'>
