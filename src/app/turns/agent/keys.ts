/**
 * `/login` and `/logout` of an agent with a store of keys: asks for the key of a provider, or which login to remove, and restarts the
 * agent. An agent without a key is asked about, too.
 */
import type { KeyProvider, StoredLogin } from '../../../agent/backend.ts'
import { hostOf } from '../../../text/host.ts'
import { sentence } from '../../../text/sentence.ts'
import type { ChoicePrompt } from '../../context/choice-prompt.ts'
import type { Notices } from '../../context/notices.ts'
import type { AgentPart, ScreenState } from '../../context/parts.ts'
import type { EventBatcher } from '../../events/batcher.ts'
import type { AgentLifecycle } from './agent-lifecycle.ts'
import type { AskLogin } from './asked-login.ts'

export type KeysParts = {
  context: AgentPart & ScreenState & Notices
  batcher: Pick<EventBatcher, 'subscribe'>
  life: Pick<AgentLifecycle, 'login' | 'logOut' | 'restart' | 'reopen'>
  choicePrompt: ChoicePrompt
  askLogin: AskLogin
}

/** An agent without a store of keys logs in and out by itself. */
export type Keys = { logIn: () => Promise<void>; logOut: () => Promise<void> }

export function createKeys({ context, batcher, life, choicePrompt, askLogin }: KeysParts): Keys {
  const { backend, state, addNotice } = context
  const isUp = (): boolean => state().chat.agent.phase !== 'ended'
  batcher.subscribe(events => {
    if (events.some(event => event.type === 'agent_started')) choicePrompt.review()
    const end = events.findLast(event => event.type === 'agent_ended')
    if (end?.lacks === 'credential') void askProvider(`${backend.name} needs a key: for which provider?`, true)
  })
  return {
    async logIn() {
      if (backend.keys) await askProvider('a key for which provider?', false)
      else if (!askLogin()) await life.login()
    },
    async logOut() {
      if (backend.keys) await askWhatToForget()
      else await life.logOut()
    },
  }

  async function askProvider(title: string, isUnasked: boolean): Promise<void> {
    const { keys, name } = backend
    const canLogIn = backend.abilities.has('login')
    const providers = (await keys?.providers()) ?? []
    // A user who types is not interrupted: Enter is meant for the draft. The list may also come when the agent runs again.
    if (!keys || (isUnasked && (state().editor.text !== '' || isUp()))) return
    const known = providers.map(provider => ({
      label: provider.title,
      detail: 'type a key',
      run: () => askKey(provider),
    }))
    const itself = {
      label: 'log in',
      detail: `with a subscription; opens ${name}, its tools off`,
      run: () => void life.login(),
    }
    const variables = { label: 'by a variable', detail: 'shows what to set', run: showVariables }
    const later = { label: 'not now', detail: '/login or /restart does it later', run: () => undefined }
    const ways = canLogIn ? [itself] : []
    const answers = [...known.slice(0, MOST_USED), ...ways, ...known.slice(MOST_USED), variables, later]
    choicePrompt.ask({ title, answers, dismissOnType: isUnasked, stillApplies: () => !isUnasked || !isUp() })
  }

  function askKey(provider: KeyProvider): void {
    const { baseUrl = '' } = backend.startOptions()
    const where = baseUrl === '' ? '' : ` at ${hostOf(baseUrl)}`
    choicePrompt.ask({
      title: `key for ${provider.title}`,
      answers: [],
      isSecret: true,
      typed: {
        detail: `test it${where}, and let ${backend.name} store it`,
        run: key => void keep(provider, key.trim()),
      },
      otherwise: () =>
        addNotice('info', `No key was stored. You can set ${provider.variable} in the environment instead.`),
    })
  }

  async function keep(provider: KeyProvider, key: string): Promise<void> {
    const kept = await backend.keys?.keep(provider.name, key)
    if (!kept) return
    if (!kept.ok) {
      addNotice('warn', sentence(kept.message), 'Nothing was stored.')
      return askKey(provider)
    }
    const { file, untried } = kept.value
    const trial = untried === null ? `${provider.title} accepted the key.` : `The key could not be tested: ${untried}.`
    addNotice('info', `${trial} ${backend.name} stores it in ${file}.`)
    await life.restart({ provider: provider.name })
  }

  async function askWhatToForget(): Promise<void> {
    const stored = await backend.keys?.stored()
    if (!stored) return
    if (!stored.ok) return addNotice('warn', sentence(stored.message))
    const { file, logins } = stored.value
    if (logins.length === 0) {
      const words = `${backend.name} has no login in ${file}.`
      return addNotice(
        'info',
        words,
        'A key from the environment stays until its variable is unset and zotui starts again.',
      )
    }
    choicePrompt.ask({
      title: 'log out of which provider?',
      answers: [
        ...logins.map(login => ({
          label: login.title,
          detail: `removes its ${login.kind} from ${file}`,
          run: () => void forget(login),
        })),
        { label: 'none', detail: 'everything stays', run: () => undefined },
      ],
    })
  }

  async function forget(login: StoredLogin): Promise<void> {
    const forgotten = await backend.keys?.forget(login)
    if (!forgotten) return
    if (!forgotten.ok) return addNotice('error', `Not logged out of ${login.title}: ${sentence(forgotten.message)}`)
    const variable = forgotten.value
    const { apiKey = '' } = backend.startOptions()
    const other = variable === '' && apiKey !== '' ? '--api-key' : variable
    const again = other === '' ? '/login logs in again.' : `${other} is set, so it logs in with that again.`
    addNotice('info', `Logged out of ${login.title}: its ${login.kind} is removed.`, again)
    // An agent that runs goes on with what it has read.
    await life.reopen()
  }

  function showVariables(): void {
    addNotice(
      'info',
      'Set the variable of the provider, such as GEMINI_API_KEY or DEEPSEEK_API_KEY, and start zotui again.',
    )
  }
}

/** The providers above the login. */
const MOST_USED = 3
