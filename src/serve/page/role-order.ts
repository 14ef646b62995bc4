/** The roles of devices: each may also do what those before it may. The list of the wire comes with a package that the page does not load. */
import type { Role } from '../../published/outside-call.ts'

export const roleOrder: readonly Role[] = ['view', 'answer', 'steer']

export const roleWords: Readonly<Record<Role, string>> = {
  view: 'may watch',
  answer: 'may watch, answer questions and stop a turn',
  steer: 'may watch, answer, and send prompts',
}
