/** Combines the answers of several hooks to one event: the most careful one counts. Pure. */
import { noAnswer, type HookAnswer } from './answer.ts'

const mostCarefulFirst = ['deny', 'doubt', 'ask', 'allow'] as const

export function combined(answers: readonly HookAnswer[]): HookAnswer {
  const counts = mostCarefulFirst.flatMap(says => answers.filter(answer => answer.says === says))
  const [first] = counts
  return {
    says: first?.says ?? noAnswer.says,
    reason: first?.reason ?? '',
    stops: counts.some(({ says, stops }) => says === 'deny' && stops),
    context: joined(answers.map(({ context }) => context)),
    message: joined(answers.map(({ message }) => message)),
  }
}

function joined(texts: readonly string[]): string {
  return texts.filter(text => text !== '').join('\n\n')
}
