/** Asks for the missing key of a provider, lets the agent store it, and restarts the agent. */
import type { KeyProvider } from '../../../agent/backend.ts'
import { sentence } from '../../../text/sentence.ts'
import type { ChoicePrompt } from '../../context/choice-prompt.ts'
import type { AppContext } from '../../context/context.ts'
import type { EventBatcher } from '../../events/batcher.ts'
import type { AgentLifecycle } from './agent-lifecycle.ts'
import type { Starting } from './starting.ts'

export type FirstKeyParts = {
  context: Pick<AppContext, 'backend' | 'state' | 'announce'>
  batcher: Pick<EventBatcher, 'subscribe'>
  life: Pick<AgentLifecycle, 'login'>
  starting: Pick<Starting, 'restartWith'>
  choicePrompt: ChoicePrompt
}

export function followFirstKey({ context, batcher, life, starting, choicePrompt }: FirstKeyParts): void {
  const { backend, state, announce } = context
  batcher.subscribe(events => {
    const end = events.findLast(event => event.type === 'agent_ended')
    if (end?.lacks === 'credential') askProvider()
  })

  function askProvider(): void {
    const { keys, login, name } = backend
    // A user who types is not interrupted: Enter is meant for the draft.
    if (!keys || state().editor.text !== '') return
    const known = keys.providers.map(provider => ({
      label: provider.title,
      detail: `type a key; ${name} stores it`,
      run: () => askKey(provider),
    }))
    const itself = {
      label: 'log in',
      detail: `in ${name} itself, also with a subscription`,
      run: () => void life.login(),
    }
    const another = { label: 'another provider', detail: 'shows what to set', run: tellVariables }
    const later = { label: 'not now', detail: '/login or /restart does it later', run: () => undefined }
    const answers = [...known, ...(login ? [itself] : []), another, later]
    choicePrompt.ask({ title: `${name} needs a key: for which provider?`, answers, dismissOnType: true })
  }

  function askKey(provider: KeyProvider): void {
    choicePrompt.ask({
      title: `key for ${provider.title}`,
      answers: [],
      isSecret: true,
      typed: { detail: `test it, and let ${backend.name} store it`, run: key => void keep(provider, key.trim()) },
      otherwise: () =>
        announce('info', `No key was stored. You can set ${provider.variable} in the environment instead.`),
    })
  }

  async function keep(provider: KeyProvider, key: string): Promise<void> {
    const kept = await backend.keys?.keep(provider.name, key)
    if (!kept) return
    if (!kept.ok) {
      announce('warn', sentence(kept.message), 'Nothing was stored.')
      return askKey(provider)
    }
    const { file, untried } = kept.value
    const trial = untried === null ? `${provider.title} accepted the key.` : `The key could not be tested: ${untried}.`
    announce('info', `${trial} ${backend.name} stores it in ${file}.`)
    await starting.restartWith({ provider: provider.name })
  }

  function tellVariables(): void {
    announce(
      'info',
      'Set the variable of the provider, such as GEMINI_API_KEY or DEEPSEEK_API_KEY, and start zotui again.',
      `/login lets ${backend.name} ask for the key itself.`,
    )
  }
}
