/** Says that an agent needs a login, and asks how to log in: in a terminal, with a key, or by the agent itself. */
import type { LoginMethod } from '../../../agent/session-events.ts'
import type { ChoicePrompt } from '../../context/choice-prompt.ts'
import type { Notices } from '../../context/notices.ts'
import type { AgentPart } from '../../context/parts.ts'
import type { EventBatcher } from '../../events/batcher.ts'
import type { AgentLifecycle } from './agent-lifecycle.ts'

export type AskedLoginParts = {
  context: AgentPart & Notices
  batcher: Pick<EventBatcher, 'subscribe'>
  life: Pick<AgentLifecycle, 'login' | 'restart'>
  choicePrompt: ChoicePrompt
}

/** Asks how to log in. False if the agent has reported no way that zotui can use. */
export type AskLogin = () => boolean

export function followLogins({ context, batcher, life, choicePrompt }: AskedLoginParts): AskLogin {
  const { backend, addNotice } = context
  batcher.subscribe(events => {
    const asked = events.findLast(event => event.type === 'login_needed')
    if (asked) onLoginNeeded(asked.methods)
  })
  return () => ask(backend.loginMethods(), false)

  function onLoginNeeded(methods: readonly LoginMethod[]): void {
    const canRun = backend.abilities.has('login') || methods.some(isUsable)
    const ways = methods.map(({ name, about = '' }) => (about === '' ? name : `${name} (${about})`)).join('; ')
    const how = canRun ? '/login does it here.' : `Log in with ${backend.name}'s own program, then type /restart here.`
    addNotice(
      'warn',
      `${backend.name} needs a login before it answers.`,
      [ways === '' ? '' : `Ways to log in: ${ways}.`, how].join(' ').trim(),
    )
    ask(methods, true)
  }

  function ask(methods: readonly LoginMethod[], isUnasked: boolean): boolean {
    const usable = methods.filter(isUsable)
    const answers = usable.map(method => ({
      label: method.name,
      detail: method.about ?? '',
      run: () => use(method),
    }))
    if (answers.length === 0) return false
    const later = { label: 'not now', detail: '/login does it later', run: () => undefined }
    choicePrompt.ask({ title: `log in with ${backend.name}`, answers: [...answers, later], dismissOnType: isUnasked })
    return true
  }

  function isUsable({ command }: LoginMethod): boolean {
    return command !== undefined || backend.abilities.has('logInWith')
  }

  function use(method: LoginMethod): void {
    if (method.command) return void life.login(method.command)
    if (method.takesKey) return askKey(method)
    addNotice('info', `${backend.name} logs in: complete it where it asks you, such as in your browser.`)
    logIn(method, null)
  }

  function askKey(method: LoginMethod): void {
    choicePrompt.ask({
      title: `${method.name} for ${backend.name}`,
      answers: [],
      isSecret: true,
      typed: { detail: `give it to ${backend.name}`, run: key => logIn(method, key.trim()) },
      otherwise: () => addNotice('info', 'No key was given.'),
    })
  }

  function logIn({ id }: LoginMethod, key: string | null): void {
    backend.logInWith(id, key)
    void life.restart()
  }
}
