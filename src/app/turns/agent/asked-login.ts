/** Says that an agent needs a login, and how to log in. */
import type { LoginMethod } from '../../../agent/session-events.ts'
import type { ChoicePrompt } from '../../context/choice-prompt.ts'
import type { AppContext } from '../../context/context.ts'
import type { EventBatcher } from '../../events/batcher.ts'
import type { AgentLifecycle } from './agent-lifecycle.ts'

export function followLogins(
  { backend, announce }: Pick<AppContext, 'backend' | 'announce'>,
  batcher: Pick<EventBatcher, 'subscribe'>,
  life: Pick<AgentLifecycle, 'login'>,
  choicePrompt: ChoicePrompt,
): void {
  batcher.subscribe(events => {
    const asked = events.findLast(event => event.type === 'login_needed')
    if (asked) tell(asked.methods)
  })

  function tell(methods: readonly LoginMethod[]): void {
    const canRun = backend.login !== undefined || methods.some(({ command }) => command !== undefined)
    const ways = methods.map(({ name, about = '' }) => (about === '' ? name : `${name} (${about})`)).join('; ')
    const how = canRun ? '/login does it here.' : `Log in with ${backend.name}'s own program, then type /restart here.`
    announce(
      'warn',
      `${backend.name} needs a login before it answers.`,
      [ways === '' ? '' : `Ways to log in: ${ways}.`, how].join(' ').trim(),
    )
    const answers = methods.flatMap(({ name, about = '', command }) =>
      command ? [{ label: name, detail: about, run: () => void life.login(command) }] : [],
    )
    if (answers.length === 0) return
    const later = { label: 'not now', detail: '/login does it later', run: () => undefined }
    choicePrompt.ask({ title: `log in with ${backend.name}`, answers: [...answers, later], dismissOnType: true })
  }
}
